import { v7 } from 'uuid';

/** A new id that sorts by its time of making (RFC 9562, UUID version 7), as the 16 bytes that the database keeps. */
export function newId(): Buffer {
  return v7(undefined, Buffer.alloc(16));
}
