import type { Domain } from '../domain/index.ts';

type SealOptions = { purpose: string; lifetimeMs?: number };

/**
 * For chats that do not sign their requests: values that come back from them as they were, or not at all. Anybody who sees a
 * sealed value can read it. It is text, since chats may reorder the keys of an object.
 */
export function createSeal<Value extends object>(
  { sign, isSigned }: Domain['signing'],
  { purpose, lifetimeMs = Number.POSITIVE_INFINITY }: SealOptions,
) {
  return {
    /** With a `user`, it comes back from that one alone. */
    seal(value: Value, user = ''): string {
      const text = Buffer.from(JSON.stringify({ at: Date.now(), value })).toString('base64url');
      return `${text}.${sign('chat', purpose, user, text)}`;
    },
    /** Undefined for what was not sealed here, for this purpose and user, or too long ago. */
    maybeOpen(sealed: unknown, user = ''): Value | undefined {
      const [text = '', signature = ''] = typeof sealed === 'string' ? sealed.split('.') : [];
      if (!isSigned(signature, 'chat', purpose, user, text)) return undefined;
      const { at, value } = JSON.parse(Buffer.from(text, 'base64url').toString()) as {
        at: number;
        value: Value;
      };
      return Date.now() - at <= lifetimeMs ? value : undefined;
    },
  };
}
