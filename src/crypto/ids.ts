import { hash } from 'node:crypto';
import { v7 } from 'uuid';
import { randomBytes } from './random.ts';

const highestSequence = 0x7fffffff;
let msecs = 0;
let seq = 0;

/** A new id as text (RFC 9562, UUID version 7). */
export const newUuid = (): string => v7();

/** Parses an id as adapters know it: 32 hexadecimal digits. Null if it is malformed. */
export function maybeId(text: string): Buffer | null {
  return /^[0-9a-f]{32}$/.test(text) ? Buffer.from(text, 'hex') : null;
}

/** The same, where a malformed id is one that nothing has. */
export const toId = (text: string): Buffer => maybeId(text) ?? Buffer.alloc(0);

/** An id derived from a text: the same text gives the same id. */
export const idOfName = (name: string): Buffer => hash('sha256', name, 'buffer').subarray(0, 16);

/**
 * A new id that sorts by creation (RFC 9562, UUID version 7), as the 16 bytes that the database stores. Ids of one
 * process always ascend, even within a millisecond or when the clock goes back.
 */
export function newId(): Buffer {
  const now = Date.now();
  if (now > msecs || seq === highestSequence) {
    msecs = Math.max(now, msecs + 1);
    seq = randomBytes(4).readUInt32BE() >>> 2;
  } else seq++;
  return v7({ random: randomBytes(16), msecs, seq }, Buffer.alloc(16));
}
