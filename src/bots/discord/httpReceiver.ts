import { createPublicKey, verify } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { APIInteraction } from 'discord.js';
import { createJsonHandler, isFresh, maybeJsonObject } from '../rawRequest.ts';
import type { Reply } from './replies.ts';

/** `publicKey` is in hexadecimal; `runInBackground` does what is left to do after the response. */
type Dependencies = {
  publicKey: string;
  handle: (interaction: APIInteraction) => Promise<Reply>;
  runInBackground: (task: () => Promise<void>) => void;
};

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

  return createJsonHandler((body, headers, afterwards) => {
    if (!isFresh(headers['x-signature-timestamp'])) return undefined;
    if (!isSigned(body, headers)) return undefined;
    const interaction = maybeJsonObject<APIInteraction>(body);
    if (interaction === undefined || !('type' in interaction)) return undefined;
    return async () => {
      const { initial, followUp } = await handle(interaction);
      if (followUp !== undefined) afterwards(() => runInBackground(followUp));
      return initial;
    };
  });
}
