import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { newId } from '../../src/crypto/ids.ts';
import { connectDatabase, type Database } from '../../src/database/database.ts';
import { type ForeignKey, foreignKeysOf, type Table } from '../../src/database/table.ts';
import { tables } from '../../src/domain/tables.ts';
import { buildJobs } from '../../src/scheduler/jobs.ts';
import { times } from '../harness/api.ts';
import { refusalOf } from '../harness/refusal.ts';
import { anonymous, createAccount, someClient, startService, type TestService } from '../harness/service.ts';

const all: readonly Table<Record<string, unknown>>[] = tables;
const foreignKeys = all.flatMap(foreignKeysOf);

describe('A row without its parent', () => {
  let service: TestService;
  /** One connection, whose checks of foreign keys can be turned off. */
  let unchecked: Database;

  before(async () => {
    service = await startService();
    unchecked = connectDatabase(service.databaseUrl, { poolSize: 1 });
  });

  after(async () => {
    await unchecked.close();
    await service.stop();
  });

  async function storeUnchecked(key: ForeignKey, parents: Buffer[]): Promise<void> {
    const { dialect, sequelize } = unchecked;
    const setting = dialect.name === 'mysql' ? 'SET SESSION foreign_key_checks' : 'PRAGMA foreign_keys';
    await sequelize.query(`${setting} = OFF`);
    await store(key, parents, unchecked).finally(() => sequelize.query(`${setting} = ON`));
  }

  /** Stores rows that refer to these parents. Whatever may be null is null. */
  async function store(
    { table, column }: ForeignKey,
    parents: Buffer[],
    { execute }: Database,
  ): Promise<void> {
    const columns = await service.database.sequelize.getQueryInterface().describeTable(table);
    const names = Object.keys(columns).filter((name) => name === column || !columns[name]?.allowNull);
    const rows = parents.map((parent, row) =>
      names.map((name) => [
        `${name}_${row}`,
        name === column ? parent : someValue(columns[name]?.type ?? ''),
      ]),
    );
    const values = rows.map((row) => `(${row.map(([name]) => `$${name}`).join(', ')})`);
    const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES ${values.join(', ')}`;
    await execute(sql, Object.fromEntries(rows.flat()));
  }

  async function childrenOf({ table, column }: ForeignKey, parent: Buffer): Promise<number> {
    const sql = `SELECT COUNT(*) AS children FROM ${table} WHERE ${column} = $parent`;
    const [row] = await service.database.select<{ children: number }>(sql, { parent });
    return Number(row?.children);
  }

  for (const key of foreignKeys) {
    const { table, column, parent } = key;

    it(`among ${table} is refused if no row of ${parent} has its ${column}`, async () => {
      const stored = store(key, [missingParent(key)], service.database);
      expect((await refusalOf(stored)).messageCode).to.equal('parentRemoved');
    });

    it(`among ${table} is found by its ${column} and removed`, async () => {
      const missing = missingParent(key);
      await storeUnchecked(key, [missing]);
      expect(await childrenOf(key, missing)).to.equal(1);
      expect(await service.domain.removeOrphans()).to.equal(1);
      expect(await childrenOf(key, missing)).to.equal(0);
    });
  }

  it('is found by a job behind many others, and none of these is touched', async () => {
    const key = foreignKeys.find(({ table }) => table === 'pushes') ?? expect.fail('pushes have no parent');
    const jobs = buildJobs(service.domain, service.messengers);
    const daily = jobs.find(({ name }) => name === 'remove-orphans') ?? expect.fail('there is no such job');
    const { account: ann } = await createAccount(service.domain);
    const { account: bob } = await createAccount(service.domain);
    const missing = [newId(), newId()];
    const parents = [ann.id, ...missing, bob.id].flatMap((id) => Array<Buffer>(600).fill(id));
    for (let at = 0; at < parents.length; at += 100) await storeUnchecked(key, parents.slice(at, at + 100));
    await daily.run(() => false);
    for (const id of missing) expect(await childrenOf(key, id)).to.equal(0);
    for (const { id } of [ann, bob]) expect(await childrenOf(key, id)).to.equal(600);
  });

  it('is not left by an account that is erased while it creates pushes for recipients', async () => {
    for (let round = 0; round < 10; round++) {
      const { account } = await createAccount(service.domain);
      const owner = { account, client: someClient };
      const create = (recipients: string[]) =>
        service.domain.pushes.create({ payload: 'tulip', recipients }, owner).catch(() => {});
      const kinds = [[], ['Bob'], []];
      const before = times(9, (index) => create(kinds[index % 3] ?? []));
      const erasing = service.domain.accounts.erase(account.email, 'operator');
      const meanwhile = times(9, (index) => create(kinds[index % 3] ?? []));
      await Promise.all([before, erasing, meanwhile]);
      await create([]);
    }
    await service.domain.pushes.create({ payload: 'tulip' }, anonymous);
    expect(await service.domain.removeOrphans()).to.equal(0);
  });
});

/** The id of a row that does not exist; in one table ids are longer. */
const missingParent = ({ parent }: ForeignKey) => randomBytes(parent === 'download_grants' ? 32 : 16);

/** A value for a column of this type, different each time. */
function someValue(type: string): Buffer | string | number {
  const [, kind = '', length = '8'] = /^(\w+)(?:\((\d+)\))?/.exec(type.toUpperCase()) ?? [];
  if (/BLOB|BINARY/.test(kind)) return randomBytes(Math.min(32, Number(length)));
  if (/TEXT|CHAR/.test(kind)) return randomBytes(16).toString('hex').slice(0, Number(length));
  return 1;
}
