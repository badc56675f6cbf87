import { expect } from 'chai';

import { domainSettings, readConfig } from '../../src/config.ts';
import { createFileList } from '../../src/domain/files/fileList.ts';
import type { Account } from '../../src/domain/index.ts';
import { createPushFinder } from '../../src/domain/pushes/find.ts';
import { createPushList } from '../../src/domain/pushes/list.ts';
import { createPushRecipients } from '../../src/domain/pushes/recipients.ts';
import { createAccount, someClient, startService, type TestService } from '../harness/service.ts';

type Select = TestService['database']['select'];

describe('The lists of an account', () => {
  let service: TestService;
  let account: Account;

  before(async () => {
    service = await startService();
    account = (await createAccount(service.domain, 'ann@example.com')).account;
  });
  after(() => service.stop());

  const create = (name: string) =>
    service.domain.pushes.create({ payload: 'tulip', name }, { account, client: someClient });

  /** Lists over the same database, whose reads `onSelect` sees. */
  function observed(onSelect: (...statement: Parameters<Select>) => Promise<void>) {
    const { database, keyring } = service;
    const select = (async (sql, binds) => {
      const found = await database.select(sql, binds);
      await onSelect(sql, binds);
      return found;
    }) as Select;
    const finder = createPushFinder({
      database,
      keyring,
      limits: undefined as never,
      settings: domainSettings(readConfig({})).pushes,
    });
    return createPushList({
      database: { ...database, select },
      fileList: createFileList(database, keyring),
      finder,
      pushRecipients: createPushRecipients(database, keyring),
    });
  }

  it('find a page in an index alone, and read no other push', async () => {
    const { database } = service;
    const plans: string[] = [];
    const lists = observed(async (sql, binds) => {
      const explain = database.dialect.name === 'mysql' ? 'EXPLAIN' : 'EXPLAIN QUERY PLAN';
      plans.push(JSON.stringify(await database.select(`${explain} ${sql}`, binds)));
    });
    await create('VPN');
    for (const state of ['active', 'expired'] as const) await lists.list(account, state, 200);
    await lists.search(account, 'active', 'vpn', 1);
    expect(plans.slice(0, 3)).to.have.length(3);
    for (const plan of plans.slice(0, 3)) {
      expect(plan).to.match(/"key":"pushes_by_account"|COVERING INDEX pushes_by_account/);
      expect(plan).to.match(/Using index"|COVERING INDEX pushes_by_account/);
    }
  });

  it('show a push once although another is created during the search', async () => {
    for (let number = 0; number < 10; number++) await create(`server ${number}`);
    await Promise.all(Array.from({ length: 195 }, () => create('printer'))); // the first 200 end among the servers
    let isFirst = true;
    const lists = observed(async () => {
      if (isFirst) await create('a newer printer');
      isFirst = false;
    });
    const names = (await lists.search(account, 'active', 'server', 1)).map(({ name }) => name);
    expect(names).to.have.members(Array.from({ length: 10 }, (_, number) => `server ${number}`));
  });
});
