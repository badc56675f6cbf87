import { expect } from 'chai';
import { newKey, parseKeyring } from '../../../src/crypto/keyring.ts';
import { connectDatabase, type Database } from '../../../src/database/database.ts';
import { createMigrations } from '../../../src/database/migrations.ts';
import { KeyMismatch, requireMatchingKeys } from '../../../src/domain/keys/keyChecks.ts';
import { createProcessRegistration } from '../../../src/domain/processes/processes.ts';
import { type FreshDatabase, freshDatabase } from '../../harness/database.ts';
import { migrationsFolder } from '../../harness/service.ts';

const [one, two, pepper] = [newKey(), newKey(), newKey()];

describe('A database that was written with certain keys', () => {
  let fresh: FreshDatabase;
  let database: Database;

  before(async () => {
    fresh = await freshDatabase();
    database = connectDatabase(fresh.url, { poolSize: 4 });
    await createMigrations(database, migrationsFolder).up();
  });

  beforeEach(async () => {
    await database.execute('DELETE FROM key_checks', {});
    await requireMatchingKeys(database, parseKeyring(`1:${one}`, pepper));
  });

  after(async () => {
    await database.close();
    await fresh.drop();
  });

  const check = (masterKeys: string, pepperText = pepper) =>
    requireMatchingKeys(database, parseKeyring(masterKeys, pepperText));

  async function mismatch(work: Promise<void>): Promise<string> {
    const error = await work.catch((reason: unknown) => reason);
    if (error instanceof KeyMismatch) return error.message;
    return expect.fail(`no mismatch: ${error}`);
  }

  it('accepts them again, and a new key beside them that does not encrypt yet', async () => {
    await check(`1:${one}`);
    const keyring = parseKeyring(`2:${two},1:${one}`, pepper);
    expect(keyring.active.id).to.equal(2);
    await requireMatchingKeys(database, keyring);
    expect(keyring.active).to.deep.equal({ id: 1, key: keyring.all.get(1) });
  });

  it('replaces an active key that is lost by a new one, but not while a process serves, and not by an old key', async () => {
    const expected = 'master key 1 encrypts new records, but is not among MASTER_KEYS';
    await check(`2:${two},1:${one}`);
    const serving = createProcessRegistration({
      database,
      keyring: parseKeyring(`1:${one}`, pepper),
      readKeyring: async () => parseKeyring(`1:${one}`, pepper),
      name: 'other',
    });
    await serving.renew();
    expect(await mismatch(check(`2:${two}`))).to.contain(expected);
    await serving.remove();
    const keyring = parseKeyring(`2:${two}`, pepper);
    await requireMatchingKeys(database, keyring);
    expect(keyring.active.id).to.equal(2);
    expect(await mismatch(check(`1:${one}`))).to.contain('master key 2 encrypts new records');
    await check(`1:${one},2:${two}`);
  });

  it('refuses another key under a known id', async () => {
    const written = 'is not the one that this database was written with';
    expect(await mismatch(check(`1:${two}`))).to.equal(`master key 1 ${written}`);
    expect(await mismatch(check(`2:${newKey()},1:${two}`))).to.equal(`master key 1 ${written}`);
    expect(await mismatch(check(`1:${one}`, newKey()))).to.equal(`PEPPER ${written}`);
  });

  it('refuses keys that it does not know, and stores nothing of what it refused', async () => {
    expect(await mismatch(check(`2:${two}`))).to.equal(
      'none of the MASTER_KEYS is one that this database was written with',
    );
    await mismatch(check(`3:${two},1:${newKey()}`));
    const [row] = await database.select<{ count: number }>('SELECT COUNT(*) AS count FROM key_checks', {});
    expect(Number(row?.count)).to.equal(2);
  });

  it('accepts one of two processes that add different keys under one id at the same time', async () => {
    const outcomes = await Promise.all(
      [two, newKey()].map((key) =>
        check(`2:${key},1:${one}`).then(
          () => 'in',
          () => 'out',
        ),
      ),
    );
    expect(outcomes.sort()).to.eql(['in', 'out']);
  });

  it('holds only check values, no keys', async () => {
    const rows = await database.select<{ checkValue: Buffer }>(
      'SELECT check_value AS checkValue FROM key_checks',
      {},
    );
    const hex = rows.map(({ checkValue }) => checkValue.toString('hex')).join(' ');
    for (const key of [one, pepper]) expect(hex).not.to.contain(Buffer.from(key, 'base64').toString('hex'));
  });
});
