import { Webhook } from 'standardwebhooks';
import type { Delivery, Domain, Endpoint, EndpointResult, Messenger, Notice } from '../domain/index.ts';
import { packageVersion } from '../runtime/package.ts';
import { lookupAll } from './addresses.ts';
import { bodyOf, isOwnersNotice, type OwnersNotice } from './body.ts';
import { Unanswered } from './noResponse.ts';
import { type Answer, type PostSettings, post } from './post.ts';
import { retryAfterMs } from './retryAfter.ts';

type Parts = { webhooks: Domain['webhooks'] } & Pick<PostSettings, 'allowPrivate'> & Partial<PostSettings>;

/** What came of an attempt, for the notice and for the webhook. */
type Verdict = { delivery: Delivery; result: EndpointResult };

const timeoutMs = 10_000;

/**
 * Sends notices to the addresses that accounts registered, signed as Standard Webhooks (version 1.0.0, symmetric) asks.
 * An address is a webhook's id. Disables webhooks that are gone or have failed for long.
 */
export function createWebhookMessenger({ webhooks, ...settings }: Parts): Messenger {
  const posting = { lookup: lookupAll, timeoutMs, ...settings };
  const userAgent = `hushpush/${packageVersion()}`;

  async function deliver(address: string, notice: Notice): Promise<Delivery> {
    if (!isOwnersNotice(notice))
      return { outcome: 'never', reason: 'webhooks are told of their own pushes only' };
    const endpoint = await webhooks.maybeEndpoint(address);
    if (endpoint === null) return { outcome: 'never', reason: 'the webhook was removed' };
    if (endpoint.isDisabled) return { outcome: 'never', reason: 'the webhook is disabled' };
    const { delivery, result } = await attempt(endpoint, notice);
    const isDisabled = await webhooks.noteResult(endpoint, result);
    return isDisabled && delivery.outcome === 'later' ? { ...delivery, outcome: 'never' } : delivery;
  }

  async function attempt(endpoint: Endpoint, notice: OwnersNotice): Promise<Verdict> {
    const body = bodyOf(notice);
    const headers = {
      'content-type': 'application/json',
      'user-agent': userAgent,
      ...signatureOf(endpoint, notice.id, body),
    };
    try {
      return verdictOn(await post({ url: endpoint.url, headers, body }, posting), endpoint.now);
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      return { delivery: { outcome: 'later', reason: error.message }, result: 'failed' };
    }
  }

  return { deliver };
}

/** The time is that of the attempt, by the database's clock like every other. */
function signatureOf({ secret, now }: Endpoint, id: string, body: string) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, new Date(now), body),
  };
}

function verdictOn({ status, retryAfter }: Answer, now: number): Verdict {
  if (status >= 200 && status < 300) return { delivery: { outcome: 'sent' }, result: 'sent' };
  if (status === 410) return { delivery: { outcome: 'never', reason: 'answered 410: gone' }, result: 'gone' };
  const isRedirect = status >= 300 && status < 400;
  const reason = `answered ${status}${isRedirect ? ': redirects are not followed' : ''}`;
  return { delivery: { outcome: 'later', reason, afterMs: retryAfterMs(retryAfter, now) }, result: 'failed' };
}
