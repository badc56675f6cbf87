/** The objects of the JSON API that are about webhooks, under the names that it uses. */

/** A webhook of the account. */
export type RegisteredWebhook = {
  id: string;
  url: string | null;
  /** The types of events that it gets; null for all. */
  types: string[] | null;
  created_at: string;
  disabled: boolean;
  failing_since: string | null;
};

/** A new secret of a webhook, and until when the one before signs as well. */
export type RotatedWebhookSecret = { id: string; secret: string; previous_secret_until: string };

/** What was sent to a webhook, or waits. */
export type DeliveryEntry = {
  id: string;
  event: string;
  times: number;
  happened_at: string;
  state: 'waiting' | 'sent' | 'failed';
  attempts: number;
  last_problem: string | null;
  next_attempt_at: string | null;
};
