import type { OpenedBy } from '../audit/auditRow.ts';
import type { ClientInfo } from '../client.ts';
import type { PushRow } from './push.ts';
import type { LinkedRow } from './recipientLink.ts';
import type { RevealNonce } from './spentNonces.ts';

/** A view that is to be counted. */
export type View = {
  outcome: 'counted';
  /** The push as it was read, and as it appears through the link of the view. */
  push: PushRow;
  link: LinkedRow;
  /** How many views of the push are used, with this one, and how many of its recipient, if it has one. */
  viewsUsed: number;
  recipientViewsUsed: number;
  /** The push's own. */
  urlToken: string;
  payload: string;
  filesKey: Buffer | null;
  client: ClientInfo;
  openedBy?: OpenedBy | undefined;
  nonce?: RevealNonce | undefined;
};
