import { openLabel, seal } from '../../../crypto/cipher.ts';
import { newId } from '../../../crypto/ids.ts';
import { randomBytes } from '../../../crypto/random.ts';
import type { Tx } from '../../../database/database.ts';
import { DomainError } from '../../../errors.ts';
import { secondMs } from '../../../time.ts';
import type { DatabaseWithKeys, OneTimeLinks } from '../../base/index.ts';
import type { SignedIn } from '../sessions.ts';
import { authenticatorsTable } from './tables.ts';

/** RFC 6238 as every app knows it. The window allows for a clock that is off by a step, either way. */
const code = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const window = 1;
/** 160 bits, as RFC 4226, section 4 recommends. */
const secretBytes = 20;

/** What waits for the first code. The session is that of the browser that began. */
type Pending = { session: string; secret: string };

/** A secret that is not in use yet, for the app: as text, and as the address of a QR code. */
export type NewAuthenticator = { enrolment: string; secret: string; uri: string };

export type Authenticators = ReturnType<typeof createAuthenticators>;

/** Codes from an app (TOTP, RFC 6238). `host` tells the app what its codes are for. */
export function createAuthenticators({
  database,
  keyring,
  links,
  host,
}: DatabaseWithKeys & { links: OneTimeLinks; host: string }) {
  const Model = database.model(authenticatorsTable);

  /** A new secret. It signs nobody in before a code from the app has confirmed that the app has it. */
  async function begin(account: SignedIn): Promise<NewAuthenticator> {
    const secret = randomBytes(secretBytes).toString('hex');
    const pending = { session: account.sessionId.toString('hex'), secret } satisfies Pending;
    return present(account, await links.create('enrolment', pending), secret);
  }

  /** The same again, for the session that began. Throws `not_found` once it is confirmed, or ten minutes old. */
  async function preview(account: SignedIn, enrolment: string): Promise<NewAuthenticator> {
    return present(account, enrolment, (await read(account, enrolment)).secret);
  }

  async function read({ sessionId }: SignedIn, enrolment: string): Promise<Pending> {
    const pending = await links.read<Pending>('enrolment', enrolment);
    if (pending.session !== sessionId.toString('hex')) throw new DomainError('not_found', 'linkUsed');
    return pending;
  }

  async function present({ email }: SignedIn, enrolment: string, secret: string): Promise<NewAuthenticator> {
    const totp = await appOf(secret);
    totp.issuer = host;
    totp.label = email;
    return { enrolment, secret: totp.secret.base32, uri: totp.toString() };
  }

  /**
   * Checks the first code, and returns what takes the secret into use, in place of an earlier one. Throws `invalid` (field `code`)
   * for a wrong code.
   */
  async function confirm(account: SignedIn, enrolment: string, given: string) {
    const { secret } = await read(account, enrolment);
    const createdAt = await database.clock();
    const lastStep = await maybeStep(secret, given, createdAt);
    if (lastStep === undefined)
      throw new DomainError('invalid', { problems: { code: [{ code: 'incorrect' }] } });
    const [id, accountId] = [newId(), account.id];
    const row = {
      id,
      accountId,
      secret: seal(keyring, secret, { id, field: 'totp_secret' }),
      lastStep,
      createdAt,
    };
    return async (tx: Tx): Promise<void> => {
      await links.consume(enrolment, tx);
      await tx.model(authenticatorsTable).destroy({ accountId });
      await tx.model(authenticatorsTable).create(row);
    };
  }

  /** Whether this is a code of the account's app that was not used before. It is used now: of two calls at once, one gets true. */
  async function use(accountId: Buffer, given: string): Promise<boolean> {
    const row = await Model.findOne({ where: { accountId } });
    if (row === null) return false;
    const now = await database.clock();
    const secret = openLabel(keyring, row.secret, { id: row.id, field: 'totp_secret' });
    const step = await maybeStep(secret, given, now);
    if (step === undefined) return false;
    const sql = `UPDATE authenticators SET last_step = $step, last_used_at = $now
      WHERE id = $id AND last_step < $step`;
    return (await database.execute(sql, { id: row.id, step, now })) === 1;
  }

  return { begin, preview, confirm, use };
}

/** The step of time that a code is for, if it is one of those around now. */
async function maybeStep(secret: string, given: string, now: number): Promise<number | undefined> {
  const token = given.replace(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return undefined;
  const delta = (await appOf(secret)).validate({ token, timestamp: now, window });
  return delta === null ? undefined : Math.floor(now / (code.period * secondMs)) + delta;
}

/** The library is loaded for those who use it. */
async function appOf(secret: string) {
  const { Secret, TOTP } = await import('otpauth');
  return new TOTP({ ...code, secret: Secret.fromHex(secret) });
}
