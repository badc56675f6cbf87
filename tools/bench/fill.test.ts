import { expect } from 'chai';
import { startService, type TestService } from '../../test/harness/service.ts';
import { storePushes } from './fill.ts';
import { bareStatements, newPushValues } from './servers/bareStatements.ts';

describe('The pushes that a bench stores', () => {
  let service: TestService;

  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  it('are swept and purged like others', async () => {
    const { database, domain } = service;
    await storePushes(database, { count: 3, expiresInMs: 60_000 });
    await storePushes(database, { count: 4, expiresInMs: -60_000 });
    await storePushes(database, { count: 5, expiresInMs: -60_000, purgedInMs: -1 });
    expect(await domain.sweeps.expireDue()).to.equal(4);
    expect(await domain.sweeps.purge()).to.equal(5);
  });

  it('have every column that must be set, also in the statement of the bare server', async () => {
    const { database } = service;
    const { insertPush } = bareStatements(database.dialect);
    const binds: Record<string, Buffer | string | number> = {};
    const values = newPushValues(Buffer.alloc(32, 2), { payload: Buffer.alloc(166), views: 5 });
    const sql = insertPush.replaceAll('?', () => {
      const name = `value${Object.keys(binds).length}`;
      binds[name] = values[Object.keys(binds).length] ?? '';
      return `$${name}`;
    });
    expect(await database.execute(sql, binds)).to.equal(1);
  });
});
