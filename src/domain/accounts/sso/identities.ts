import { UniqueConstraintError } from 'sequelize';
import { maybeId } from '../../../crypto/ids.ts';
import type { Database } from '../../../database/database.ts';
import { DomainError } from '../../../errors.ts';
import type { OneTimeLinks } from '../../base/index.ts';
import type { Account, ClientInfo } from '../../people/index.ts';
import type { Holder, StepUp } from '../factors/stepUp.ts';
import type { SecurityLog } from '../security/log.ts';
import { accountsTable, providerIdentitiesTable } from '../tables.ts';
import type { Admission, Known } from './admit.ts';
import { type IdentityProvider, isIssuerOf, requireProvider } from './provider.ts';
import type { ProviderSessions } from './sessions.ts';

/** An identity that waits for the owner of the account with its address. */
export type PendingJoin = { provider: string; known: Known };

/** A provider, and who an account is there. Times are epoch milliseconds. */
export type ConnectedProvider = {
  name: string;
  label: string;
  identities: { id: string; email: string | null; createdAt: number; lastUsedAt: number }[];
};

type Dependencies = {
  database: Database;
  providers: IdentityProvider[];
  links: OneTimeLinks;
  admission: Admission;
  providerSessions: ProviderSessions;
  stepUp: StepUp;
  securityLog: Pick<SecurityLog, 'record'>;
  allowPasswords: boolean;
};

/** Who an account is at the providers. */
export function createProviderIdentities(dependencies: Dependencies) {
  const { database, providers, links, admission, providerSessions, stepUp, securityLog, allowPasswords } =
    dependencies;
  const Identities = database.model(providerIdentitiesTable);

  /** Who waits for a confirmation: the provider, and the address that it gave. Throws `not_found` once that is done or too old. */
  async function previewJoin(token: string): Promise<{ provider: string; email: string | undefined }> {
    const { provider, known } = await links.read<PendingJoin>('joinSignIn', token);
    return { provider: requireProvider(providers, provider).label, email: known.email };
  }

  /**
   * Lets an identity sign in to the account of whoever confirms, who has signed in to it in another way. Throws `conflict` if it
   * belongs to an account by now, and `forbidden` for whoever has not signed in just now.
   */
  async function confirmJoin(token: string, owner: Holder): Promise<void> {
    const { id } = owner;
    const { known, ...pending } = await links.read<PendingJoin>('joinSignIn', token);
    const provider = requireProvider(providers, pending.provider);
    await stepUp.requireFresh(owner);
    const now = await database.clock();
    try {
      await database.transaction(async (tx) => {
        await links.consume(token, tx);
        const account = (await tx.model(accountsTable).findForUpdate({ id }))?.get();
        if (account === undefined) throw new DomainError('not_found', 'accountErased');
        await admission.join(account, known, provider, now, tx);
        await admission.follow(known, account, tx);
      });
    } catch (error) {
      if (error instanceof UniqueConstraintError) throw new DomainError('conflict', 'providerIdentityTaken');
      throw error;
    }
  }

  /** The providers, with the identities of an account there. */
  async function list({ id: accountId }: Pick<Account, 'id'>): Promise<ConnectedProvider[]> {
    if (providers.length === 0) return [];
    const rows = await Identities.findAll({ where: { accountId }, order: ['createdAt', 'id'] });
    return providers.map((provider) => ({
      name: provider.name,
      label: provider.label,
      identities: rows
        .filter((row) => isIssuerOf(provider, row.issuer))
        .map(({ id, email, createdAt, lastUsedAt }) => ({
          id: id.toString('hex'),
          email,
          createdAt,
          lastUsedAt,
        })),
    }));
  }

  /**
   * Ends what an identity may do to an account, with the sessions that it began. Throws `conflict` if the owner could not sign in
   * again, `not_found`, and `forbidden` for whoever has not signed in just now.
   */
  async function disconnect(owner: Holder, given: string, client?: ClientInfo): Promise<void> {
    const accountId = owner.id;
    const id = maybeId(given) ?? Buffer.alloc(0);
    await stepUp.requireFresh(owner);
    await database.transaction(async (tx) => {
      const account = await tx.model(accountsTable).findForUpdate({ id: accountId });
      const [identity] = await tx.model(providerIdentitiesTable).findAll({ where: { id, accountId } });
      if (account === null || identity === undefined)
        throw new DomainError('not_found', 'identityNotConnected');
      const [other] = await tx.select<{ ways: number }>(
        `SELECT (SELECT COUNT(*) FROM provider_identities WHERE account_id = $accountId AND id <> $id)
              + (SELECT COUNT(*) FROM chat_identities WHERE account_id = $accountId) AS ways`,
        { accountId, id },
      );
      const hasPassword = allowPasswords && account.passwordHash !== null;
      if (!hasPassword && Number(other?.ways) === 0) throw new DomainError('conflict', 'lastWayToSignIn');
      const { issuer, subject } = identity;
      await tx.model(providerIdentitiesTable).destroy({ id });
      await providerSessions.end({ issuer, subject }, tx);
      const detail = providers.find((each) => isIssuerOf(each, issuer))?.label ?? issuer;
      await securityLog.record({ kind: 'provider_disconnected', account: owner, detail, client }, tx);
    });
  }

  return { previewJoin, confirmJoin, list, disconnect };
}
