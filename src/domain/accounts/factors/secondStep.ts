import type { Tx } from '../../../database/database.ts';
import { DomainError } from '../../../errors.ts';
import { type Account, type ClientInfo, isEnabled } from '../../people/index.ts';
import { accountColumns } from '../account.ts';
import type { AccountDependencies } from '../dependencies.ts';
import type { SignInFactor, SignInMethod } from '../security/signInMethod.ts';
import { recordProviderSession, type SessionAtProvider } from '../sso/sessions.ts';
import type { FactorsOfAccounts } from './factors.ts';
import type { Passkeys } from './passkeys/passkeys.ts';
import type { PasskeyAnswer } from './passkeys/proof.ts';
import { hasFactor } from './required.ts';

/** Whose first step was right, and what it was. */
type Pending = { account: string; method: SignInMethod; atProvider?: SessionAtProvider | undefined };

type Opening = { now: number; tx: Tx; atProvider?: SessionAtProvider | undefined };

/** What the second step was done with, and what uses it up in the transaction of the session, if it is not yet. */
export type ProvedFactor = { factor: SignInFactor; save?: (tx: Tx) => Promise<void> };

/** A session, or the token of the second step, which must come before one. */
type Opened = { id: Buffer; token: string } | { step: string };

/**
 * The first step of a sign-in was right, and the account has a second factor: whoever holds `step` has ten minutes for it. `next` is
 * where the sign-in leads, if it says so.
 */
export class SecondFactorRequired extends DomainError {
  readonly step: string;
  next: string | undefined;

  constructor(step: string, next?: string) {
    super('unauthenticated', 'secondFactorRequired');
    this.step = step;
    this.next = next;
  }
}

export type SecondStep = ReturnType<typeof createSecondStep>;

/** The second step of signing in. Every way to sign in starts its session here, so none of them leads around it. */
export function createSecondStep(
  dependencies: AccountDependencies & { factors: FactorsOfAccounts; passkeys: Passkeys },
) {
  const { database, keyring, sessions, links, limits, knownBrowsers, factors, passkeys, securityLog } =
    dependencies;

  /** Starts a session for whoever the first step has proved, and returns its token. Throws `SecondFactorRequired`. */
  async function create(
    account: Pick<Account, 'id'>,
    client: ClientInfo,
    method: SignInMethod,
  ): Promise<string> {
    const now = await database.clock();
    const opened = await database.transaction((tx) => open(account, client, method, { now, tx }));
    return sessionIn(opened).token;
  }

  /**
   * As `create`, in a transaction, which goes on where an account has a second factor: throw only after it, by `sessionIn`. A provider that
   * asked for several factors has done the second step, and so has a device that made sure who uses its passkey.
   */
  async function open(
    account: Pick<Account, 'id'>,
    client: ClientInfo,
    method: SignInMethod,
    { now, tx, atProvider }: Opening,
  ): Promise<Opened> {
    const isDone = method.factors.some(isBoth) || !(await hasFactor(account, tx));
    if (isDone) return start(account, client, method, { now, tx, atProvider });
    const pending = { account: account.id.toString('hex'), method, atProvider } satisfies Pending;
    return { step: await links.create('secondFactor', pending, tx) };
  }

  /** Starts a session, which ends with that at a provider where one began it. */
  async function start(
    account: Pick<Account, 'id'>,
    client: ClientInfo,
    method: SignInMethod,
    { now, tx, atProvider }: Opening,
  ) {
    const session = await sessions.open(account, client, method, { now, tx });
    if (atProvider !== undefined) await recordProviderSession(keyring, session.id, atProvider, tx);
    return session;
  }

  /**
   * What the account can do the second step with, and what a browser asks for one of its passkeys by. Throws `not_found` once the step
   * is done or too old.
   */
  async function preview(step: string) {
    const { account } = await requirePending(step);
    return { factors: await factors.list(account), passkeyOptions: await passkeys.optionsOf(account) };
  }

  /**
   * Starts a session by a code of the app, a recovery code, or a passkey of the account, and returns its token. Throws `not_found` once
   * the step is done or too old, `unauthenticated` for what is wrong or was used, and `too_many` like a password: but strangers cannot keep
   * out a browser that has signed in before.
   */
  async function finish(
    step: string,
    given: string | PasskeyAnswer,
    client: ClientInfo,
  ): Promise<{ session: string; email: string }> {
    const { account, method, atProvider } = await requirePending(step);
    const { factor, save } = await (typeof given === 'string'
      ? proveCode(account, given, client)
      : provePasskey(account, given, client));
    const { way, name, factors: first } = method;
    const proved = { way, name, factors: [...first, factor] };
    const now = await database.clock();
    const session = await database.transaction(async (tx) => {
      await links.consume(step, tx);
      await save?.(tx);
      if (factor === 'recovery')
        await securityLog.record({ kind: 'recovery_code_used', account, client }, tx);
      return start(account, client, proved, { now, tx, atProvider });
    });
    return { session: session.token, email: account.email };
  }

  async function proveCode(account: Account, code: string, client: ClientInfo): Promise<ProvedFactor> {
    let used: SignInFactor | undefined;
    async function verify(): Promise<boolean> {
      used = await factors.useCode(account, code);
      return used !== undefined;
    }
    const browser = knownBrowsers.maybeId(account.email, client.browserProof);
    await (browser === undefined
      ? limits.attempt('secondFactor', { account: account.id, client }, verify)
      : limits.attempt('knownBrowserFactor', { account: account.id, browser }, verify));
    if (used !== undefined) return { factor: used };
    securityLog.count({ kind: 'sign_in_failed', account, detail: 'otp', client });
    throw new DomainError('unauthenticated', 'wrongCode');
  }

  /** Passkeys cannot be guessed, so nobody is kept out by wrong ones. */
  async function provePasskey(
    account: Account,
    answer: PasskeyAnswer,
    client: ClientInfo,
  ): Promise<ProvedFactor> {
    const { save } = await passkeys.prove(answer, { account, wrong: 'sign_in_failed' }, client);
    return { factor: 'passkey', save };
  }

  async function requirePending(step: string): Promise<Omit<Pending, 'account'> & { account: Account }> {
    const { account: id, ...pending } = await links.read<Pending>('secondFactor', step);
    const [account] = await database.select<Account>(
      `SELECT ${accountColumns} FROM accounts a WHERE a.id = $id AND ${isEnabled}`,
      { id: Buffer.from(id, 'hex') },
    );
    if (account === undefined) throw new DomainError('not_found', 'linkUsed');
    return { account, ...pending };
  }

  return { create, open, preview, finish };
}

/** Whether a first step with this is the second one as well. */
const isBoth = (factor: SignInFactor): boolean => factor === 'mfa' || factor === 'passkey';

/** The session that was opened. Throws `SecondFactorRequired` where the second step must come first. */
export function sessionIn(opened: Opened) {
  if ('step' in opened) throw new SecondFactorRequired(opened.step);
  return opened;
}
