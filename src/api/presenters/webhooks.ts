import type { RotatedSecret, Webhook, WebhookDelivery } from '../../domain/index.ts';
import { isoTime, maybeIsoTime } from '../../time.ts';
import type { DeliveryResponse, RotatedSecretResponse, WebhookResponse } from '../schemas/webhooks.ts';

/** A webhook in its owner's list. */
export function presentWebhook({
  id,
  url,
  types,
  createdAt,
  disabledAt,
  failingSince,
}: Webhook): WebhookResponse {
  return {
    id,
    url,
    ...(url === null && { unreadable: true as const }),
    types,
    created_at: isoTime(createdAt),
    disabled: disabledAt !== null,
    failing_since: maybeIsoTime(failingSince),
  };
}

/** A webhook whose secret was replaced. */
export function presentRotatedSecret(
  id: string,
  { secret, previousSecretUntil }: RotatedSecret,
): RotatedSecretResponse {
  return { id, secret, previous_secret_until: isoTime(previousSecretUntil) };
}

/** A delivery of an event to a webhook. */
export function presentDelivery(delivery: WebhookDelivery): DeliveryResponse {
  const { id, event, times, happenedAt, state, attempts, lastProblem, nextAttemptAt } = delivery;
  return {
    id,
    event: event === 'burned' ? 'deleted' : event, // outside the domain, it does not matter by whom
    times,
    happened_at: isoTime(happenedAt),
    state,
    attempts,
    last_problem: lastProblem,
    next_attempt_at: maybeIsoTime(nextAttemptAt),
  };
}
