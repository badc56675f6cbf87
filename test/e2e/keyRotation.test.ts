import { expect } from 'chai';
import { connectDatabase, type Database } from '../../src/database/database.ts';
import { findActiveKeyId } from '../../src/domain/keys/keyChecks.ts';
import { bearer } from '../harness/api.ts';
import { type DatabaseFolder, openDatabaseFolder } from '../harness/databaseFolder.ts';
import { startTraffic } from '../harness/traffic.ts';
import { untilLater } from '../harness/until.ts';

const minuteMs = 60_000;

// It takes several seconds, because real processes read their key file every five. `npm run prove` rotates at full length.
describe('Master keys in a file', () => {
  let folder: DatabaseFolder;
  let database: Database;

  before(async () => {
    folder = await openDatabaseFolder({}, { keyFile: 'keys' });
    database = connectDatabase(folder.url, { poolSize: 2 });
  });

  after(async () => {
    await database.close();
    await folder.remove();
  });

  /** Lets a minute or two pass for the processes and the keys. */
  async function letTimePass(): Promise<void> {
    const back = (table: string, column: string) =>
      database.execute(`UPDATE ${table} SET ${column} = ${column} - $ms WHERE ${column} > $ms`, {
        ms: 2 * minuteMs,
      });
    await back('processes', 'registered_at');
    await back('key_checks', 'activated_at');
  }

  /** Runs commands and returns the JSON that each printed. */
  async function run(...commands: string[]): Promise<unknown[]> {
    const printed = await folder.runAll(commands.map((command) => `${command} --json`));
    return [...printed.values()].map((text) => JSON.parse(text));
  }

  it('are replaced under traffic, without a restart, a failure or a lost view', async () => {
    const services = [await folder.start(), await folder.start()];
    for (const service of services) await service.ready();
    const [created] = await run('admin account create ann@example.com');
    const { token } = created as { token: string };
    const traffic = startTraffic(() => services.map(({ port }) => port), bearer(token));

    await run('admin keys add');
    await letTimePass();
    await untilLater(async () => (await findActiveKeyId(database)) === 2);
    await untilLater(async () => {
      const sql = 'SELECT 1 FROM processes WHERE active_key_id <> 2';
      return (await database.select(sql, {})).length === 0;
    });
    await letTimePass();
    const [{ resealed }] = (await run('admin keys reseal')) as [{ resealed: number }];
    expect(resealed).to.be.greaterThan(0);
    const soFar = traffic.result.pushes;
    await untilLater(() => traffic.result.pushes > soFar + 20);
    const result = await traffic.stop();
    const [, removed, listed] = await run('admin keys reseal', 'admin keys remove 1', 'admin keys list');
    expect(removed).to.include({ key_id: 1 });
    expect(listed).to.have.length(1).and.have.nested.property('[0].state', 'active');

    expect(result.failures).to.deep.equal([]);
    expect(result).to.include({ lost: 0, over: 0 });
    expect(result.delivered).to.be.greaterThan(40);
    for (const service of services) expect(await service.stop()).to.include({ code: 0 });
  });
});
