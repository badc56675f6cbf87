import { column, nullable, primaryKey, type RowOf, references, table } from '../../database/table.ts';
import type { Platform } from '../people/index.ts';

export type RequestState = 'open' | 'provided' | 'declined' | 'cancelled' | 'undelivered' | 'expired';

export const requestsTable = table('requests', {
  id: primaryKey(column.bytes),
  groupId: column.bytes,
  platform: column.textOf<Platform>(),
  requester: column.text,
  provider: column.text,
  workspace: column.text,
  reason: nullable(column.sealed({ field: 'reason' })),
  state: column.textOf<RequestState>(),
  createdAt: column.integer,
  expiresAt: column.integer,
  /** When a job has something to do with an open request. */
  dueAt: nullable(column.integer),
});

export type RequestRow = Omit<RowOf<typeof requestsTable>, 'dueAt'>;

/** What a link takes: a text, files, or a text with files. */
export const acceptedAnswers = ['text', 'files', 'both'] as const;
export type AcceptedAnswers = (typeof acceptedAnswers)[number];

export const requestLinksTable = table('request_links', {
  id: primaryKey(column.bytes),
  tokenDigest: column.bytes,
  accountId: references('accounts', { followsMerge: true }),
  label: column.sealed({ field: 'request_link' }),
  passphraseHash: nullable(column.text),
  accepts: column.textOf<AcceptedAnswers>(),
  /** Of all files of an answer together; null if only the operator's limits apply. */
  bytesMax: nullable(column.integer),
  allowsName: column.flag,
  answersMax: column.integer,
  answersUsed: column.integer,
  /** How long an answer waits to be opened. */
  answerLifetimeMs: column.integer,
  createdAt: column.integer,
  expiresAt: column.integer,
  closedAt: nullable(column.integer),
  purgeAt: column.integer,
});

export type RequestLinkRow = RowOf<typeof requestLinksTable>;

export const requestAnswersTable = table('request_answers', {
  id: primaryKey(column.bytes),
  linkId: references('request_links'),
  pushId: references('pushes'),
  /** The HMAC of what every form that was handed out has once. */
  sentDigest: column.bytes,
  label: column.sealed({ field: 'request_answer' }),
  /** Of an answer that was encrypted before it was sent. */
  sealedKey: nullable(column.sealed({ field: 'request_answer_key' })),
  createdAt: column.integer,
});
