import type { Database } from '../../database/database.ts';
import { isEnabled } from '../accounts/account.ts';
import { isShutOut } from '../chat/identities/accounts.ts';
import { isLinkEvent, isRecipientEvent, isRequestEvent, type NoticeEvent } from './events.ts';
import type { LeasedNotice } from './leasedNotice.ts';

type NoticeSubject = Pick<LeasedNotice, 'pushId' | 'requestId' | 'linkRequestId'>;

export type IsDeliverable = ReturnType<typeof createDeliverableCheck>;

/**
 * Whether a notice may still go out: neither the account it comes from nor the one it goes to is disabled, notices to
 * an account go to an address that still receives them, and a request to confirm can still be confirmed.
 */
export function createDeliverableCheck({ select, dialect }: Database) {
  const isRecipientOf = (accountId: string) =>
    `EXISTS (SELECT 1 FROM recipients r
       WHERE r.account_id = ${accountId} AND r.messenger = $messenger AND r.address = $address)`;
  const pushOfEnabled = `SELECT 1 FROM pushes p JOIN accounts a ON a.id = p.account_id
    WHERE p.id = $pushId AND ${isEnabled}`;
  const toEnabled = `NOT ${isShutOut('$messenger', '$address')}`;

  const queries = {
    owner: `${pushOfEnabled} AND ${isRecipientOf('p.account_id')}`,
    recipient: `${pushOfEnabled} AND ${toEnabled}`,
    request: `SELECT 1 FROM requests r WHERE r.id = $requestId
      AND NOT ${isShutOut('r.platform', 'r.requester')} AND ${toEnabled}`,
    link_requested: `SELECT 1 FROM link_requests l
      WHERE l.id = $linkRequestId AND l.state = 'open' AND l.expires_at > ${dialect.now} AND ${toEnabled}`,
    test: `SELECT 1 FROM recipients r JOIN accounts a ON a.id = r.account_id
      WHERE r.messenger = $messenger AND r.address = $address AND ${isEnabled}`,
    linked: `SELECT 1 FROM link_requests l
      WHERE l.id = $linkRequestId AND ${isRecipientOf('l.account_id')} AND ${toEnabled}`,
  };

  return async ({ event, messenger, address, ...subject }: LeasedNotice): Promise<boolean> => {
    const query = queryFor(event);
    return (await select(queries[query], { messenger, address, ...subjectOf(query, subject) })).length > 0;
  };

  function queryFor(event: NoticeEvent): keyof typeof queries {
    if (event === 'test' || isLinkEvent(event)) return event;
    if (isRequestEvent(event)) return 'request';
    return isRecipientEvent(event) ? 'recipient' : 'owner';
  }
  function subjectOf(query: keyof typeof queries, { pushId, requestId, linkRequestId }: NoticeSubject) {
    if (query === 'test') return {};
    if (query === 'request') return { requestId };
    return query === 'linked' || query === 'link_requested' ? { linkRequestId } : { pushId };
  }
}
