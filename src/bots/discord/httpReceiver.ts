import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { APIInteraction } from 'discord.js';
import type { Reply } from './replies.ts';

type Dependencies = {
  /** In hexadecimal. */
  publicKey: string;
  handle: (interaction: APIInteraction) => Promise<Reply>;
  /** Runs what is left to do after the response. */
  runInBackground: (task: () => Promise<void>) => void;
};

const skewMaxSeconds = 300;
const bodyBytesMax = 1024 * 1024;

/**
 * Handles requests to `/discord/interactions` before anything reads their bodies. Refuses with 401 what Discord did not sign
 * within five minutes (docs.discord.com, “Setting up an endpoint: validating security request headers”).
 */
export function createInteractionReceiver({ publicKey, handle, runInBackground }: Dependencies) {
  const x = Buffer.from(publicKey, 'hex').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });

  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    if (!isFresh(req)) return reject(req, res, 401);
    const body = await readBody(req);
    if (body === undefined) return reject(req, res, 413);
    if (!isSigned(key, req, body)) return reject(req, res, 401);
    const interaction = maybeInteraction(body);
    if (interaction === undefined) return reject(req, res, 400);
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

async function readBody(req: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of req) {
    length += chunk.length;
    if (length > bodyBytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function maybeInteraction(body: Buffer): APIInteraction | undefined {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null && 'type' in value
      ? (value as APIInteraction)
      : undefined;
  } catch {
    return undefined;
  }
}

function reject(req: IncomingMessage, res: ServerResponse, status: number): void {
  if (!req.complete) res.setHeader('connection', 'close'); // or the server waits for the rest of it
  res.statusCode = status;
  res.end();
}
