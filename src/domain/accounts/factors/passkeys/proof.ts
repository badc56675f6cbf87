import type { Database, Tx } from '../../../../database/database.ts';
import { DomainError } from '../../../../errors.ts';
import { type Account, type ClientInfo, isEnabled } from '../../../people/index.ts';
import { accountColumns, toAccount } from '../../account.ts';
import type { SecurityLog } from '../../security/log.ts';
import { type PasskeyRow, passkeysTable } from '../tables.ts';
import type { Challenges } from './challenges.ts';
import { type RelyingParty, readAssertion, verifyAssertion } from './webauthn.ts';

/** What a browser sends, as JSON, and the secret of the browser that the challenge was issued for. */
export type PasskeyAnswer = { passkey: string; browser: string };

/**
 * Whose passkey may answer; without an account, the answer says who it is. `isAlone` if the device must have made sure that it is its
 * owner, and `wrong` is what a wrong answer is in the security log.
 */
type Wanted = {
  account?: Pick<Account, 'id'>;
  isAlone?: boolean;
  wrong: 'sign_in_failed' | 'step_up_failed';
};

/** Who answered, and by which passkey. `save` must follow, in the transaction of what it is for: it uses the answer up. */
type Proved = { account: Account; name: string; save(tx: Tx): Promise<void> };

type Found = Account & Pick<PasskeyRow, 'credentialId' | 'publicKey' | 'name'> & { passkeyId: Buffer };

type Dependencies = {
  database: Database;
  securityLog: Pick<SecurityLog, 'record' | 'count'>;
  challenges: Challenges;
  party: RelyingParty;
};

/** Answers of devices to challenges: who they are. */
export function createPasskeyProof({ database, securityLog, challenges, party }: Dependencies) {
  /** Checks an answer. Throws `unauthenticated` with what is wrong with it, and can be tried again then. */
  async function prove(
    { passkey, browser }: PasskeyAnswer,
    { account: owner, isAlone = false, wrong }: Wanted,
    client: ClientInfo,
  ): Promise<Proved> {
    const answer = readAssertion(party, passkey);
    const { now: lastUsedAt, spend } = await challenges.require(answer.challenge, browser);
    const found = await maybeFind(Buffer.from(answer.id, 'base64url'));
    const isUnknown = found === undefined || (owner !== undefined && !found.id.equals(owner.id));
    if (isUnknown) throw unknownTo(owner);
    const account = toAccount(found);
    const said = await verifyAssertion(party, answer, found).catch((error: unknown) => {
      securityLog.count({ kind: wrong, account, detail: 'passkey', client });
      throw error;
    });
    if (isAlone && !said.isUserVerified) throw new DomainError('unauthenticated', 'passkeyUnverified');
    const { passkeyId: id, name } = found;
    const { signCount, backedUp } = said;
    async function save(tx: Tx): Promise<void> {
      await spend(tx);
      const row = await tx.model(passkeysTable).findForUpdate({ id, accountId: account.id });
      if (row === null) throw unknownTo(owner);
      await tx.model(passkeysTable).update({ signCount, backedUp, lastUsedAt }, { id });
      if (isBehind(signCount, Number(row.signCount)))
        await securityLog.record({ kind: 'passkey_count_behind', account, detail: name, client }, tx);
    }
    return { account, name, save };
  }

  async function maybeFind(credentialId: Buffer): Promise<Found | undefined> {
    const [found] = await database.select<Found>(
      `SELECT ${accountColumns}, p.id AS passkeyId, p.name, p.credential_id AS credentialId, p.public_key AS publicKey
       FROM passkeys p JOIN accounts a ON a.id = p.account_id WHERE p.credential_id = $credentialId AND ${isEnabled}`,
      { credentialId },
    );
    return found;
  }

  return { prove };
}

/** Whether a device counts fewer uses than it did: then there may be a copy of it (6.1.1). Many always say 0. */
const isBehind = (count: number, before: number): boolean => (count > 0 || before > 0) && count <= before;

const unknownTo = (owner: Pick<Account, 'id'> | undefined) =>
  new DomainError('unauthenticated', owner === undefined ? 'passkeyUnknown' : 'passkeyOfOther');
