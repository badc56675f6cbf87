import { maybeOpenLabel } from '../../crypto/cipher.ts';
import { newId } from '../../crypto/ids.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { mailedCode, urlTokenDigest } from '../../crypto/pepper.ts';
import { digestOf, isSameToken, newSecret } from '../../crypto/tokens.ts';
import type { Database, Tx } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import { minuteMs } from '../../time.ts';
import type { Limits } from '../limits/index.ts';
import { type MailAddresses, mailMessenger } from '../mail/index.ts';
import type { Outbox } from '../outbox/index.ts';
import { isLive, pushNotFound } from './push.ts';

/** How long a code can be entered, and how long the browser where it was may open the push. */
const codeMs = 10 * minuteMs;
const triesMax = 5;

type Dependencies = {
  database: Database;
  keyring: Keyring;
  limits: Pick<Limits, 'consume'>;
  outbox: Pick<Outbox, 'send'>;
  mailAddresses: Pick<MailAddresses, 'save'>;
};

type LockedCode = {
  id: Buffer;
  tries: number;
  expiresAt: number;
  provenUntil: number | null;
  now: number;
};

export type RecipientCodes = ReturnType<typeof createRecipientCodes>;

/**
 * Codes by which a recipient shows that they read the mails to their address now. A recipient has one code at a time: a new one
 * ends those before it. It works in the browser that asked for it, once, and ends with the fifth wrong try.
 */
export function createRecipientCodes(dependencies: Dependencies) {
  const { database, keyring, limits, outbox, mailAddresses } = dependencies;
  const { select, transaction, deleteInBatches, dialect } = database;

  /**
   * Sends a code to the recipient of a link, and returns the secret of the browser that may enter it: `browserSecret` if it has
   * one. `locale` is the language of the mail. Throws `not_found` unless such a link needs a code and its push is live, and
   * `too_many` after too many mails to that address.
   */
  async function sendCode(
    urlToken: string,
    { browserSecret = newSecret(), locale }: { browserSecret?: string | undefined; locale: string },
  ): Promise<string> {
    const email = await requireEmail(urlToken);
    await limits.consume('codeMail', { email: email.toLowerCase() });
    await transaction(async (tx) => {
      const { recipientId, pushId } = await lockRecipient(urlToken, tx);
      const browserDigest = digestOf(browserSecret);
      await tx.execute(
        `DELETE FROM recipient_codes
         WHERE (recipient_id = $recipientId AND proven_until IS NULL) OR browser_digest = $browserDigest`,
        { recipientId, browserDigest },
      );
      await tx.execute(
        `INSERT INTO recipient_codes (id, recipient_id, browser_digest, tries, expires_at)
         VALUES ($id, $recipientId, $browserDigest, 0, ${dialect.now} + ${codeMs})`,
        { id: newId(), recipientId, browserDigest },
      );
      await outbox.send('code', pushId, [await mailAddresses.save(email, locale, tx)], tx);
    });
    return browserSecret;
  }

  /** Locks the recipient of a link, and then its push, as views do. */
  async function lockRecipient(urlToken: string, tx: Tx) {
    const [row] = await tx.select<{ recipientId: Buffer; pushId: Buffer }>(
      `${selectRecipient} ${dialect.forUpdate}`,
      { digest: urlTokenDigest(keyring, urlToken) },
    );
    if (row === undefined) throw pushNotFound();
    return row;
  }

  const selectRecipient = `SELECT r.id AS recipientId, r.push_id AS pushId, r.label
    FROM push_recipients r JOIN pushes p ON p.id = r.push_id
    WHERE r.token_digest = $digest AND r.needs_code = TRUE AND r.views_used < r.views_max AND ${isLive(dialect.now, 'p.')}`;

  async function requireEmail(urlToken: string): Promise<string> {
    const [row] = await select<{ recipientId: Buffer; label: Buffer }>(selectRecipient, {
      digest: urlTokenDigest(keyring, urlToken),
    });
    if (row === undefined) throw pushNotFound();
    const email = maybeOpenLabel(keyring, row.label, { id: row.recipientId, field: 'recipient' });
    if (email === undefined) throw new DomainError('unavailable', 'keyMissing', { retryAfterSeconds: 60 });
    return email;
  }

  /**
   * Lets a browser open the push of a link for ten minutes, by the code that it asked for. Throws `unauthenticated` for a wrong
   * code, and `conflict` for one that has ended, or was used, or asked for by another browser.
   */
  async function enterCode(urlToken: string, code: string, browserSecret: string | undefined): Promise<void> {
    const digits = code.replace(/\s/g, '');
    const isCode = /^\d{6}$/.test(digits);
    const outcome = await transaction(async (tx) => {
      const found = browserSecret && (await lockCode(urlToken, browserSecret, tx));
      if (!found || isOver(found)) return { isRight: false, triesLeft: 0, isOver: true };
      if (!isCode) return { isRight: false, triesLeft: triesMax - Number(found.tries), isOver: false };
      const isRight = isSameToken(digits, mailedCode(keyring, found.id));
      const end = `${dialect.now} + ${codeMs}`;
      const change = isRight ? `proven_until = ${end}, expires_at = ${end}` : 'tries = tries + 1';
      await tx.execute(`UPDATE recipient_codes SET ${change} WHERE id = $id`, { id: found.id });
      return { isRight, triesLeft: triesMax - Number(found.tries) - 1, isOver: false };
    });
    if (outcome.isRight) return;
    if (outcome.isOver) throw new DomainError('conflict', 'mailedCodeOver');
    throw new DomainError('unauthenticated', 'mailedCodeWrong', { triesLeft: outcome.triesLeft });
  }

  const isOver = ({ tries, expiresAt, provenUntil, now }: LockedCode) =>
    provenUntil !== null || Number(expiresAt) <= Number(now) || Number(tries) >= triesMax;

  async function lockCode(urlToken: string, browserSecret: string, tx: Tx): Promise<LockedCode | undefined> {
    const [found] = await tx.select<LockedCode>(
      `SELECT c.id, c.tries, c.expires_at AS expiresAt, c.proven_until AS provenUntil, ${dialect.now} AS now
       FROM recipient_codes c WHERE c.browser_digest = $browserDigest
         AND c.recipient_id = (SELECT r.id FROM push_recipients r WHERE r.token_digest = $digest) ${dialect.forUpdate}`,
      { browserDigest: digestOf(browserSecret), digest: urlTokenDigest(keyring, urlToken) },
    );
    return found;
  }

  /** What a browser is to do about the code of a link: ask for one, enter the one that it asked for, or nothing more. */
  async function codeStep(urlToken: string, browserSecret: string | undefined): Promise<CodeStep> {
    if (browserSecret === undefined) return 'ask';
    const [found] = await select<{ isProven: number; isOpen: number }>(
      `SELECT COALESCE(c.proven_until > ${dialect.now}, FALSE) AS isProven,
         (c.proven_until IS NULL AND c.expires_at > ${dialect.now} AND c.tries < ${triesMax}) AS isOpen
       FROM recipient_codes c JOIN push_recipients r ON r.id = c.recipient_id
       WHERE c.browser_digest = $browserDigest AND r.token_digest = $digest`,
      { browserDigest: digestOf(browserSecret), digest: urlTokenDigest(keyring, urlToken) },
    );
    if (Number(found?.isProven) === 1) return 'done';
    return Number(found?.isOpen) === 1 ? 'enter' : 'ask';
  }

  /** The recipient whose code was entered in a browser in the last ten minutes. */
  async function maybeProven(browserSecret: string): Promise<Buffer | undefined> {
    const [found] = await select<{ recipientId: Buffer }>(
      `SELECT recipient_id AS recipientId FROM recipient_codes
       WHERE browser_digest = $browserDigest AND proven_until > ${dialect.now}`,
      { browserDigest: digestOf(browserSecret) },
    );
    return found?.recipientId;
  }

  /** The code that a recipient can enter, for the mail that brings it. */
  async function maybeCode(pushId: Buffer, address: string): Promise<string | undefined> {
    const [found] = await select<{ id: Buffer }>(
      `SELECT c.id FROM recipient_codes c JOIN push_recipients r ON r.id = c.recipient_id
       WHERE r.push_id = $pushId AND r.platform = '${mailMessenger}' AND r.address = $address
         AND c.proven_until IS NULL AND c.expires_at > ${dialect.now} ORDER BY c.id DESC LIMIT 1`,
      { pushId, address },
    );
    return found && mailedCode(keyring, found.id);
  }

  /** Deletes codes that have ended. */
  const purge = (isStopping?: () => boolean) =>
    deleteInBatches('recipient_codes', 'expires_at', dialect.now, isStopping);

  return { sendCode, enterCode, codeStep, maybeProven, maybeCode, purge };
}

export type CodeStep = 'ask' | 'enter' | 'done';
