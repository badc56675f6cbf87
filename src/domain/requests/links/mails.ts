import { maybeId } from '../../../crypto/ids.ts';
import { sealedFragment } from '../../../crypto/tokens.ts';
import type { Tx } from '../../../database/database.ts';
import { DomainError } from '../../../errors.ts';
import { isBlank } from '../../base/index.ts';
import { mailMessenger } from '../../mail/index.ts';
import { type Account, isEnabled, type ListCaller, seesLinks } from '../../people/index.ts';
import type { MailState } from '../../pushes/index.ts';
import { createLinkReader, type RequestLinkDependencies, stateOf, toRequestLink } from './link.ts';
import { type Asker, createAskerReader } from './preview.ts';

/** What the mail with a request link needs. */
export type MailedRequestLink = {
  urlToken: string;
  /** What a sealed link has after its token: the promise of its keys, with `#`; else empty. */
  fragment: string;
  asker: Asker;
  expiresAt: number;
};

/** An address that got a request link in a mail, and what became of that; for a week. */
export type MailedAddress = { address: string; state: NonNullable<MailState> };

type MailedRow = { address: string; sentAt: number | null; endedAt: number | null; reason: string | null };

/** Sends request links by mail. They are in no mail that waits: it is read when it leaves. */
export function createRequestLinkMails(dependencies: RequestLinkDependencies) {
  const { database, keyring, outbox, mailAddresses, pushes, settings } = dependencies;
  const { select } = database;
  const isOn = settings.pushes.mailDomains !== null;
  const read = createLinkReader(database);
  const askerOf = createAskerReader(database);

  /**
   * The addresses of a validated input, whose mails are counted. Throws `forbidden` if there are some and no mail server, `too_many`, and
   * `invalid` (field `to`) for an address that has had too many.
   */
  async function admit(account: Account, input: unknown, parsed: { to?: unknown }): Promise<string[]> {
    if (!isOn) {
      const { to } = input as { to?: unknown };
      if (!isBlank(to) && !(Array.isArray(to) && to.length === 0))
        throw new DomainError('forbidden', 'mailOff');
    }
    const to: string[] = Array.isArray(parsed.to) ? parsed.to : [];
    await pushes.admitMails(account, to, 'to');
    return to;
  }

  /** Writes the mails with a link, in the transaction that creates it. They are in the language of the account. */
  async function send({ id: linkId, accountId }: { id: Buffer; accountId: Buffer }, to: string[], tx: Tx) {
    if (to.length === 0) return;
    const [asker] = await tx.select<{ locale: string | null }>('SELECT locale FROM accounts WHERE id = $id', {
      id: accountId,
    });
    for (const email of to) {
      const { address } = await mailAddresses.save(email, asker?.locale ?? null, tx);
      await outbox.sendMail('request_link', address, linkId, tx);
    }
  }

  /** Undefined once the link takes no more answers, or its account is disabled. */
  async function maybeMailed(linkId: Buffer): Promise<MailedRequestLink | undefined> {
    const [row] = await read('id = $linkId', { linkId });
    if (row === undefined || stateOf(row) !== 'open') return undefined;
    const [account] = await select<{ email: string; signedUp: number }>(
      `SELECT a.email, a.signed_up AS signedUp FROM accounts a WHERE a.id = $id AND ${isEnabled}`,
      { id: row.accountId },
    );
    const { urlToken, publicKeys } = toRequestLink(keyring, row);
    if (account === undefined || urlToken === null) return undefined;
    const fragment = publicKeys === null ? '' : `#${sealedFragment(publicKeys)}`;
    return { urlToken, fragment, asker: await askerOf(account), expiresAt: row.expiresAt };
  }

  /** What became of the mails with a link of the caller's, for one who may see links. */
  async function mailedTo(caller: ListCaller, link: string): Promise<MailedAddress[]> {
    const linkId = maybeId(link);
    if (!isOn || linkId === null || !seesLinks(caller)) return [];
    const rows = await select<MailedRow>(
      `SELECT m.address, n.sent_at AS sentAt, n.ended_at AS endedAt, n.last_problem AS reason
       FROM notices n JOIN mail_addresses m ON LOWER(HEX(m.id)) = n.address
       WHERE n.subject_id = $linkId AND n.event = 'request_link' AND n.messenger = '${mailMessenger}'
       ORDER BY m.address`,
      { linkId },
    );
    return rows.map(({ address, ...row }) => ({ address, state: stateOfMail(row) }));
  }

  return { admit, send, maybeMailed, mailedTo };
}

function stateOfMail({ sentAt, endedAt, reason }: Omit<MailedRow, 'address'>): NonNullable<MailState> {
  if (sentAt !== null) return { is: 'handedOver', reason: null };
  return { is: endedAt === null ? 'waiting' : 'refused', reason };
}
