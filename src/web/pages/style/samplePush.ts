import type { ListedPush } from '../../../domain/index.ts';
import { dayMs } from '../../../time.ts';

/** A push that nobody has opened. */
export const samplePush = (now: number): ListedPush => ({
  id: '1',
  urlToken: '0123456789abcdefghjkmnpqrs',
  kind: 'text',
  encrypted: false,
  hasPassphrase: false,
  name: 'VPN for Bob',
  note: null,
  files: [],
  recipients: [],
  isReserved: false,
  deletableByViewer: true,
  retrievalStep: true,
  viewsMax: 3,
  viewsUsed: 0,
  createdAt: now,
  updatedAt: now,
  expiresAt: now + 7 * dayMs,
  extensionMs: 0,
  expiredOn: null,
  deleted: false,
  isUnreadable: false,
  now,
});
