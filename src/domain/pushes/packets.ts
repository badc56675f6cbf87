import type { Database } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import { payloadMax } from './payload.ts';

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
