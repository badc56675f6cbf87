import type { MailEvent } from '../../outbox/index.ts';
import type { AccountLinkDependencies, PasswordLinks } from '../passwordLinks.ts';
import { type AccountRow, accountsTable } from '../tables.ts';

/** The mails that bring a link. */
export type LinkMailEvent = Exclude<MailEvent, 'security' | 'request_link'>;

/** What a link does that was mailed to `to`. `account` is the id of the account that has the address `from`, in hexadecimal. */
export type VerifyContext = { account: string; from: string; to: string };

export type SignUpContext = { email: string };

/** A link for whoever reads the mails to an address; null where they have an account already. `account` is its address. */
export type LinkMail = { account: string; address: string; token: string | null };

type Holder = Pick<AccountRow, 'id' | 'email' | 'passwordHash' | 'emailVerifiedAt' | 'disabledAt'> | null;

/**
 * Decides what mails say, when they are due. Each attempt creates a link of its own, so that none waits in the outbox; all of them
 * end with the first that is used, or by themselves.
 */
export function createMailReading({
  database,
  links,
  mailAddresses,
  createForMail,
}: AccountLinkDependencies & Pick<PasswordLinks, 'createForMail'>) {
  const AccountModel = database.model(accountsTable);

  /** Undefined if there is nothing to say: no account, or one that is disabled, or has not confirmed its address. */
  return async function readMail(
    event: LinkMailEvent,
    noticeAddress: string,
    accountId: Buffer | null,
  ): Promise<LinkMail | undefined> {
    const recipient = await mailAddresses.maybeFind(noticeAddress);
    if (recipient === undefined) return undefined;
    const address = recipient.address.toLowerCase();
    const holder: Holder = await AccountModel.findOne({ where: { email: address } });
    if (holder?.disabledAt != null) return undefined;
    if (event === 'sign_up') return { account: address, address, token: await maybeSignUp(address, holder) };
    if (event === 'password_reset') return readReset(address, holder);
    if (accountId === null) return undefined;
    if (event === 'invited') return readInvitation(address, holder, accountId);
    return readVerification(address, holder, accountId);
  };

  async function maybeSignUp(email: string, holder: Holder): Promise<string | null> {
    return holder === null ? links.create('signUp', { email } satisfies SignUpContext) : null;
  }

  async function readReset(address: string, holder: Holder): Promise<LinkMail | undefined> {
    if (holder === null || holder.emailVerifiedAt === null) return undefined;
    return { account: address, address, token: await createForMail('reset', holder) };
  }

  /** Nothing of an invitation is left once the account has a password, or another address. */
  async function readInvitation(
    address: string,
    holder: Holder,
    accountId: Buffer,
  ): Promise<LinkMail | undefined> {
    if (holder === null || holder.passwordHash !== null || !holder.id.equals(accountId)) return undefined;
    return { account: address, address, token: await createForMail('invite', holder) };
  }

  /** Nothing goes to an address that another account has. */
  async function readVerification(
    to: string,
    holder: Holder,
    accountId: Buffer,
  ): Promise<LinkMail | undefined> {
    const account = await AccountModel.findByPk(accountId);
    if (account === null || account.disabledAt !== null) return undefined;
    if (holder !== null && !holder.id.equals(account.id)) return undefined;
    const context: VerifyContext = { account: account.id.toString('hex'), from: account.email, to };
    return { account: account.email, address: to, token: await links.create('verify', context) };
  }
}
