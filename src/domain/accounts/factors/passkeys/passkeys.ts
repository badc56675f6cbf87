import { z } from 'zod';
import { newId, toId } from '../../../../crypto/ids.ts';
import type { Signing } from '../../../../crypto/signing.ts';
import type { Database, Tx } from '../../../../database/database.ts';
import { refuseDuplicate } from '../../../../database/errors.ts';
import { DomainError } from '../../../../errors.ts';
import { parseInput, type SignInSettings } from '../../../base/index.ts';
import type { Account } from '../../../people/index.ts';
import { nameField } from '../../accountSchema.ts';
import type { SecurityLog } from '../../security/log.ts';
import { type PasskeyRow, passkeysTable } from '../tables.ts';
import { createChallenges } from './challenges.ts';
import { createPasskeyProof, type PasskeyAnswer } from './proof.ts';
import {
  creationOptions,
  maybeObstacleAt,
  readCreation,
  relyingPartyAt,
  requestOptions,
  verifyCreation,
} from './webauthn.ts';

/** More than anybody has devices; a page lists them all. */
const passkeysMax = 30;

const nameSchema = z.object({ name: nameField });

/** A passkey as shown to its owner. `id` is hexadecimal, times are epoch milliseconds. */
export type Passkey = Pick<PasskeyRow, 'name' | 'backedUp' | 'createdAt' | 'lastUsedAt'> & {
  id: string;
  /** In base64url. */
  credentialId: string;
  /** The host that it was created for, if that is not this one: it does not work here. */
  otherHost: string | null;
};

type Dependencies = {
  database: Database;
  signing: Signing;
  securityLog: Pick<SecurityLog, 'record' | 'count'>;
  settings: Pick<SignInSettings, 'url'>;
};

export type Passkeys = ReturnType<typeof createPasskeys>;

/** Passkeys of accounts (WebAuthn). Who may add and remove them is decided by `factors`. */
export function createPasskeys({ database, signing, securityLog, settings: { url } }: Dependencies) {
  const party = relyingPartyAt(url);
  const obstacle = maybeObstacleAt(url);
  const challenges = createChallenges({ database, signing });
  const Model = database.model(passkeysTable);

  async function list({ id: accountId }: Pick<Account, 'id'>): Promise<Passkey[]> {
    const rows = await Model.findAll({ where: { accountId }, order: ['createdAt', 'id'] });
    return rows.map(({ id, credentialId, rpId, name, backedUp, createdAt, lastUsedAt }) => ({
      id: id.toString('hex'),
      credentialId: credentialId.toString('base64url'),
      otherHost: rpId === party.id ? null : rpId,
      name,
      backedUp,
      createdAt,
      lastUsedAt,
    }));
  }

  const ofHost = ({ id: accountId }: Pick<Account, 'id'>) =>
    Model.findAll({ where: { accountId, rpId: party.id }, order: ['createdAt', 'id'] });

  /** What a browser creates a passkey of an account by, but for the challenge. Throws `conflict` where browsers create none. */
  async function optionsOfNew(account: Pick<Account, 'id' | 'email'>) {
    requireAvailable();
    return creationOptions(party, { handle: account.id, name: account.email }, await ofHost(account));
  }

  /** What a browser asks for a passkey by, but for the challenge: one of an account, or any that signs in alone. */
  const optionsOf = async (account?: Pick<Account, 'id'>) =>
    requestOptions(party, account && (await ofHost(account)));

  /**
   * Checks what a browser has created, and returns what saves it. Throws `invalid` for a name that is none, `unauthenticated` for
   * an answer that is not right, and `conflict` for a passkey that exists and for more than thirty.
   */
  async function create(
    account: Pick<Account, 'id'>,
    input: { name: string },
    { passkey, browser }: PasskeyAnswer,
  ): Promise<{ name: string; save(tx: Tx): Promise<void> }> {
    const { name } = parseInput(nameSchema, input);
    requireAvailable();
    const creation = readCreation(party, passkey);
    const { now: createdAt, spend } = await challenges.require(creation.challenge, browser);
    const created = await verifyCreation(party, creation);
    const { id: accountId } = account;
    const row = {
      id: newId(),
      accountId,
      userHandle: accountId,
      rpId: party.id,
      name,
      ...created,
      createdAt,
    };
    async function save(tx: Tx): Promise<void> {
      await spend(tx);
      const others = await tx.model(passkeysTable).findAll({ where: { accountId } });
      if (others.length >= passkeysMax)
        throw new DomainError('conflict', 'tooManyPasskeys', { values: { max: passkeysMax } });
      await tx
        .model(passkeysTable)
        .create(row)
        .catch(refuseDuplicate(() => new DomainError('conflict', 'passkeyExists')));
    }
    return { name, save };
  }

  /** Forgets a passkey of an account, and returns its name. Throws `not_found`. */
  async function remove({ id: accountId }: Pick<Account, 'id'>, given: string, tx: Tx): Promise<string> {
    const { id, name } = await requireOwn(accountId, given, tx);
    await tx.model(passkeysTable).destroy({ id });
    return name;
  }

  async function requireOwn(accountId: Buffer, given: string, tx: Tx): Promise<PasskeyRow> {
    const found = await tx.model(passkeysTable).findForUpdate({ id: toId(given), accountId });
    if (found === null) throw new DomainError('not_found', 'factorNotFound');
    return found.get();
  }

  /** Gives a passkey of an account another name, and returns it. Throws `not_found`, and `invalid` for a name that is none. */
  async function rename(
    { id: accountId }: Pick<Account, 'id'>,
    given: string,
    input: { name: string },
    tx: Tx,
  ): Promise<string> {
    const { name } = parseInput(nameSchema, input);
    const { id } = await requireOwn(accountId, given, tx);
    await tx.model(passkeysTable).update({ name }, { id });
    return name;
  }

  /** How many accounts have passkeys of this host, and of each other: those do not work here. */
  async function hosts() {
    const rows = await database.select<{ host: string; accounts: number }>(
      'SELECT rp_id AS host, COUNT(DISTINCT account_id) AS accounts FROM passkeys GROUP BY rp_id ORDER BY accounts DESC, rp_id',
      {},
    );
    const counted = rows.map(({ host, accounts }) => ({ host, accounts: Number(accounts) }));
    return {
      host: party.id,
      here: counted.find(({ host }) => host === party.id)?.accounts ?? 0,
      elsewhere: counted.filter(({ host }) => host !== party.id),
    };
  }

  function requireAvailable(): void {
    if (obstacle !== undefined) throw new DomainError('conflict', 'passkeysUnavailable');
  }

  return {
    obstacle,
    list,
    optionsOfNew,
    optionsOf,
    challenge: challenges.issue,
    create,
    rename,
    remove,
    ...createPasskeyProof({ database, securityLog, challenges, party }),
    hosts,
  };
}
