import type { Database } from '../../database/database.ts';
import { isEnabled } from '../accounts/account.ts';
import { isShutOut } from '../chat/identities/accounts.ts';
import { isLinkEvent, isRecipientEvent, isRequestEvent, type NoticeEvent } from './events.ts';
import type { LeasedNotice } from './queue.ts';

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
    linked: `SELECT 1 FROM link_requests l
      WHERE l.id = $linkRequestId AND ${isRecipientOf('l.account_id')} AND ${toEnabled}`,
  };

  return async ({ event, messenger, address, ...subject }: LeasedNotice): Promise<boolean> => {
    const query = queryFor(event);
    const { pushId, requestId, linkRequestId } = subject;
    const id = query === 'request' ? { requestId } : isLinkEvent(event) ? { linkRequestId } : { pushId };
    return (await select(queries[query], { messenger, address, ...id })).length > 0;
  };

  function queryFor(event: NoticeEvent): keyof typeof queries {
    if (isLinkEvent(event)) return event;
    if (isRequestEvent(event)) return 'request';
    return isRecipientEvent(event) ? 'recipient' : 'owner';
  }
}
