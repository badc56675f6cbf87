import { createPublicKey, verify } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { APIInteraction } from 'discord.js';
import { createJsonHandler, maybeJsonObject } from '../rawRequest.ts';
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

  function isSigned(body: Buffer, headers: IncomingHttpHeaders): boolean {
    const signature = Buffer.from(String(headers['x-signature-ed25519'] ?? ''), 'hex');
    const signed = Buffer.concat([Buffer.from(String(headers['x-signature-timestamp'])), body]);
    return signature.length === 64 && verify(null, signed, key, signature);
  }

  return createJsonHandler((body, headers) => {
    if (!isFresh(headers)) return undefined;
    if (!isSigned(body, headers)) return undefined;
    const interaction = maybeJsonObject(body);
    if (interaction === undefined || !('type' in interaction)) return undefined;
    return async () => {
      const { initial, followUp } = await handle(interaction as APIInteraction);
      return { body: initial, afterwards: followUp && (() => runInBackground(followUp)) };
    };
  });
}

function isFresh(headers: IncomingHttpHeaders): boolean {
  const signedAt = Number(headers['x-signature-timestamp'] ?? Number.NaN);
  return Math.abs(Date.now() / 1_000 - signedAt) <= skewMaxSeconds;
}
