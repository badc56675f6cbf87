import type { Signing } from '../../crypto/signing.ts';
import { digestOf } from '../../crypto/tokens.ts';
import { DomainError } from '../../errors.ts';
import { type MailSwitch, parseInput } from '../base/index.ts';
import type { MailAddresses } from '../mail/index.ts';
import type { Outbox } from '../outbox/index.ts';
import { type Account, type ClientInfo, maybeChatUserOf } from '../people/index.ts';
import { toAccount } from './account.ts';
import { newPasswordSchema, normalizeEmail } from './accountSchema.ts';
import type { Actor } from './acts.ts';
import { sessionIn } from './factors/secondStep.ts';
import type { MarkVerified } from './mail/verified.ts';
import type { SignInMethod } from './security/signInMethod.ts';
import type { SignInDependencies } from './signIn.ts';
import { type AccountRow, accountsTable, sessionsTable } from './tables.ts';

/** An invitation is for an account without a password, and lasts longer. */
export type PasswordLinkPurpose = 'invite' | 'reset';

/**
 * A link works only while the password is the one that it was made for, so that the first of several ends the others. Whoever has one
 * that was mailed reads the mails to the address.
 */
type LinkContext = { email: string; passwordDigest: string; isMailed?: boolean };

/** Whoever has such a link has set the password, and knows it. */
export const byLink: SignInMethod = { way: 'link', factors: ['password'] };

/** What those work with that create and use the links of accounts. */
export type AccountLinkDependencies = SignInDependencies & {
  outbox: Outbox;
  mailAddresses: MailAddresses;
  signing: Signing;
  mail: MailSwitch;
  markVerified: MarkVerified;
};

export type PasswordLinks = ReturnType<typeof createPasswordLinks>;

/** New passwords without the old one: by an operator, or by a one-time link that an operator or an admin hands over, or a mail brings. */
export function createPasswordLinks(dependencies: AccountLinkDependencies) {
  const { database, accounts, secondStep, apiTokens, acts, securityLog, passwords, links } = dependencies;
  const { outbox, mailAddresses, markVerified, mail } = dependencies;
  const AccountModel = database.model(accountsTable);

  /** Sets a password and signs all browsers out. Throws `not_found`, and `invalid` for a short password. */
  async function setPassword(email: string, next: string): Promise<Account> {
    const { password } = parseInput(newPasswordSchema, { password: next });
    const account = await requireRow(email);
    const passwordHash = await passwords.hash(password);
    await database.transaction(async (tx) => {
      await tx.model(accountsTable).update({ passwordHash, signedUp: false }, { id: account.id });
      await tx.model(sessionsTable).destroy({ accountId: account.id });
      await acts.record({ kind: 'password_set', account }, 'operator', tx);
    });
    return toAccount(account);
  }

  /**
   * Creates a link by which whoever has it sets the account's password, once. Throws `not_found`, and `conflict` for an
   * invitation to an account that has a password, and `forbidden` for an account that is no admin. The account is told,
   * before anybody has the link.
   */
  async function create(email: string, purpose: PasswordLinkPurpose, actor: Actor): Promise<string> {
    await acts.requireManager(actor);
    const account = await (purpose === 'invite' ? requireWithoutPassword(email) : requireRow(email));
    const context = { email: account.email, passwordDigest: passwordDigestOf(account) };
    return database.transaction(async (tx) => {
      const kind = purpose === 'reset' ? 'reset_link' : 'invitation';
      await acts.record({ kind, account }, actor, tx);
      return links.create(purpose, context satisfies LinkContext, tx);
    });
  }

  /** As `create`, for a mail that is about to leave: nobody else has the link. */
  const createForMail = (purpose: PasswordLinkPurpose, account: Pick<AccountRow, 'email' | 'passwordHash'>) =>
    links.create(purpose, {
      email: account.email,
      passwordDigest: passwordDigestOf(account),
      isMailed: true,
    } satisfies LinkContext);

  /** Creates an account, and a link that sets its first password. Throws like `accounts.create` and `create`. */
  async function invite(email: string, actor: Actor): Promise<{ account: Account; link: string }> {
    await acts.requireFreshManager(actor);
    const account = await accounts.create({ email });
    return { account, link: await create(account.email, 'invite', actor) };
  }

  /**
   * Mails the address of an account a link that sets its first password, in a language. Throws like `create`, and `forbidden` where
   * there is no mail.
   */
  async function mailInvitation(email: string, locale: string, actor: Actor): Promise<void> {
    if (!mail.isOn) throw new DomainError('forbidden', 'mailOff');
    await acts.requireManager(actor);
    const account = await requireWithoutPassword(email);
    await database.transaction(async (tx) => {
      await acts.record({ kind: 'invitation', account }, actor, tx);
      const { address } = await mailAddresses.save(account.email, locale, tx);
      await outbox.sendMail('invited', address, account.id, tx);
    });
  }

  /** As `invite`, but the link goes to the address alone, which shows that whoever uses it reads its mails. */
  async function inviteByMail(email: string, locale: string, actor: Actor): Promise<Account> {
    await acts.requireFreshManager(actor);
    const account = await accounts.create({ email });
    await mailInvitation(account.email, locale, actor);
    return account;
  }

  async function requireWithoutPassword(email: string): Promise<AccountRow> {
    const account = await requireRow(email);
    if (account.passwordHash === null) return account;
    throw new DomainError('conflict', 'passwordExists', { values: { email: account.email } });
  }

  /** The name of a link's account. Throws `not_found` once the link is used or too old, or the password has changed. */
  const preview = async (purpose: PasswordLinkPurpose, token: string): Promise<string> =>
    (await requireLinked(purpose, token)).account.email;

  /**
   * Uses a link up: sets the password, signs all browsers out, and revokes the API tokens if asked to. Returns the
   * account's name and a new session. From now on, the address counts as confirmed. Throws like `preview`, and
   * once the password is set like `secondStep.create`.
   */
  async function redeem(
    purpose: PasswordLinkPurpose,
    token: string,
    { next, revokeTokens }: { next: string; revokeTokens: boolean },
    client: ClientInfo,
  ): Promise<{ email: string; session: string }> {
    const { password } = parseInput(newPasswordSchema, { password: next });
    const { account, isMailed } = await requireLinked(purpose, token);
    const passwordHash = await passwords.hash(password, { account, client });
    const now = await database.clock();
    const opened = await database.transaction(async (tx) => {
      await links.consume(token, tx);
      await tx.model(accountsTable).update({ passwordHash, signedUp: false }, { id: account.id });
      await tx.model(sessionsTable).destroy({ accountId: account.id });
      await securityLog.record({ kind: 'password_set', account, client }, tx);
      if (isMailed) await markVerified(account, tx);
      if (revokeTokens) await apiTokens.revokeAllWithin(account, client, tx);
      return secondStep.open(account, client, byLink, { now, tx });
    });
    return { email: account.email, session: sessionIn(opened).token };
  }

  async function requireLinked(purpose: PasswordLinkPurpose, token: string) {
    const { email, passwordDigest, isMailed = false } = await links.read<LinkContext>(purpose, token);
    const account = await requireRow(email);
    if (account.disabledAt !== null) throw new DomainError('forbidden', 'accountDisabled');
    if (passwordDigestOf(account) !== passwordDigest) throw new DomainError('not_found', 'linkUsed');
    return { account, isMailed };
  }

  /** Accounts that chats created have no password: their chat users sign in by links from the chat. */
  async function requireRow(given: string): Promise<AccountRow> {
    const email = normalizeEmail(given);
    const account = await AccountModel.findOne({ where: { email } });
    if (account === null) throw new DomainError('not_found', 'accountNotFound', { values: { email } });
    if (maybeChatUserOf(email) !== undefined) throw new DomainError('conflict', 'chatAccountPassword');
    return account;
  }

  return { setPassword, create, createForMail, invite, mailInvitation, inviteByMail, preview, redeem };
}

const passwordDigestOf = ({ passwordHash }: Pick<AccountRow, 'passwordHash'>): string =>
  digestOf(passwordHash ?? '').toString('base64');
