import { dayMs } from '../../time.ts';
import type { Account } from '../accounts/accounts.ts';
import type { PushFile } from '../files/fileList.ts';

export const pushKinds = ['text', 'url', 'qr', 'file'] as const;
export type PushKind = (typeof pushKinds)[number];

/** A push as the database stores it, read at the moment `now` of the database's clock. Times are epoch milliseconds. */
export type PushRow = {
  id: Buffer;
  accountId: Buffer | null;
  kind: PushKind;
  passphraseHash: string | null;
  name: Buffer | null;
  note: Buffer | null;
  tokenSealed: Buffer | null;
  /** Stays after the end, when the files are gone. */
  fileCount: number;
  /** The owner's notice preferences, encoded. */
  notify: number;
  deletableByViewer: boolean;
  retrievalStep: boolean;
  viewsMax: number;
  viewsUsed: number;
  createdAt: number;
  updatedAt: number;
  expiresAt: number;
  expiredOn: number | null;
  deleted: boolean;
  now: number;
};

/** A push as its creator and its viewers may see it. `name` and `note` are null for everybody but its owner. */
export type Push = {
  /** Identifies the push, and opens nothing. */
  id: string;
  urlToken: string;
  kind: PushKind;
  hasPassphrase: boolean;
  name: string | null;
  note: string | null;
  /** Empty once it has expired, and for those who may not see them. */
  files: PushFile[];
  deletableByViewer: boolean;
  retrievalStep: boolean;
  viewsMax: number;
  viewsUsed: number;
  createdAt: number;
  updatedAt: number;
  expiresAt: number;
  expiredOn: number | null;
  deleted: boolean;
  now: number;
};

/** Whether an account owns a push. Nobody owns an anonymous one. */
export function isOwner(account: Account | null, { accountId }: Pick<PushRow, 'accountId'>): boolean {
  return account !== null && accountId !== null && account.id.equals(accountId);
}

type Lifetime = Pick<PushRow, 'expiredOn' | 'expiresAt' | 'now'>;

/** When a push expired, by any limit or by hand; null while it lives. Needs no job to have noticed. */
export function expiredOn({ expiredOn, expiresAt, now }: Lifetime): number | null {
  return expiredOn ?? (expiresAt <= now ? expiresAt : null);
}

export function isExpired(push: Lifetime): boolean {
  return expiredOn(push) !== null;
}

/** Whole days that are left, rounded up while the push lives. */
export function daysRemaining(push: Lifetime): number {
  return isExpired(push) ? 0 : Math.ceil((push.expiresAt - push.now) / dayMs);
}

/** The day limit of a push as a number of days, rounded up where it was set in finer units. */
export function expireAfterDays({ expiresAt, createdAt }: Pick<PushRow, 'expiresAt' | 'createdAt'>): number {
  return Math.ceil((expiresAt - createdAt) / dayMs);
}
