import { maybeId } from '../../crypto/ids.ts';
import type { AuditRow } from '../audit/index.ts';
import type { ClientInfo } from '../people/index.ts';
import type { AuditEntry } from './auditLog.ts';
import type { PushDependencies } from './dependencies.ts';
import type { Expiration } from './expire.ts';
import type { ListedPush, Push } from './push.ts';
import type { PushRow } from './tables.ts';

/** What the creator of an anonymous push sees of it. Without its link, since whoever has the token may not open it. */
export type AnonymousStatus = { push: ListedPush; log: AuditEntry[] };

/**
 * Lets whoever created a push without an account follow it, and end it, by a token: the id of the push and its signature.
 * Nothing of the token is stored. It lives as long as the row of the push, and opens no secret.
 */
export function createStatus({
  audit,
  finder,
  signing,
  expireRow,
}: PushDependencies & Pick<Expiration, 'expireRow'>) {
  /** The token of an anonymous push, for its creator alone. That of an account's push opens nothing. */
  const statusToken = ({ id }: Pick<Push, 'id'>): string => `${id}.${signing.sign('status', id)}`;

  /** The push, and one page of its log without addresses. Throws `not_found`, and counts that as a guess. */
  async function status(token: string, page: number, client: ClientInfo): Promise<AnonymousStatus> {
    const row = await requireRow(token, client);
    const log = await audit.page(row.id, page);
    return { push: finder.presentRow(row), log: log.map(withoutAddresses) };
  }

  /** Expires the push now. A second call changes nothing. Throws like `status`. */
  async function expireByStatus(token: string, client: ClientInfo): Promise<void> {
    await expireRow(await requireRow(token, client), 'burned', client);
  }

  async function requireRow(token: string, client: ClientInfo): Promise<PushRow> {
    const [id = '', signature = ''] = token.split('.');
    const pushId = signing.isSigned(signature, 'status', id) ? maybeId(id) : null;
    return (pushId && (await finder.maybeAnonymous(pushId))) ?? finder.refuseUnknown(client);
  }

  return { statusToken, status, expireByStatus };
}

/** Omits the viewers' addresses, because anyone can create such a link. */
function withoutAddresses({ recipientId: _, ...row }: AuditRow): AuditEntry {
  return { ...row, ip: '', referrer: '', recipient: null, place: null };
}
