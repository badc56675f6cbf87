import { toId } from '../../crypto/ids.ts';
import type { Tx } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import { maybeMailAddress } from '../../mailAddress.ts';
import { mailMessenger } from '../mail/index.ts';
import type { Account } from '../people/index.ts';
import { isMailAllowed } from './create/recipientFields.ts';
import type { PushDependencies } from './dependencies.ts';
import { isLive, pushNotFound } from './push.ts';
import type { Invitation } from './reserveViews.ts';

export type MailRecipients = ReturnType<typeof createMailRecipients>;

/** Recipients who are known by an e-mail address, where there is a mail server. */
export function createMailRecipients(dependencies: PushDependencies) {
  const { database, limits, outbox, mailAddresses, pushRecipients, settings } = dependencies;
  const { transaction, dialect } = database;
  const isOn = settings.mailDomains !== null;

  /**
   * Counts the mails to those recipients of an input who are e-mail addresses. Throws `too_many`, and `invalid` (`field`) for an address
   * where mails may not go, or that has had too many.
   */
  async function admit({ id }: Account, recipients: string[], field = 'recipients'): Promise<void> {
    const domains = settings.mailDomains ?? [];
    for (const email of isOn ? recipients.filter(maybeMailAddress) : []) {
      if (!isMailAllowed(email, domains))
        throw new DomainError('invalid', {
          problems: { [field]: [{ code: 'mailDomain', values: domains }] },
        });
      await limits.consume('accountMail', { account: id });
      await limits.consume('linkMail', { email: email.toLowerCase() }).catch((error) => {
        throw isTooMany(error)
          ? new DomainError('invalid', {
              problems: { [field]: [{ code: 'mailedTooOften', address: email }] },
            })
          : error;
      });
    }
  }

  /** The recipients of an input: those who are e-mail addresses get a mail in the language of the sender, or else in `locale`. */
  async function toInvitations(
    { id }: Account,
    recipients: string[],
    { needsCode, locale = null }: { needsCode: boolean; locale?: string | null },
    tx: Tx,
  ): Promise<Invitation[]> {
    if (!isOn || !recipients.some(maybeMailAddress)) return recipients.map((label) => ({ label }));
    const [sender] = await tx.select<{ locale: string | null }>(
      'SELECT locale FROM accounts WHERE id = $id',
      {
        id,
      },
    );
    const invitations: Invitation[] = [];
    for (const text of recipients) {
      const email = maybeMailAddress(text);
      if (email === undefined) invitations.push({ label: text });
      else {
        const { address } = await mailAddresses.save(email, sender?.locale ?? locale, tx);
        invitations.push({ email, needsCode, address });
      }
    }
    return invitations;
  }

  /**
   * Sends a recipient of an account's push, named by id or e-mail address, the mail with their link again. Throws `not_found` once the push has ended, for those
   * who are not known by an e-mail address, and who have used all their views; and like `admit`.
   */
  async function sendAgain(account: Account, pushId: string, recipient: string): Promise<void> {
    const { email, ...ids } = await requireMailed(pushId, recipient);
    if (email === null) throw pushNotFound();
    await transaction((tx) => lock(account, ids, tx)); // so that nobody counts against the limits of others
    await admit(account, [email]);
    await transaction(async (tx) => {
      await lock(account, ids, tx);
      const to = await mailAddresses.save(email, null, tx);
      await outbox.send('reminded', ids.pushId, [to], tx);
    });
  }

  /**
   * Ends the link of a recipient who is known by an e-mail address, and gives their views back to the push. Who has opened it
   * stays in its list. Throws like `sendAgain`.
   */
  async function withdrawRecipient(account: Account, pushId: string, recipient: string): Promise<void> {
    const ids = await requireMailed(pushId, recipient);
    await transaction(async (tx) => {
      const { viewsLeft, viewsUsed } = await lock(account, ids, tx);
      const release = 'UPDATE pushes SET views_reserved = views_reserved - $viewsLeft WHERE id = $pushId';
      await tx.execute(release, { pushId: ids.pushId, viewsLeft });
      const end =
        viewsUsed === 0 ? 'DELETE FROM push_recipients' : 'UPDATE push_recipients SET views_max = views_used';
      await tx.execute(`${end} WHERE id = $recipientId`, { recipientId: ids.recipientId });
    });
  }

  /** A recipient by mail of a push, named by id or e-mail address, which is null if it cannot be decrypted. */
  async function requireMailed(push: string, recipient: string) {
    const pushId = toId(push);
    const mailed = (await pushRecipients.ofPush(pushId)).filter(({ mail }) => mail !== undefined);
    const named = (maybeMailAddress(recipient) ?? recipient).toLowerCase();
    const found = mailed.find(({ id, name }) => id === recipient || name?.toLowerCase() === named);
    if (found === undefined) throw pushNotFound();
    return { pushId, recipientId: Buffer.from(found.id, 'hex'), email: found.name };
  }

  /** Locks a recipient by mail of a live push of an account, with views left, and then the push, as views do. */
  async function lock(
    { id: accountId }: Account,
    { pushId, recipientId }: { pushId: Buffer; recipientId: Buffer },
    tx: Tx,
  ) {
    const [row] = await tx.select<{ viewsMax: number; viewsUsed: number }>(
      `SELECT r.views_max AS viewsMax, r.views_used AS viewsUsed FROM push_recipients r JOIN pushes p ON p.id = r.push_id
       WHERE r.id = $recipientId AND p.id = $pushId AND p.account_id = $accountId AND r.platform = '${mailMessenger}'
         AND r.views_used < r.views_max AND ${isLive(dialect.now, 'p.')} ${dialect.forUpdate}`,
      { pushId, recipientId, accountId },
    );
    if (row === undefined) throw pushNotFound();
    return { viewsLeft: row.viewsMax - row.viewsUsed, viewsUsed: row.viewsUsed };
  }

  return { admit, toInvitations, sendAgain, withdrawRecipient };
}

const isTooMany = (error: unknown) => error instanceof DomainError && error.code === 'too_many';
