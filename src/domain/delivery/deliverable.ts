import type { Database } from '../../database/database.ts';
import { mailMessenger } from '../mail/index.ts';
import {
  encodeTypes,
  isAccountEvent,
  isLinkEvent,
  isMailEvent,
  isOwnerEvent,
  isRecipientEvent,
  isRequestEvent,
  type MailEvent,
  type NoticeEvent,
  type OwnerEvent,
  ownerEvents,
} from '../outbox/index.ts';
import { isEnabled, isShutOut } from '../people/index.ts';
import type { LeasedNotice } from './queue.ts';

type NoticeSubject = Pick<LeasedNotice, 'pushId' | 'requestId' | 'linkRequestId' | 'actId'>;

export type DeliverableCheck = ReturnType<typeof createDeliverableCheck>;

/** Why a notice does not go out, as it is stored. */
const reasons = {
  shutOut: 'unlinked, or the account is disabled',
  unwanted: 'no longer chosen',
  told: 'the mail about the last view says it',
} as const;

/**
 * Whether a notice may still go out: neither the account it comes from nor the one it goes to is disabled, notices to
 * an account go to an address that still receives them, and a request to confirm can still be confirmed. Of what was
 * done to an account, it is told even if that disabled or deleted it. Other mails were looked at when they were read.
 * Returns why not, or undefined.
 */
export function createDeliverableCheck({ select, dialect }: Database) {
  const isRecipientOf = (accountId: string) =>
    `EXISTS (SELECT 1 FROM recipients r
       WHERE r.account_id = ${accountId} AND r.messenger = $messenger AND r.address = $address)`;
  const fromEnabled = `FROM pushes p JOIN accounts a ON a.id = p.account_id
    WHERE p.id = $pushId AND ${isEnabled}`;
  const pushOfEnabled = `SELECT 1 ${fromEnabled}`;
  const toEnabled = `NOT ${isShutOut('$messenger', '$address')}`;

  /** A mailbox gets no more of what its account has stopped meanwhile, and of a last view one mail. */
  const ownerByMail = `SELECT EXISTS (SELECT 1 FROM recipients r
      WHERE r.account_id = p.account_id AND r.messenger = $messenger AND r.address = $address
        AND (r.types IS NULL OR INSTR(r.types, $type) > 0)) AS isWanted,
    EXISTS (SELECT 1 FROM notices v
      WHERE $event = 'expired_by_views' AND v.push_id = p.id AND v.event = 'viewed'
        AND v.messenger = $messenger AND v.address = $address AND v.views_used >= $viewsUsed) AS isTold
    ${fromEnabled}`;

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

  return async (notice: LeasedNotice): Promise<string | undefined> => {
    const { event, messenger, address } = notice;
    if (isMailEvent(event)) return undefined;
    if (messenger === mailMessenger && isOwnerEvent(event)) return checkOwnerMail(notice, event);
    const query = queryFor(event);
    const found = await select(queries[query], { messenger, address, ...subjectOf(query, notice) });
    return found.length > 0 ? undefined : reasons.shutOut;
  };

  async function checkOwnerMail({ messenger, address, pushId, viewsUsed }: LeasedNotice, event: OwnerEvent) {
    const type = encodeTypes([ownerEvents[event].type]);
    const binds = { messenger, address, pushId, event, type, viewsUsed };
    const [found] = await select<{ isWanted: number; isTold: number }>(ownerByMail, binds);
    if (found === undefined) return reasons.shutOut;
    if (!found.isWanted) return reasons.unwanted;
    return found.isTold ? reasons.told : undefined;
  }

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
