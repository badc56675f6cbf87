import { z } from 'zod';
import { DomainError } from '../../../errors.ts';
import { asMessage, parseInput } from '../../base/index.ts';
import { type ClientInfo, maybeChatUserOf } from '../../people/index.ts';
import { accountSchema } from '../accountSchema.ts';
import type { AccountLinkDependencies } from '../passwordLinks.ts';
import type { SignedIn } from '../sessions.ts';
import type { LinkMailEvent } from './reading.ts';

/** Who asks for a mail, and in which language they read. */
type MailAsker = { client: ClientInfo; locale: string };

const addressSchema = z
  .object({ email: z.string(asMessage({ code: 'text' })) })
  .pipe(accountSchema.pick({ email: true }));

/**
 * Asks for links by mail. What anybody asks for an address is written down whether or not there is an account, and looked at when
 * the mail is due, so that neither the answer nor its time tells.
 */
export function createMailAsking(dependencies: AccountLinkDependencies) {
  const { database, outbox, mailAddresses, limits, stepUp, securityLog, settings, mail } = dependencies;

  function requireMail(isOffered: boolean): void {
    if (!mail.isOn || !isOffered) throw new DomainError('forbidden', 'mailOff');
  }

  async function ask(event: LinkMailEvent, text: string, { client, locale }: MailAsker): Promise<void> {
    const { email } = parseInput(addressSchema, { email: text });
    await limits.consume('askedMail', { client, email });
    await database.transaction(async (tx) => {
      const { address } = await mailAddresses.save(email, locale, tx);
      await outbox.sendMail(event, address, null, tx);
    });
  }

  /**
   * Sends a link for a new password, if an account has this address and has shown that it reads its mails. Throws `invalid` for no
   * address, `too_many`, and `forbidden` where it is not offered.
   */
  async function askForReset(email: string, asker: MailAsker): Promise<void> {
    requireMail(settings.allowPasswords);
    await ask('password_reset', email, asker);
  }

  /** Sends a link that creates an account; where the address has one, the mail says so. Throws like `askForReset`. */
  async function askForSignUp(email: string, asker: MailAsker): Promise<void> {
    requireMail(settings.signUp === 'verified' && settings.allowSignUp && settings.allowPasswords);
    await ask('sign_up', email, asker);
  }

  /**
   * Sends a link to an address of an account: its own, or one that it wants to have from then on, of which its own is told. For
   * another address, refuses whoever has not signed in just now. Throws like `askForReset`.
   */
  async function askForAddress(
    account: SignedIn,
    text: string,
    { client, locale }: MailAsker,
  ): Promise<void> {
    requireMail(maybeChatUserOf(account.email) === undefined);
    const { email } = parseInput(addressSchema, { email: text });
    const isOther = email !== account.email;
    if (isOther) await stepUp.requireFresh(account);
    await limits.consume('askedMail', { client, email });
    await limits.consume('accountMail', { account: account.id });
    await database.transaction(async (tx) => {
      const { address } = await mailAddresses.save(email, locale, tx);
      await outbox.sendMail('verify_address', address, account.id, tx);
      if (isOther)
        await securityLog.record({ kind: 'address_requested', account, detail: email, client }, tx);
    });
  }

  return { askForReset, askForSignUp, askForAddress };
}
