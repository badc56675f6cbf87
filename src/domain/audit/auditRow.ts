import type { ClientInfo } from '../people/index.ts';

/**
 * What happened to a push. `expire` is a manual expiry, `preview` a request that could have led to a view and used none,
 * `download` the download of one file. `asked_again` happens once, after the end.
 */
export const auditKinds = [
  'creation',
  'view',
  'failed_view',
  'failed_passphrase',
  'expire',
  'preview',
  'download',
  'edit',
  'asked_again',
] as const;
export type AuditKind = (typeof auditKinds)[number];

/**
 * How a view was opened: by holding the button of its page, by typing the word there, with a passphrase as well, by
 * following a link without a retrieval step, through the API, or in a browser where the code was entered that went to the
 * recipient's e-mail address.
 */
export const waysToOpen = ['hold', 'word', 'passphrase', 'link', 'api', 'code'] as const;
export type OpenedBy = (typeof waysToOpen)[number];

/** A row of the log, as it is read. */
export type AuditRow = Pick<ClientInfo, 'ip' | 'userAgent' | 'referrer'> & {
  kind: AuditKind;
  /** Of a view alone. */
  openedBy: OpenedBy | null;
  createdAt: number;
  /** How many events the row stands for, and when the last one was. Both client and texts are those of the last one. */
  times: number;
  updatedAt: number;
  /** Through whose link a view came; null for the push's own. */
  recipientId: Buffer | null;
};

/** What a client did with a push: a view has its number among those of the push, and its recipient, if any. */
export type AuditEvent = {
  pushId: Buffer;
  kind: AuditKind;
  client: ClientInfo;
  openedBy?: OpenedBy | undefined;
  viewNumber?: number;
  recipientId?: Buffer | undefined;
};
