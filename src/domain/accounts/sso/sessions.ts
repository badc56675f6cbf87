import { openLabel, seal } from '../../../crypto/cipher.ts';
import { newId } from '../../../crypto/ids.ts';
import type { Keyring } from '../../../crypto/keyring.ts';
import { digestOf } from '../../../crypto/tokens.ts';
import type { Tx } from '../../../database/database.ts';
import { refuseDuplicate } from '../../../database/errors.ts';
import { DomainError } from '../../../errors.ts';
import { minuteMs } from '../../../time.ts';
import type { DatabaseWithKeys } from '../../base/index.ts';
import type { SignedIn } from '../sessions.ts';
import { providerSessionsTable, spentTokensTable } from '../tables.ts';
import { type Identified, type IdentityProvider, isIssuerOf, requireProvider } from './provider.ts';

/** Longer than a logout token is accepted, with the tolerance for clocks. */
const spentMs = 15 * minuteMs;
/** A longer one does not fit into an address. The session then ends at the provider without it. */
const idTokenMax = 4_096;

/** Sessions at a provider: all of a subject, or one. */
type Ended = { issuer: string; subject?: string | undefined; providerSession?: string | undefined };

/** What a session must remember to end with the one at its provider. */
export type SessionAtProvider = Pick<Identified, 'issuer' | 'subject' | 'providerSession' | 'idToken'>;

export type ProviderSessions = ReturnType<typeof createProviderSessions>;

/** Remembers with whom a session began, in the transaction that begins it. */
export async function recordProviderSession(
  keyring: Keyring,
  sessionId: Buffer,
  { issuer, subject, providerSession, idToken }: SessionAtProvider,
  tx: Tx,
): Promise<void> {
  const id = newId();
  const sealed = idToken.length > idTokenMax ? null : seal(keyring, idToken, { id, field: 'id_token' });
  const row = { id, sessionId, issuer, subject, providerSession: providerSession ?? null, idToken: sealed };
  await tx.model(providerSessionsTable).create(row);
}

/** The sessions that providers began, and their ends on both sides. */
export function createProviderSessions({
  database,
  keyring,
  providers,
}: DatabaseWithKeys & { providers: IdentityProvider[] }) {
  /**
   * Where a browser ends its session at the provider that began it (OpenID Connect RP-Initiated Logout 1.0), with the provider's
   * label; undefined for other sessions, and while the provider is out of reach. Call it before the session ends.
   */
  async function maybeEndSession({ sessionId }: Pick<SignedIn, 'sessionId'>) {
    if (providers.length === 0) return undefined;
    const row = await database.model(providerSessionsTable).findOne({ where: { sessionId } });
    const provider = providers.find((each) => row !== null && isIssuerOf(each, row.issuer));
    if (row === null || provider === undefined) return undefined;
    const { id, idToken } = row;
    const hint = idToken === null ? undefined : openLabel(keyring, idToken, { id, field: 'id_token' });
    const url = await provider.maybeEndSessionUrl(hint).catch(() => undefined);
    return url === undefined ? undefined : { url, provider: provider.label };
  }

  /**
   * Ends sessions that ended at their provider (OpenID Connect Back-Channel Logout 1.0, section 2.7). Throws `invalid` for a token
   * that is wrong, too old, or was used.
   */
  async function logOut(name: string, logoutToken: string): Promise<void> {
    const provider = requireProvider(providers, name);
    const token = await provider.readLogoutToken(logoutToken);
    const id = digestOf(JSON.stringify([token.issuer, token.tokenId]));
    const expiresAt = (await database.clock()) + spentMs;
    await database
      .transaction(async (tx) => {
        await tx.model(spentTokensTable).create({ id, expiresAt });
        await end(token, tx);
      })
      .catch(refuseDuplicate(() => new DomainError('invalid', 'logoutTokenInvalid')));
  }

  /** Ends sessions that a provider began, in a transaction. */
  async function end({ issuer, subject, providerSession }: Ended, tx: Tx): Promise<void> {
    const conditions = [
      ...(subject === undefined ? [] : ['subject = $subject']),
      ...(providerSession === undefined ? [] : ['provider_session = $providerSession']),
    ];
    await tx.execute(
      `DELETE FROM sessions WHERE id IN
         (SELECT session_id FROM provider_sessions WHERE issuer = $issuer AND ${conditions.join(' AND ')})`,
      { issuer, subject: subject ?? '', providerSession: providerSession ?? '' },
    );
  }

  /** Deletes what is remembered of used tokens that are too old by now. */
  const purge = (isStopping?: () => boolean) =>
    database.deleteInBatches('spent_tokens', 'expires_at', database.dialect.now, isStopping);

  return { maybeEndSession, logOut, end, purge };
}
