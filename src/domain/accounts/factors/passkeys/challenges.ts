import { randomBytes } from '../../../../crypto/random.ts';
import type { Signing } from '../../../../crypto/signing.ts';
import { digestOf } from '../../../../crypto/tokens.ts';
import type { Database, Tx } from '../../../../database/database.ts';
import { refuseDuplicate } from '../../../../database/errors.ts';
import { DomainError } from '../../../../errors.ts';
import { minuteMs } from '../../../../time.ts';
import { spentTokensTable } from '../../tables.ts';

/** How long a challenge may be answered, in milliseconds. */
export const challengeMs = 5 * minuteMs;

export type Challenges = ReturnType<typeof createChallenges>;

/** A challenge that may be answered `now`, by the database's clock. Of two transactions that spend it, one throws like `require`. */
type OpenChallenge = { now: number; spend(tx: Tx): Promise<void> };

/**
 * What devices sign with passkeys: each is good for one answer, from the browser that asked, within five minutes. It is signed instead
 * of stored, so that nobody fills the database by asking; what was answered is stored until it is too old.
 */
export function createChallenges({ database, signing }: { database: Database; signing: Signing }) {
  /** A new challenge, in base64url. `browser` is a secret of the browser: that of its session, or of its forms. */
  async function issue(browser: string): Promise<string> {
    const text = `${(await database.clock()) + challengeMs}.${randomBytes(16).toString('base64url')}`;
    return Buffer.from(`${text}.${signing.sign('passkey', browser, text)}`).toString('base64url');
  }

  /** Throws `unauthenticated` unless this browser asked for it, and once it is too old or used. */
  async function require(challenge: string, browser: string): Promise<OpenChallenge> {
    const text = Buffer.from(challenge, 'base64url').toString(); // base64url has several ways to write the same
    const [endsAt = '', random = '', signature = ''] = text.split('.');
    const isOurs = signing.isSigned(signature, 'passkey', browser, `${endsAt}.${random}`);
    const now = await database.clock();
    if (!isOurs || Number(endsAt) <= now) throw tooLate();
    const id = digestOf(`passkey ${text}`);
    async function spend(tx: Tx): Promise<void> {
      const expiresAt = Number(endsAt) + minuteMs;
      await tx.model(spentTokensTable).create({ id, expiresAt }).catch(refuseDuplicate(tooLate));
    }
    return { now, spend };
  }

  return { issue, require };
}

const tooLate = () => new DomainError('unauthenticated', 'passkeyTooLate');
