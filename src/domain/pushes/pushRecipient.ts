import type { Platform } from '../people/index.ts';

/** A recipient of a push, as its owner sees them. Times are epoch milliseconds. */
export type PushRecipient = {
  id: string;
  /** Who they are in a chat; null for those known only by a name. */
  platform: Platform | null;
  address: string | null;
  /** Null where the chat did not tell it, or if it cannot be decrypted. */
  name: string | null;
  /** Their own link; null where they have none, or if it cannot be decrypted. */
  urlToken: string | null;
  isBound: boolean;
  /** How often their own link opens the push. */
  viewsMax: number;
  viewsUsed: number;
  openedAt: number | null;
  lastOpenedAt: number | null;
};
