import { idOfName, toId } from '../../crypto/ids.ts';
import type { Database, Tx } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import { maybeMailAddress } from '../../mailAddress.ts';
import { dayMs } from '../../time.ts';
import type { NoticeAddress } from '../people/index.ts';

/** The messenger that delivers notices as mails. */
export const mailMessenger = 'mail' as const;

/**
 * An e-mail address for a mail that is sent now. `locale` is the language of its account, or of whoever entered it. `isRefused`: the
 * mail server has refused the last mail to it for good.
 */
type MailRecipient = { address: string; locale: string | null; isRefused: number };

/** What the mail server said when it last refused a mail to an address for good, and when, in epoch milliseconds. */
export type MailRefusal = { refusal: string; refusedAt: number };

/** An address that nothing refers to stays for a day: it may have been saved for a notice that is being written. */
const unusedMs = dayMs;
const refusalMax = 200;

/**
 * Where notices reach an e-mail address. Upper and lower case are one address. Throws `invalid` (field `email`) for a text that
 * is none.
 */
export function mailRecipientOf(text: string): NoticeAddress {
  return { messenger: mailMessenger, address: idOf(requireMailAddress(text)).toString('hex') };
}

/** An e-mail address as it is stored. Throws `invalid` (field `email`) for a text that is none. */
function requireMailAddress(text: string): string {
  const address = maybeMailAddress(text);
  if (address === undefined) throw new DomainError('invalid', { problems: { email: [{ code: 'email' }] } });
  return address;
}

const idOf = (address: string): Buffer => idOfName(`mail ${address.toLowerCase()}`);

export type MailAddresses = ReturnType<typeof createMailAddresses>;

/** The e-mail addresses that notices go to, and what the mail server said of them. */
export function createMailAddresses({ select, execute, dialect }: Database) {
  /**
   * Saves an address, in the transaction that writes a notice for it or a recipient. `locale` is the language of whoever entered
   * it. Returns where notices reach it. Throws like `mailRecipientOf`.
   */
  async function save(text: string, locale: string | null, tx: Tx): Promise<NoticeAddress> {
    const address = requireMailAddress(text);
    await tx.execute(
      `INSERT INTO mail_addresses (id, address, locale, created_at) VALUES ($id, $address, $locale, ${dialect.now})
       ${dialect.onConflict('id', ['created_at'], `locale = COALESCE(${dialect.excluded('locale')}, mail_addresses.locale)`)}`,
      { id: idOf(address), address, locale },
    );
    return mailRecipientOf(address);
  }

  /** The e-mail address behind the address of a notice. Undefined once it is forgotten. */
  async function maybeFind(noticeAddress: string): Promise<MailRecipient | undefined> {
    const [found] = await select<MailRecipient>(
      `SELECT m.address, COALESCE(a.locale, m.locale) AS locale, m.refused_at IS NOT NULL AS isRefused
       FROM mail_addresses m LEFT JOIN accounts a ON a.email = LOWER(m.address) WHERE m.id = $id`,
      { id: toId(noticeAddress) },
    );
    return found;
  }

  /** Remembers that the mail server refused a mail to an address for good, and what it said. */
  async function recordRefusal(noticeAddress: string, refusal: string): Promise<void> {
    await execute(
      `UPDATE mail_addresses SET refused_at = ${dialect.now}, refusal = $refusal WHERE id = $id`,
      { id: Buffer.from(noticeAddress, 'hex'), refusal: [...refusal].slice(0, refusalMax).join('') },
    );
  }

  /** Forgets a refusal: the mail server has taken a mail since. */
  async function clearRefusal(noticeAddress: string): Promise<void> {
    await execute('UPDATE mail_addresses SET refused_at = NULL, refusal = NULL WHERE id = $id', {
      id: Buffer.from(noticeAddress, 'hex'),
    });
  }

  async function maybeRefusal(text: string): Promise<MailRefusal | undefined> {
    const [found] = await select<MailRefusal>(
      'SELECT refusal, refused_at AS refusedAt FROM mail_addresses WHERE id = $id AND refused_at IS NOT NULL',
      { id: idOf(requireMailAddress(text)) },
    );
    return found;
  }

  /** What the mail server said of each address that it has refused in the last week, of ten thousand at most, the last first. */
  async function recentRefusals(): Promise<string[]> {
    const found = await select<Pick<MailRefusal, 'refusal'>>(
      `SELECT refusal FROM mail_addresses WHERE refused_at > ${dialect.now} - ${7 * dayMs}
       ORDER BY refused_at DESC LIMIT 10000`,
      {},
    );
    return found.map(({ refusal }) => refusal);
  }

  /** Deletes addresses that no account has, and for which no notice is left. */
  async function purge(): Promise<void> {
    await execute(
      `DELETE FROM mail_addresses WHERE created_at < ${dialect.now} - ${unusedMs}
         AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.email = LOWER(mail_addresses.address))
         AND NOT EXISTS (SELECT 1 FROM notices n
           WHERE n.messenger = '${mailMessenger}' AND n.address = LOWER(HEX(mail_addresses.id)))`,
      {},
    );
  }

  return { save, maybeFind, recordRefusal, clearRefusal, maybeRefusal, recentRefusals, purge };
}
