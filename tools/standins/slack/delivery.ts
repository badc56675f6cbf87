import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Fields, parseJson } from '../shared/json.ts';
import type { Platform } from './platform.ts';
import type { Envelope, Sockets } from './socket.ts';
import type { App } from './things.ts';

/** How an app responded to a delivery. */
export type Ack = {
  /** The HTTP status, or 200 for an acknowledgement over Socket Mode. Undefined when there was none. */
  status: number | undefined;
  /** The body, JSON or text. Undefined when empty. */
  body: unknown;
  /** The response time. */
  ms: number;
  /** What Slack shows the user on failure, such as operation_timeout. */
  error: string | undefined;
};

export type Payload = {
  how: Envelope['type'] | 'url_verification' | 'ssl_check';
  name: string;
  body: Fields;
};

export type DeliveryOptions = {
  /** Marks a retry, after the first attempt failed or seemed to. */
  retry?: { num: number; reason: string };
  /** Not from Slack: with a wrong or missing signature. */
  forged?: 'wrong' | 'absent';
  /** The offset of the signed timestamp from now. */
  skewSeconds?: number;
};

export type Deliver = (app: App, payload: Payload, manner?: DeliveryOptions) => Promise<Ack>;

/** Sends payloads to apps as Slack does, over HTTP or Socket Mode, and complains about late acknowledgements. */
export function createDelivery({ recordings, settings, clock }: Platform, sockets: Sockets): Deliver {
  return async (app, payload, manner = {}) => {
    const { how, body } = payload;
    recordings.delivered.push({ type: how === 'interactive' ? String(body.type) : how, body });
    const began = performance.now();
    const outcome = await (app.requestUrl === undefined ? overSocket : overHttp)(app, payload, manner);
    const ack = { ...outcome, ms: performance.now() - began };
    const words = typeof ack.body === 'string' ? ack.body : JSON.stringify(ack.body ?? '');
    recordings.sent.push({ where: `the acknowledgement of ${payload.name}`, text: words });
    const isGenuine = manner.forged === undefined && Math.abs(manner.skewSeconds ?? 0) <= 300;
    if (ack.error !== undefined && isGenuine) {
      const timed =
        ack.error === 'operation_timeout' ? `not acknowledged within ${settings.ackLimitMs} ms` : 'not taken';
      recordings.complain(`${payload.name} was ${timed}: ${ack.error} (HTTP ${ack.status ?? 'none'})`);
    }
    clock.changed();
    return ack;
  };

  async function overSocket(app: App, { how, body }: Payload, { retry }: DeliveryOptions) {
    if (how === 'url_verification' || how === 'ssl_check') throw new Error(`Socket Mode knows no ${how}`);
    if (sockets.count(app) === 0) return refused('app_unreachable');
    const again = retry
      ? { retry_attempt: retry.num, retry_reason: retry.reason }
      : { retry_attempt: 0, retry_reason: '' };
    const envelope = { type: how, payload: body, retry: how === 'events_api' ? again : {} };
    const answer = await sockets.send(app, envelope);
    if (answer === undefined) return refused('operation_timeout');
    return { status: 200, body: Object.keys(answer).length > 0 ? answer : undefined, error: undefined };
  }

  async function overHttp(app: App, payload: Payload, manner: DeliveryOptions) {
    try {
      const { status, body } = await postTo(app, payload, manner, settings.ackLimitMs);
      return { status, body: parseJson(body) ?? (body || undefined), error: errorOf(status) };
    } catch (error) {
      const isLate = error instanceof Error && error.name === 'TimeoutError';
      return refused(isLate ? 'operation_timeout' : 'app_unreachable');
    }
  }
}

function refused(error: string) {
  return { status: undefined, body: undefined, error };
}

function errorOf(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined;
  return status >= 500 ? 'http_service_error' : 'http_client_error';
}

/** Slack's content types have no parameters. Bolt compares them literally. */
function bodyOf({ how, body }: Payload): { type: string; text: string } {
  const type = 'application/x-www-form-urlencoded';
  if (how === 'slash_commands' || how === 'ssl_check') {
    const entries = Object.entries(body).map(([name, value]) => [name, String(value)]);
    return { type, text: new URLSearchParams(entries).toString() };
  }
  if (how === 'interactive')
    return { type, text: new URLSearchParams({ payload: JSON.stringify(body) }).toString() };
  return { type: 'application/json', text: JSON.stringify(body) };
}

function postTo(app: App, payload: Payload, manner: DeliveryOptions, withinMs: number) {
  const sent = bodyOf(payload);
  const timestamp = Math.floor(Date.now() / 1000) + (manner.skewSeconds ?? 0);
  const key = manner.forged === 'wrong' ? 'not the signing secret' : app.signingSecret;
  const signature = `v0=${createHmac('sha256', key).update(`v0:${timestamp}:${sent.text}`).digest('hex')}`;
  const headers = {
    'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
    'content-type': sent.type,
    'content-length': Buffer.byteLength(sent.text),
    'x-slack-request-timestamp': String(timestamp),
    ...(manner.forged !== 'absent' && { 'x-slack-signature': signature }),
    ...(manner.retry && {
      'x-slack-retry-num': manner.retry.num,
      'x-slack-retry-reason': manner.retry.reason,
    }),
  };
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const signal = AbortSignal.timeout(withinMs);
    const req = request(app.requestUrl ?? '', { method: 'POST', headers, agent: false, signal });
    const fail = (error: Error) => reject(signal.aborted ? signal.reason : error);
    req.on('error', fail);
    req.on('response', (res) => {
      text(res).then((body) => resolve({ status: res.statusCode ?? 0, body }), fail);
    });
    req.end(sent.text);
  });
}
