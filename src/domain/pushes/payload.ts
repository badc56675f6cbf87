import { maybeUrl } from '../../client/url.ts';
import type { Database } from '../../database/database.ts';
import { DomainError, type Problem } from '../../errors.ts';
import { hasAtMost, tooLong } from '../base/index.ts';

export const pushKinds = ['text', 'url', 'qr', 'file'] as const;
export type PushKind = (typeof pushKinds)[number];

/** In characters. */
export const payloadMax = { text: 1_048_576, qr: 1_024, url: 2_048, encrypted: 4_194_304 };

/** What an encrypted push says of itself. What it really is, is encrypted too. */
export const encryptedKinds: readonly PushKind[] = ['text', 'file'];

/** Not valid yet: a field that broke its own rule may hold anything. */
type PayloadInput = { kind?: unknown; encrypted?: unknown; payload?: unknown };

/** Returns what is wrong with a payload of its kind, if anything. */
export function payloadProblem({ kind, encrypted, payload }: PayloadInput): Problem | undefined {
  if (typeof payload !== 'string') return undefined;
  if (encrypted === true) return sealedProblem(payload);
  if (kind === 'url') return isWebAddress(payload) ? undefined : { code: 'url', max: payloadMax.url };
  if (kind !== 'file' && !/\S/.test(payload)) return { code: 'required' };
  const max = kind === 'qr' ? payloadMax.qr : payloadMax.text;
  return hasAtMost(max, payload) ? undefined : tooLong(max);
}

/**
 * In base64url, version 1 or 2 of the format, a salt and a tag. Keeps a client from sending plaintext as encrypted. Two
 * patterns: one for the whole text would go back over each of its characters.
 */
const sealedStart = /^A[Q-Za-v][\w-]{42}/;
const notBase64url = /[^\w-]/;

function sealedProblem(payload: string): Problem | undefined {
  if (payload.length > payloadMax.encrypted) return tooLong(payloadMax.encrypted);
  return sealedStart.test(payload) && !notBase64url.test(payload) ? undefined : { code: 'notEncrypted' };
}

function isWebAddress(text: string): boolean {
  if (text.length > payloadMax.url) return false;
  return /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) && maybeUrl(text) !== undefined;
}

/** What a statement has at most besides a payload; the copy of a view lists the files. */
const restBytes = 131_072;
/** Shorter payloads fit everywhere: no supported server takes less than four times as much by default. */
const checkedBytes = 524_288;

/** The longest payload: text of four bytes a character, or an encrypted one. */
export const longestPayloadBytes = Math.max(4 * payloadMax.text, payloadMax.encrypted);

/** How long a payload may be on a server that takes statements of this size. */
export const payloadBytesMax = (packetBytes: number): number => packetBytes - restBytes;

/** Refuses a payload, as it would be stored, that the database server could not store, or not copy when it is viewed. */
export async function requireRoomFor(
  payload: Buffer,
  database: Pick<Database, 'packetBytes'>,
): Promise<void> {
  if (payload.length <= checkedBytes) return;
  const max = payloadBytesMax(await database.packetBytes());
  if (payload.length > max)
    throw new DomainError('invalid', { problems: { payload: [{ code: 'maxLength', max, unit: 'bytes' }] } });
}
