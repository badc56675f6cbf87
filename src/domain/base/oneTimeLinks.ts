import { openLabel, seal } from '../../crypto/cipher.ts';
import { newId } from '../../crypto/ids.ts';
import { digestOf, newSecret } from '../../crypto/tokens.ts';
import type { Tx } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import { hourMs, minuteMs } from '../../time.ts';
import type { DatabaseWithKeys } from './dependencies.ts';

/** How long a link of each purpose is valid. */
const lifetimesMs = {
  compose: 15 * minuteMs,
  connect: 10 * minuteMs,
  oauth: 10 * minuteMs,
  signIn: 10 * minuteMs,
  joinSignIn: 15 * minuteMs,
  linkChat: 15 * minuteMs,
  secondFactor: 10 * minuteMs,
  enrolment: 10 * minuteMs,
  draft: 60 * minuteMs,
  export: 10 * minuteMs,
  reset: 30 * minuteMs,
  invite: 24 * hourMs,
  verify: 24 * hourMs,
  signUp: 24 * hourMs,
} as const;
export type LinkPurpose = keyof typeof lifetimesMs;

const tokenShape = /^[\w-]{43}$/;

export type OneTimeLinks = ReturnType<typeof createOneTimeLinks>;

/**
 * Links that work once, for a short time, for anybody who has them. The database stores their digests, and their
 * context encrypted.
 */
export function createOneTimeLinks({ database, keyring }: DatabaseWithKeys) {
  const { select, execute, deleteInBatches, dialect } = database;

  /**
   * Creates a token of 256 random bits. It works once `save` has resolved, so a link can be shown without waiting for
   * the database.
   */
  function prepare(purpose: LinkPurpose, context: object): { token: string; save: () => Promise<void> } {
    const token = newSecret();
    return { token, save: () => save(token, purpose, context) };
  }

  /** In a transaction, if one is given. */
  async function create(purpose: LinkPurpose, context: object, tx?: Tx): Promise<string> {
    const token = newSecret();
    await save(token, purpose, context, tx);
    return token;
  }

  async function save(token: string, purpose: LinkPurpose, context: object, tx?: Tx): Promise<void> {
    const id = newId();
    await (tx ?? database).execute(
      `INSERT INTO one_time_links (digest, id, purpose, context, expires_at)
         VALUES ($digest, $id, $purpose, $context, ${dialect.now} + ${lifetimesMs[purpose]})`,
      {
        digest: digestOf(token),
        id,
        purpose,
        context: seal(keyring, JSON.stringify(context), { id, field: 'link', secret: token }),
      },
    );
  }

  /** Reads the context of a link without using it up. Throws `not_found` if it is used, expired or unknown. */
  async function read<Context>(purpose: LinkPurpose, token: string): Promise<Context> {
    const { id, context } = await find(purpose, token);
    return JSON.parse(openLabel(keyring, context, { id, field: 'link', secret: token })) as Context;
  }

  async function find(purpose: LinkPurpose, token: string): Promise<{ id: Buffer; context: Buffer }> {
    const [row] = tokenShape.test(token)
      ? await select<{ id: Buffer; context: Buffer }>(
          `SELECT id, context FROM one_time_links
           WHERE digest = $digest AND purpose = $purpose AND expires_at > ${dialect.now}`,
          { digest: digestOf(token), purpose },
        )
      : [];
    if (row === undefined) throw linkNotFound();
    return row;
  }

  /** Changes the context of an unused link. */
  async function update(purpose: LinkPurpose, token: string, context: object): Promise<void> {
    const { id } = await find(purpose, token);
    const sealed = seal(keyring, JSON.stringify(context), { id, field: 'link', secret: token });
    await execute('UPDATE one_time_links SET context = $sealed WHERE digest = $digest', {
      sealed,
      digest: digestOf(token),
    });
  }

  /** Reads a link and uses it up. Of several concurrent calls, one succeeds. */
  async function redeem<Context>(purpose: LinkPurpose, token: string): Promise<Context> {
    const context = await read<Context>(purpose, token);
    await consume(token);
    return context;
  }

  /** Uses a link up, in the transaction of what it is used for. Throws `not_found` if it is used. */
  async function consume(token: string, tx?: Tx): Promise<void> {
    const deleted = await (tx ?? database).execute('DELETE FROM one_time_links WHERE digest = $digest', {
      digest: digestOf(token),
    });
    if (deleted !== 1) throw linkNotFound();
  }

  /** Deletes expired links. */
  const purge = (isStopping?: () => boolean) =>
    deleteInBatches('one_time_links', 'expires_at', dialect.now, isStopping);

  return { prepare, create, read, update, redeem, consume, purge };
}

function linkNotFound(): DomainError {
  return new DomainError('not_found', 'linkUsed');
}
