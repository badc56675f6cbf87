import { toId } from '../../../crypto/ids.ts';
import type { Tx } from '../../../database/database.ts';
import { refuseDuplicate } from '../../../database/errors.ts';
import { DomainError } from '../../../errors.ts';
import type { Account, ClientInfo } from '../../people/index.ts';
import type { AccountDependencies } from '../dependencies.ts';
import type { Holder } from '../factors/stepUp.ts';
import { type AccountRow, accountsTable, providerIdentitiesTable } from '../tables.ts';
import type { Admission, Known } from './admit.ts';
import { offerChat, type ProvedChatUser } from './chatOffer.ts';
import { type IdentityProvider, isIssuerOf, requireProvider } from './provider.ts';
import type { ProviderSessions } from './sessions.ts';
import type { SignInWays } from './signInWays.ts';

/** An identity that waits for the owner of the account with its address. */
export type PendingJoin = { provider: string; known: Known; chat?: ProvedChatUser | undefined };

/** A provider, and who an account is there. */
export type ConnectedProvider = { name: string; label: string; identities: ProviderIdentity[] };

/** Who an account is at a provider, and what that is called; null if it is not set any more. Times are epoch milliseconds. */
export type ProviderIdentity = {
  id: string;
  issuer: string;
  subject: string;
  label: string | null;
  email: string | null;
  createdAt: number;
  lastUsedAt: number;
};

type Identity = { id: Buffer; issuer: string; subject: string };

type Dependencies = AccountDependencies & {
  providers: IdentityProvider[];
  admission: Admission;
  providerSessions: ProviderSessions;
  canSignIn: SignInWays;
};

/** Who an account is at the providers. */
export function createProviderIdentities(dependencies: Dependencies) {
  const { database, providers, links, admission, providerSessions, acts, stepUp, securityLog, canSignIn } =
    dependencies;
  const Identities = database.model(providerIdentitiesTable);

  /** Who waits for a confirmation: the provider, and the address that it gave. Throws `not_found` once that is done or too old. */
  async function previewJoin(token: string): Promise<{ provider: string; email: string | undefined }> {
    const { provider, known } = await links.read<PendingJoin>('joinSignIn', token);
    return { provider: requireProvider(providers, provider).label, email: known.email };
  }

  /**
   * Lets an identity sign in to the account of whoever confirms, who has signed in to it in another way. Throws `conflict` if it
   * belongs to an account by now, and `forbidden` for whoever has not signed in just now. Returns the token by which they may link
   * their chat user, too, where the provider is that of a chat.
   */
  async function confirmJoin(token: string, owner: Holder, client: ClientInfo): Promise<string | undefined> {
    const { id } = owner;
    const { known, chat, ...pending } = await links.read<PendingJoin>('joinSignIn', token);
    const provider = requireProvider(providers, pending.provider);
    await stepUp.requireFresh(owner);
    const now = await database.clock();
    return database
      .transaction(async (tx) => {
        await links.consume(token, tx);
        const account = (await tx.model(accountsTable).findForUpdate({ id }))?.get();
        if (account === undefined) throw new DomainError('not_found', 'accountErased');
        await admission.join(account, known, provider.label, { now, client }, tx);
        await admission.follow(known, account, tx);
        return chat && (await offerChat(links, account, chat, tx));
      })
      .catch(refuseDuplicate(() => new DomainError('conflict', 'providerIdentityTaken')));
  }

  /** The providers, with the identities of an account there. */
  async function list(account: Pick<Account, 'id'>): Promise<ConnectedProvider[]> {
    const known = providers.length === 0 ? [] : await identitiesOf(account);
    return providers.map((provider) => ({
      name: provider.name,
      label: provider.label,
      identities: known.filter(({ issuer }) => isIssuerOf(provider, issuer)),
    }));
  }

  /** Who an account is at all providers, those that are not set any more among them. The longest known first. */
  async function identitiesOf({ id: accountId }: Pick<Account, 'id'>): Promise<ProviderIdentity[]> {
    const rows = await Identities.findAll({ where: { accountId }, order: ['createdAt', 'id'] });
    return rows.map(({ id, issuer, subject, email, createdAt, lastUsedAt }) => ({
      id: id.toString('hex'),
      issuer,
      subject,
      label: maybeLabelOf(issuer) ?? null,
      email,
      createdAt,
      lastUsedAt,
    }));
  }

  const maybeLabelOf = (issuer: string) => providers.find((each) => isIssuerOf(each, issuer))?.label;

  /**
   * Ends what an identity may do to an account, with the sessions that it began. Throws `conflict` if the owner could not sign in
   * again, `not_found`, and `forbidden` for whoever has not signed in just now.
   */
  async function disconnect(owner: Holder, given: string, client?: ClientInfo): Promise<void> {
    await stepUp.requireFresh(owner);
    await database.transaction(async (tx) => {
      const account = await lock(owner, tx);
      const identity = await requireIdentity(owner, given, tx);
      if (!(await canSignIn('a.id = $id', { id: account.id, identityId: identity.id }, tx)))
        throw new DomainError('conflict', 'lastWayToSignIn');
      const detail = await end(identity, tx);
      await securityLog.record({ kind: 'provider_disconnected', account: owner, detail, client }, tx);
    });
  }

  /** As `disconnect`, by an operator, who may take the last way to sign in: the account is told. */
  async function disconnectByOperator(account: Pick<Account, 'id' | 'email'>, given: string): Promise<void> {
    await database.transaction(async (tx) => {
      await lock(account, tx);
      const detail = await end(await requireIdentity(account, given, tx), tx);
      await acts.record({ kind: 'provider_removed', account, detail }, 'operator', tx);
    });
  }

  async function lock({ id }: Pick<Account, 'id'>, tx: Tx): Promise<AccountRow> {
    const account = await tx.model(accountsTable).findForUpdate({ id });
    if (account === null) throw new DomainError('not_found', 'identityNotConnected');
    return account.get();
  }

  async function requireIdentity({ id: accountId }: Pick<Account, 'id'>, given: string, tx: Tx) {
    const where = { id: toId(given), accountId };
    const [identity] = await tx.model(providerIdentitiesTable).findAll({ where });
    if (identity === undefined) throw new DomainError('not_found', 'identityNotConnected');
    return identity;
  }

  /** Returns what the provider is called. */
  async function end({ id, issuer, subject }: Identity, tx: Tx): Promise<string> {
    await tx.model(providerIdentitiesTable).destroy({ id });
    await providerSessions.end({ issuer, subject }, tx);
    return maybeLabelOf(issuer) ?? issuer;
  }

  return { previewJoin, confirmJoin, list, identitiesOf, disconnect, disconnectByOperator };
}
