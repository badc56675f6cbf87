import { Webhook } from 'standardwebhooks';
import type {
  Delivery,
  Domain,
  EndpointResult,
  Messenger,
  Notice,
  WebhookEndpoint,
} from '../domain/index.ts';
import { packageVersion } from '../runtime/package.ts';
import { lookupAll } from './addresses.ts';
import { buildWebhookBody, isWebhookNotice, type WebhookNotice } from './body.ts';
import { NoResponseError } from './noResponse.ts';
import { type PostResponse, type PostSettings, post } from './post.ts';
import { retryAfterMs } from './retryAfter.ts';

type Dependencies = { webhooks: Domain['webhooks'] } & Pick<PostSettings, 'allowPrivate'> &
  Partial<PostSettings>;

/** What came of an attempt, for the notice and for the webhook. */
type AttemptResult = { delivery: Delivery; result: EndpointResult };

const timeoutMs = 10_000;

/**
 * Sends notices to the addresses that accounts registered, signed as Standard Webhooks (version 1.0.0, symmetric) asks.
 * An address is a webhook's id. Disables webhooks that are gone or have failed for long.
 */
export function createWebhookMessenger({ webhooks, ...settings }: Dependencies): Messenger {
  const postSettings = { lookup: lookupAll, timeoutMs, ...settings };
  const userAgent = `hushpush/${packageVersion()}`;

  async function deliver(address: string, notice: Notice): Promise<Delivery> {
    if (!isWebhookNotice(notice))
      return { outcome: 'never', reason: 'webhooks are told of their own pushes only' };
    const endpoint = await webhooks.maybeEndpoint(address);
    if (endpoint === null) return { outcome: 'never', reason: 'the webhook was removed' };
    if (endpoint.isDisabled) return { outcome: 'never', reason: 'the webhook is disabled' };
    const { delivery, result } = await attempt(endpoint, notice);
    const isDisabled = await webhooks.recordResult(endpoint, result);
    return isDisabled && delivery.outcome === 'later' ? { ...delivery, outcome: 'never' } : delivery;
  }

  async function attempt(endpoint: WebhookEndpoint, notice: WebhookNotice): Promise<AttemptResult> {
    const body = buildWebhookBody(notice);
    const headers = {
      'content-type': 'application/json',
      'user-agent': userAgent,
      ...buildSignatureHeaders(endpoint, notice.id, body),
    };
    try {
      return resultOf(await post({ url: endpoint.url, headers, body }, postSettings), endpoint.now);
    } catch (error) {
      if (!(error instanceof NoResponseError)) throw error;
      return { delivery: { outcome: 'later', reason: error.message }, result: 'failed' };
    }
  }

  return { deliver };
}

/** The time is that of the attempt, by the database's clock like every other. */
function buildSignatureHeaders({ secret, now }: WebhookEndpoint, id: string, body: string) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, new Date(now), body),
  };
}

function resultOf({ status, retryAfter }: PostResponse, now: number): AttemptResult {
  if (status >= 200 && status < 300) return { delivery: { outcome: 'sent' }, result: 'sent' };
  if (status === 410) return { delivery: { outcome: 'never', reason: 'answered 410: gone' }, result: 'gone' };
  const isRedirect = status >= 300 && status < 400;
  const reason = `answered ${status}${isRedirect ? ': redirects are not followed' : ''}`;
  return { delivery: { outcome: 'later', reason, afterMs: retryAfterMs(retryAfter, now) }, result: 'failed' };
}
