import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { APIInteraction } from 'discord.js';
import type { Reply } from './replies.ts';

type Dependencies = {
  /** In hexadecimal. */
  publicKey: string;
  handle: (interaction: APIInteraction) => Promise<Reply>;
  /** Given what is left to do after the answer. */
  runInBackground: (work: () => Promise<void>) => void;
};

const skewMaxSeconds = 300;
const bodyBytesMax = 1024 * 1024;
/** What stands before the 32 bytes of an Ed25519 key in DER (RFC 8410, section 4). */
const ed25519DerPrefix = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * Answers what Discord posts to `/discord/interactions`, before anything else has read its body. Refuses with 401 what is
 * not signed by Discord, or signed more than five minutes ago or ahead
 * (docs.discord.com, “Setting up an endpoint: validating security request headers”).
 */
export function createInteractionReceiver({ publicKey, handle, runInBackground }: Dependencies) {
  const key = createPublicKey({
    key: Buffer.concat([ed25519DerPrefix, Buffer.from(publicKey, 'hex')]),
    format: 'der',
    type: 'spki',
  });

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
  if (!req.complete) res.setHeader('connection', 'close'); // or the rest of it would be waited for
  res.statusCode = status;
  res.end();
}
