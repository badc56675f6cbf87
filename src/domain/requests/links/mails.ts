import { toId } from '../../../crypto/ids.ts';
import { sealedFragment } from '../../../crypto/tokens.ts';
import type { Tx } from '../../../database/database.ts';
import { DomainError } from '../../../errors.ts';
import { maybeMailAddress } from '../../../mailAddress.ts';
import { isBlank } from '../../base/index.ts';
import { type MailOutcome, type MailState, mailMessenger, mailStateOf } from '../../mail/index.ts';
import { type Account, isEnabled, type ListCaller, seesLinks } from '../../people/index.ts';
import {
  createLinkReader,
  isOpenLink,
  linkNotFound,
  type RequestLinkDependencies,
  stateOf,
  toRequestLink,
} from './link.ts';
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

type MailedRow = MailOutcome & { address: string };

/** Sends request links by mail. They are in no mail that waits: it is read when it leaves. */
export function createRequestLinkMails(dependencies: RequestLinkDependencies) {
  const { database, keyring, outbox, mailAddresses, pushes, settings } = dependencies;
  const { select, transaction, dialect } = database;
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

  /** Writes the mails with a link, in the transaction that creates it. They are in the language of the account, or else in `locale`. */
  async function send(
    { id: linkId, accountId }: { id: Buffer; accountId: Buffer },
    { to, locale }: { to: string[]; locale: string | null },
    tx: Tx,
  ): Promise<void> {
    if (to.length === 0) return;
    const [asker] = await tx.select<{ locale: string | null }>('SELECT locale FROM accounts WHERE id = $id', {
      id: accountId,
    });
    for (const email of to) {
      const { address } = await mailAddresses.save(email, asker?.locale ?? locale, tx);
      await outbox.sendMail('request_link', address, linkId, tx);
    }
  }

  /**
   * Sends an address that a link went to the mail again. Throws `not_found` for other addresses, once the link takes no more
   * answers, and once its mails are forgotten; and like `admit`.
   */
  async function sendAgain(account: Account, link: string, address: string): Promise<void> {
    const linkId = toId(link);
    const named = (maybeMailAddress(address) ?? address).toLowerCase();
    const mailed = await mailedTo({ account }, link);
    const found = mailed.find((each) => each.address.toLowerCase() === named);
    if (found === undefined) throw linkNotFound();
    const lock = async (tx: Tx) => {
      const open = `SELECT 1 FROM request_links WHERE id = $linkId AND account_id = $accountId AND ${isOpenLink(dialect.now)}`;
      const [row] = await tx.select(`${open} ${dialect.forUpdate}`, { linkId, accountId: account.id });
      if (row === undefined) throw linkNotFound();
    };
    await transaction(lock); // so that no link that has ended counts against the limits
    await pushes.admitMails(account, [found.address], 'to');
    await transaction(async (tx) => {
      await lock(tx);
      await send({ id: linkId, accountId: account.id }, { to: [found.address], locale: null }, tx);
    });
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

  /** What became of the last mail to each address that a link of the caller's went to, for one who may see links. */
  async function mailedTo(caller: ListCaller, link: string): Promise<MailedAddress[]> {
    if (!isOn || !seesLinks(caller)) return [];
    const rows = await select<MailedRow>(
      `SELECT m.address, n.sent_at AS sentAt, n.ended_at AS endedAt, n.last_problem AS reason
       FROM notices n JOIN mail_addresses m ON LOWER(HEX(m.id)) = n.address
       JOIN request_links l ON l.id = n.subject_id AND l.account_id = $accountId
       WHERE n.subject_id = $linkId AND n.event = 'request_link' AND n.messenger = '${mailMessenger}'
       ORDER BY m.address, n.created_at, n.id`,
      { linkId: toId(link), accountId: caller.account.id },
    );
    const last = new Map(rows.map((row) => [row.address, row]));
    return [...last.values()].map(({ address, ...row }) => ({ address, state: mailStateOf(row) }));
  }

  return { admit, send, sendAgain, maybeMailed, mailedTo };
}
