import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { APIInteraction } from 'discord.js';
import { maybeBody, maybeJsonObject, rejectRequest } from '../rawRequest.ts';
import type { Reply } from './replies.ts';

type Dependencies = {
  /** In hexadecimal. */
  publicKey: string;
  handle: (interaction: APIInteraction) => Promise<Reply>;
  /** Runs what is left to do after the response. */
  runInBackground: (task: () => Promise<void>) => void;
};

const skewMaxSeconds = 300;

/**
 * Handles requests to `/discord/interactions` before anything reads their bodies. Refuses with 401 what Discord did not sign
 * within five minutes (docs.discord.com, “Setting up an endpoint: validating security request headers”).
 */
export function createInteractionReceiver({ publicKey, handle, runInBackground }: Dependencies) {
  const x = Buffer.from(publicKey, 'hex').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });

  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    if (!isFresh(req)) return rejectRequest(req, res, 401);
    const body = await maybeBody(req);
    if (body === undefined) return rejectRequest(req, res, 413);
    if (!isSigned(key, req, body)) return rejectRequest(req, res, 401);
    const interaction = maybeInteraction(body);
    if (interaction === undefined) return rejectRequest(req, res, 400);
    const reply = await handle(interaction);
    res.statusCode = 200;
    res.setHeader('content-type', 'application/json');
    res.end(JSON.stringify(reply.initial), () => {
      if (reply.followUp) runInBackground(reply.followUp);
    });
  };
}

function isFresh({ headers }: IncomingMessage): boolean {
  const signedAt = Number(headers['x-signature-timestamp'] ?? Number.NaN);
  return Math.abs(Date.now() / 1_000 - signedAt) <= skewMaxSeconds;
}

function isSigned(key: KeyObject, { headers }: IncomingMessage, body: Buffer): boolean {
  const signature = Buffer.from(String(headers['x-signature-ed25519'] ?? ''), 'hex');
  const signed = Buffer.concat([Buffer.from(String(headers['x-signature-timestamp'])), body]);
  return signature.length === 64 && verify(null, signed, key, signature);
}

const maybeInteraction = (body: Buffer): APIInteraction | undefined => {
  const value = maybeJsonObject(body);
  return value !== undefined && 'type' in value ? (value as APIInteraction) : undefined;
};
