import { type IncomingMessage, request } from 'node:http';
import { type Fields, fieldsOf, isFields } from '../shared/json.ts';
import type { Gateway } from './gateway/gateway.ts';
import type { Platform } from './platform.ts';
import { describe, respond, responseNames } from './responses.ts';
import { type Body, readBody, textsIn } from './rest/bodies.ts';
import { respondWith } from './rest/index.ts';
import { isGenuine, type Manner, type Signed, signed } from './signing.ts';
import type { Interaction } from './things.ts';

/** How an app responded to a delivery. */
export type Ack = {
  /** The HTTP status. Undefined over the gateway, and without a response. */
  status: number | undefined;
  /** The name of the first response, such as MODAL. Undefined when there was none. */
  response: string | undefined;
  /** The app's response with `type` and `data`, or any other body that it sent over HTTP. */
  body: unknown;
  /** The response time. */
  ms: number;
  /** What Discord shows the user on failure. */
  error: string | undefined;
};

/** An interaction being delivered. `again` delivers the same one again, like a replay. */
export type Delivered = { ack: Promise<Ack>; again(): Promise<Ack> };

export type Deliver = (interaction: Interaction, payload: Fields, manner: Manner) => Delivered;

const silence = 'The application did not respond';
const nothing = { status: undefined, response: undefined, body: undefined, error: undefined };

/** Sends interactions as Discord does, over HTTP or the gateway, and complains about late or missing responses. */
export function createDelivery(platform: Platform, gateway: Gateway) {
  const { world, recordings, settings, clock } = platform;
  const { app } = world;

  function deliver(interaction: Interaction, payload: Fields, manner: Manner): Delivered {
    const isTaken = isGenuine(manner);
    if (isTaken) world.interactions.set(interaction.token, interaction);
    const timed = timer();
    if (app.interactionsUrl === undefined) {
      const dispatch = () => gateway.dispatch('INTERACTION_CREATE', payload, interaction.place.guild?.id);
      const sessions = dispatch();
      const ack = (sessions === 0 ? Promise.resolve(nothing) : answered(interaction)).then(settle);
      return { ack, again: () => Promise.resolve(dispatch()).then(() => timed({ ...nothing })) };
    }
    const letter = signed(app, payload, manner);
    return {
      ack: post(letter)
        .then((reply) => (isTaken ? takeReply(interaction, reply) : ignoredReply(reply)))
        .then((outcome) => (isTaken ? settle(outcome) : timed(outcome))),
      again: () => post(letter).then((reply) => timed(ignoredReply(reply))),
    };

    /** The outcome of a delivery. Refused responses have been complained about already, missing ones have not. */
    function settle(outcome: Omit<Ack, 'ms'>): Ack {
      const { response } = interaction;
      clock.changed();
      if (response)
        return timed({
          ...{ ...outcome, response: responseNames[response.type] },
          ...{ body: response.body, error: undefined },
        });
      if (outcome.error === undefined)
        recordings.complain(
          `${describe(interaction)} was not answered within ${settings.ackLimitMs} ms (HTTP ${outcome.status ?? 'none'})`,
        );
      return timed({ ...outcome, error: silence });
    }
  }

  /** Waits for a first response by a call, as long as Discord would. */
  async function answered(interaction: Interaction): Promise<Omit<Ack, 'ms'>> {
    const isOver = () => clock.now() - interaction.at > settings.ackLimitMs || undefined;
    await clock.until('', () => interaction.response ?? isOver(), settings.ackLimitMs).catch(() => {});
    return nothing;
  }

  async function takeReply(interaction: Interaction, reply: Reply): Promise<Omit<Ack, 'ms'>> {
    const { status, body } = reply;
    if (status === 202 && body?.text === '') {
      await answered(interaction);
      return { ...nothing, status };
    }
    if (status !== 200 || !body) return { ...ignoredReply(reply), error: undefined };
    const refused = respondWith(platform, () => {
      respond(platform, interaction, body.json, body.files);
      return { status: 204, body: undefined };
    });
    return { ...nothing, status, body: body.json, error: refused.status >= 400 ? silence : undefined };
  }

  /** Posts the interaction. There is no status without a response in time. */
  async function post({ text, headers }: Signed): Promise<Reply> {
    const sent = { ...headers, ...discordHeaders, 'content-length': Buffer.byteLength(text) };
    const signal = AbortSignal.timeout(settings.ackLimitMs);
    const options = { method: 'POST', headers: sent, agent: false, signal } as const;
    try {
      const res = await new Promise<IncomingMessage>((resolve, reject) => {
        const req = request(app.interactionsUrl ?? '', options, resolve);
        req.on('error', reject);
        req.end(text);
      });
      const body = await readBody(res);
      const texts = textsIn(body);
      recordings.sent.push(
        ...texts.map((received) => ({ where: 'the answer to an interaction', text: received })),
      );
      return { status: res.statusCode, body };
    } catch {
      return { status: undefined, body: undefined };
    }
  }

  /** Checks that an app responds and verifies signatures, as Discord does when its URL is set up. */
  async function ping(manner: Manner, type = 1): Promise<Ack> {
    const timed = timer();
    const payload = { id: clock.nextId(), application_id: app.id, type, token: 'ping', version: 1 };
    const reply = await post(signed(app, payload, manner));
    const outcome = ignoredReply(reply);
    const isPong = isFields(outcome.body) && outcome.body.type === 1 && reply.status === 200;
    return timed({ ...outcome, response: isPong ? 'PONG' : undefined });
  }

  return { deliver: deliver satisfies Deliver, ping };
}

type Reply = { status: number | undefined; body: Body | undefined };

const discordHeaders = {
  'content-type': 'application/json',
  'user-agent': 'Discord-Interactions/1.0 (+https://discord.com)',
};

/** A reply that is ignored. */
function ignoredReply({ status, body }: Reply): Omit<Ack, 'ms'> {
  const received = body && (Object.keys(fieldsOf(body.json)).length > 0 ? body.json : body.text || undefined);
  const isRefused = status === undefined || status >= 300;
  return { status, response: undefined, body: received, error: isRefused ? silence : undefined };
}

function timer() {
  const startedAt = performance.now();
  return (outcome: Omit<Ack, 'ms'>): Ack => ({ ...outcome, ms: performance.now() - startedAt });
}
