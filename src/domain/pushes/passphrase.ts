import { passwordBytesMax } from '../../crypto/pepper.ts';
import type { Database } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import type { Audit } from '../audit/index.ts';
import { asMessage, optionalText } from '../base/index.ts';
import type { Limits, PasswordHasher } from '../limits/index.ts';
import type { Outbox } from '../outbox/index.ts';
import type { ClientInfo } from '../people/index.ts';
import { isUnproven } from './claim/decide.ts';
import type { PushFinder } from './find.ts';
import { isExpired } from './push.ts';
import type { PushRow } from './tables.ts';

type Dependencies = {
  database: Database;
  passphrases: PasswordHasher;
  limits: Limits;
  audit: Audit;
  outbox: Outbox;
  finder: PushFinder;
};

/** Checks the passphrases of pushes. */
export function createPassphraseCheck(dependencies: Dependencies) {
  const { database, audit, outbox, finder } = dependencies;

  /**
   * Returns the hash that a passphrase matches, or null if none is given or required. bcrypt is slow, so this runs before
   * any row is locked. Throws `unauthenticated` for a wrong passphrase, and `too_many` after too many.
   */
  async function maybeHash(
    urlToken: string,
    passphrase: string | undefined,
    client: ClientInfo,
    provenRecipient?: Buffer,
  ): Promise<string | null> {
    if (passphrase === undefined) return null;
    const row = await finder.requireRow(urlToken, client);
    const { id, passphraseHash } = row;
    if (passphraseHash === null || isExpired(row)) return null;
    if (isUnproven(row, provenRecipient)) return null; // the claim refuses it, and no passphrase is tried
    const guess = await guessPassphrase(dependencies, { id, passphraseHash }, passphrase, client);
    if (guess.outcome === 'right') return passphraseHash;
    await recordWrong(row.push, client, { isLocked: guess.outcome === 'locked' });
    throw wrongPassphrase('incorrect', guess.triesLeft);
  }

  /** Refuses a passphrase that is missing, or was right for another hash than that of the locked row. */
  async function refuse(row: PushRow, passphrase: string | undefined, client: ClientInfo): Promise<never> {
    await recordWrong(row, client);
    throw wrongPassphrase(passphrase === undefined ? 'required' : 'incorrect');
  }

  /** After hundreds of wrong passphrases, the owner is notified of the 1st, 2nd, 4th, 8th and so on of the further ones. */
  async function recordWrong(row: PushRow, client: ClientInfo, { isLocked = false } = {}): Promise<void> {
    await database.transaction(async (tx) => {
      const times = await audit.recordBounded(row.id, 'failed_passphrase', client, tx);
      if (isPowerOfTwo(times)) await outbox.write('failed_passphrase', row, row.viewsUsed, tx);
      if (isLocked) await outbox.write('locked', row, row.viewsUsed, tx);
    });
  }

  return { maybeHash, refuse };
}

/** A new passphrase, or null for none. */
export const passphraseSchema = () =>
  optionalText().refine(
    (text) => text === null || Buffer.byteLength(text) <= passwordBytesMax,
    asMessage({ code: 'maxLength', max: passwordBytesMax, unit: 'bytes' }),
  );

type Guarded = { id: Buffer; passphraseHash: string };

/** Tries a passphrase of what has the id, within the limits of guesses at it. Throws `too_many`. */
export function guessPassphrase(
  { limits, passphrases }: Pick<Dependencies, 'limits' | 'passphrases'>,
  { id, passphraseHash }: Guarded,
  passphrase: string,
  client: ClientInfo,
): ReturnType<Limits['guess']> {
  const caller = { account: null, client };
  passphrases.requireRoom(caller);
  return limits.guess(id, client, () => passphrases.verify(readingsOf(passphrase), passphraseHash, caller));
}

/**
 * What somebody may mean who typed a passphrase. Phones add a space after a word, and chats turn hyphens into dashes. New
 * passphrases have no spaces around them, so most texts have one reading and cost one hash; the longest cost is three.
 */
export function readingsOf(typed: string): string[] {
  if (typed.length > passwordBytesMax) return [typed];
  const trimmed = typed.trim();
  return [...new Set([trimmed, trimmed.replace(/\p{Pd}|\u2212/gu, '-'), typed])];
}

const isPowerOfTwo = (count: number) => Number.isInteger(Math.log2(count));

/** `required` says that one is needed, `incorrect` that another one is. */
export const wrongPassphrase = (code: 'required' | 'incorrect', triesLeft?: number): DomainError =>
  new DomainError('unauthenticated', 'wrongPassphrase', { problems: { passphrase: [{ code }] }, triesLeft });
