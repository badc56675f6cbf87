import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { APIInteraction } from 'discord.js';
import type { Heard } from './replies.ts';

type Parts = {
  /** In hexadecimal. */
  publicKey: string;
  hear: (interaction: APIInteraction) => Promise<Heard>;
  /** Given what is left to do after the answer. */
  later: (work: () => Promise<void>) => void;
};

const skewMaxSeconds = 300;
const bodyMax = 1024 * 1024;
/** What stands before the 32 bytes of an Ed25519 key in DER (RFC 8410, section 4). */
const keyHead = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * Answers what Discord posts to `/discord/interactions`, before anything else has read its body. Refuses with 401 what is
 * not signed by Discord, or signed more than five minutes ago or ahead
 * (docs.discord.com, “Setting up an endpoint: validating security request headers”).
 */
export function createHttpEndpoint({ publicKey, hear, later }: Parts) {
  const key = createPublicKey({
    key: Buffer.concat([keyHead, Buffer.from(publicKey, 'hex')]),
    format: 'der',
    type: 'spki',
  });

  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    if (!isFresh(req)) return refuse(req, res, 401);
    const body = await read(req);
    if (body === undefined) return refuse(req, res, 413);
    if (!isSigned(key, req, body)) return refuse(req, res, 401);
    const interaction = parse(body);
    if (interaction === undefined) return refuse(req, res, 400);
    const heard = await hear(interaction);
    res.statusCode = 200;
    res.setHeader('content-type', 'application/json');
    res.end(JSON.stringify(heard.first), () => {
      if (heard.later) later(heard.later);
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

async function read(req: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of req) {
    length += chunk.length;
    if (length > bodyMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parse(body: Buffer): APIInteraction | undefined {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null && 'type' in value
      ? (value as APIInteraction)
      : undefined;
  } catch {
    return undefined;
  }
}

function refuse(req: IncomingMessage, res: ServerResponse, status: number): void {
  if (!req.complete) res.setHeader('connection', 'close'); // or the rest of it would be waited for
  res.statusCode = status;
  res.end();
}
