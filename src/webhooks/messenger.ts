import { Webhook } from 'standardwebhooks';
import type {
  Delivery,
  Domain,
  EndpointResult,
  Messenger,
  Notice,
  WebhookEndpoint,
} from '../domain/index.ts';
import { lookupAll } from '../outgoing/addresses.ts';
import { NoResponseError } from '../outgoing/noResponse.ts';
import { type OutgoingResponse, type OutgoingSettings, sendOutgoing } from '../outgoing/request.ts';
import { hourMs } from '../time.ts';
import { buildWebhookBody, isWebhookNotice, type WebhookNotice } from './body.ts';

type Dependencies = { webhooks: Domain['webhooks']; version: string } & Pick<
  OutgoingSettings,
  'allowPrivate'
> &
  Partial<OutgoingSettings>;

/** The result of an attempt, for the notice and for the endpoint. */
type AttemptResult = { delivery: Delivery; result: EndpointResult };

const timeoutMs = 10_000;
const requestsAtOnce = 4;

/** Delivers notices to webhooks, signed. An address is a webhook's id. Webhooks that are gone, or fail for long, are disabled. */
export function createWebhookMessenger({ webhooks, version, ...settings }: Dependencies): Messenger {
  const requestSettings = { lookup: lookupAll, timeoutMs, ...settings };
  const userAgent = `hushpush/${version}`;

  async function deliver(address: string, notice: Notice): Promise<Delivery> {
    if (!isWebhookNotice(notice))
      return { outcome: 'never', reason: 'webhooks get notices to the owner of a push only' };
    const endpoint = await webhooks.maybeEndpoint(address);
    if (endpoint === null) return { outcome: 'never', reason: 'the webhook was removed' };
    if (endpoint.isDisabled) return { outcome: 'never', reason: 'the webhook is disabled' };
    const { delivery, result } = await attempt(endpoint, notice);
    const isDisabled = await webhooks.recordResult(endpoint, result);
    const isFinal = isDisabled || notice.event === 'test';
    return isFinal && delivery.outcome === 'later' ? { ...delivery, outcome: 'never' } : delivery;
  }

  async function attempt(endpoint: WebhookEndpoint, notice: WebhookNotice): Promise<AttemptResult> {
    const body = buildWebhookBody(notice);
    const headers = {
      'content-type': 'application/json',
      'user-agent': userAgent,
      ...signatureHeaders(endpoint, notice.id, body),
    };
    try {
      return resultOf(
        await sendOutgoing({ url: endpoint.url, headers, body }, requestSettings),
        endpoint.now,
      );
    } catch (error) {
      if (!(error instanceof NoResponseError)) throw error;
      return { delivery: { outcome: 'later', reason: error.message }, result: 'failed' };
    }
  }

  return { deliver, parallel: requestsAtOnce };
}

function resultOf({ status, retryAfter }: OutgoingResponse, now: number): AttemptResult {
  if (status >= 200 && status < 300) return { delivery: { outcome: 'sent' }, result: 'sent' };
  if (status === 410) return { delivery: { outcome: 'never', reason: 'answered 410: gone' }, result: 'gone' };
  const isRedirect = status >= 300 && status < 400;
  const reason = `answered ${status}${isRedirect ? ': redirects are not followed' : ''}`;
  return { delivery: { outcome: 'later', reason, afterMs: retryAfterMs(retryAfter, now) }, result: 'failed' };
}

const retryAfterMaxMs = 24 * hourMs;

/** The delay of a Retry-After header, in seconds or as an HTTP date (RFC 9110, sections 10.2.3 and 5.6.7): at most a day. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const requestedMs = parseRetryAfter(header?.trim() ?? '', now);
  return requestedMs > 0 ? Math.min(requestedMs, retryAfterMaxMs) : undefined;
}

function parseRetryAfter(text: string, now: number): number {
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const [, date] = /^([A-Z][a-z]{2,8},? .*?)( GMT)?$/.exec(text) ?? [];
  return date === undefined ? 0 : Date.parse(`${date} GMT`) - now;
}

/**
 * The headers of Standard Webhooks 1.0.0 with a symmetric signature by each secret. `id` is the notice's, the same for every attempt; the
 * timestamp is that of this attempt, by the database's clock.
 */
export const signatureHeaders = ({ secrets, now }: WebhookEndpoint, id: string, body: string) => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(now / 1_000)),
  'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, new Date(now), body)).join(' '),
});
