import type { Database } from '../../database/database.ts';
import {
  isAccountEvent,
  isLinkEvent,
  isMailEvent,
  isRecipientEvent,
  isRequestEvent,
  type MailEvent,
  type NoticeEvent,
} from '../outbox/index.ts';
import { isEnabled, isShutOut } from '../people/index.ts';
import type { LeasedNotice } from './queue.ts';

type NoticeSubject = Pick<LeasedNotice, 'pushId' | 'requestId' | 'linkRequestId' | 'actId'>;

export type IsDeliverable = ReturnType<typeof createDeliverableCheck>;

/**
 * Whether a notice may still go out: neither the account it comes from nor the one it goes to is disabled, notices to
 * an account go to an address that still receives them, and a request to confirm can still be confirmed. Of what was
 * done to an account, it is told even if that disabled or deleted it. Mails were looked at when they were read.
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
    account_act: `SELECT 1 FROM account_acts c WHERE c.id = $actId
      AND (c.kind = 'deleted' OR ${isRecipientOf('c.account_id')})`,
    new_browser: `SELECT 1 FROM security_events s WHERE s.id = $actId AND ${isRecipientOf('s.account_id')}`,
    linked: `SELECT 1 FROM link_requests l
      WHERE l.id = $linkRequestId AND ${isRecipientOf('l.account_id')} AND ${toEnabled}`,
  };

  return async ({ event, messenger, address, ...subject }: LeasedNotice): Promise<boolean> => {
    if (isMailEvent(event)) return true;
    const query = queryFor(event);
    return (await select(queries[query], { messenger, address, ...subjectOf(query, subject) })).length > 0;
  };

  function queryFor(event: Exclude<NoticeEvent, MailEvent>): keyof typeof queries {
    if (event === 'test' || isAccountEvent(event) || isLinkEvent(event)) return event;
    if (isRequestEvent(event)) return 'request';
    return isRecipientEvent(event) ? 'recipient' : 'owner';
  }
  function subjectOf(
    query: keyof typeof queries,
    { pushId, requestId, linkRequestId, actId }: NoticeSubject,
  ) {
    if (query === 'test') return {};
    if (query === 'request') return { requestId };
    if (query === 'account_act' || query === 'new_browser') return { actId };
    return query === 'linked' || query === 'link_requested' ? { linkRequestId } : { pushId };
  }
}
