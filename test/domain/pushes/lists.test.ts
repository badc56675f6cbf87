import { expect } from 'chai';

import { domainSettings, readConfig } from '../../../src/config.ts';
import { createFileList } from '../../../src/domain/files/fileList.ts';
import type { Account, PushSort, PushState } from '../../../src/domain/index.ts';
import { createPushFinder } from '../../../src/domain/pushes/find.ts';
import { createPushList } from '../../../src/domain/pushes/list.ts';
import type { PushListOptions } from '../../../src/domain/pushes/listPage.ts';
import { createPushRecipients } from '../../../src/domain/pushes/recipients.ts';
import { dayMs, hourMs } from '../../../src/time.ts';
import { analyze, storePushes } from '../../../tools/bench/fill.ts';
import { times } from '../../harness/api.ts';
import { createAccount, someClient, startService, type TestService } from '../../harness/service.ts';

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
      fileList: createFileList({ database, keyring }),
      finder,
      pushRecipients: createPushRecipients({ database, keyring }),
    });
  }

  it('are in the order of their creation or their end, with and without a search', async () => {
    const owner = (await createAccount(service.domain, 'ben@example.com')).account;
    for (const [name, expireAfterDays] of [
      ['first', 3],
      ['second', 1],
      ['third', 2],
    ] as const)
      await service.domain.pushes.create(
        { payload: 'x', name, note: 'any', expireAfterDays },
        { account: owner, client: someClient },
      );
    const orders = {
      newest: 'third second first',
      oldest: 'first second third',
      ends_soonest: 'second third first',
      ends_latest: 'first third second',
    };
    const caller = { account: owner, client: someClient };
    const namesOf = async (state: PushState, options: PushListOptions) =>
      (await service.domain.pushes.list({ account: owner }, state, 1, options))
        .map(({ name }) => name)
        .join(' ');
    for (const [sort, names] of Object.entries(orders) as [PushSort, string][]) {
      expect(await namesOf('active', { sort }), sort).to.equal(names);
      expect(await namesOf('active', { sort, search: 'any' }), `${sort}, found`).to.equal(names);
      const second = await service.domain.pushes.list({ account: owner }, 'active', 2, {
        sort,
        search: 'any',
        pageSize: 2,
      });
      expect(second.map(({ name }) => name)).to.deep.equal([names.split(' ')[2]]);
    }
    for (const { urlToken } of await service.domain.pushes.list({ account: owner }, 'active', 1))
      await service.domain.pushes.expire(urlToken ?? '', caller);
    await service.database.execute(
      'UPDATE pushes SET expired_on = expired_on + 60000 WHERE account_id = $id AND lifetime_ms = $twoDays',
      { id: owner.id, twoDays: 2 * dayMs },
    );
    expect(await namesOf('expired', { sort: 'ends_latest' })).to.match(/^third /);
    expect(await namesOf('expired', { sort: 'ends_soonest' })).to.match(/ third$/);
  });

  it('are in the order of their end, swept or not, over several pages', async () => {
    const owner = (await createAccount(service.domain, 'fay@example.com')).account;
    const ids: string[] = [];
    for (let number = 0; number < 6; number++)
      ids.push(
        (
          await service.domain.pushes.create(
            { payload: 'x', note: 'any' },
            { account: owner, client: someClient },
          )
        ).id,
      );
    // When each expired by its limits and when its time ended, in hours before now; the first is live.
    const hoursAgo: [number | null, number][] = [
      [null, -5],
      [9, -4],
      [null, 8],
      [7, 3],
      [7, 5],
      [null, 6],
    ];
    const now = await service.database.clock();
    for (const [at, [expired, ended]] of hoursAgo.entries())
      await service.database.execute(
        'UPDATE pushes SET expired_on = $expiredOn, expires_at = $expiresAt WHERE account_id = $owner AND id = $id',
        {
          owner: owner.id,
          id: Buffer.from(ids[at]?.replaceAll('-', '') ?? '', 'hex'),
          expiredOn: expired && now - expired * hourMs,
          expiresAt: now - ended * hourMs,
        },
      );
    const expected = [1, 2, 4, 3, 5];
    for (const [sort, order] of [
      ['ends_soonest', expected],
      ['ends_latest', expected.toReversed()],
    ] as const) {
      for (const search of ['', 'any']) {
        const pages = await Promise.all(
          [1, 2, 3].map((page) =>
            service.domain.pushes.list({ account: owner }, 'expired', page, { sort, search, pageSize: 2 }),
          ),
        );
        expect(
          pages.flat().map(({ id }) => ids.indexOf(id)),
          `${sort} ${search}`,
        ).to.deep.equal(order);
      }
    }
    expect(
      (await service.domain.pushes.list({ account: owner }, 'active', 1, { sort: 'ends_soonest' })).map(
        ({ id }) => ids.indexOf(id),
      ),
    ).to.deep.equal([0]);
    expect(await service.domain.pushes.count(owner, 'expired')).to.equal(5);
  });

  it('are limited to a kind and to the recipients whose name or address contains a text', async () => {
    const owner = (await createAccount(service.domain, 'carol@example.com')).account;
    const caller = { account: owner, client: someClient };
    const { pushes } = service.domain;
    const named = await pushes.create({ payload: 'x', name: 'VPN', recipients: ['Zoë Bach', 'Bob'] }, caller);
    const link = await pushes.create({ payload: 'https://example.com', kind: 'url' }, caller);
    const shared = await pushes.create({ payload: 'x', name: 'Wi-Fi' }, caller);
    await pushes.share(owner, shared.id, [{ platform: 'slack', address: 'T1:U7', name: '@bobby' }]);
    const found = async (options: PushListOptions) =>
      (await pushes.list({ account: owner }, 'active', 1, options)).map(({ id }) => id);
    expect(await found({ kind: 'url' })).to.deep.equal([link.id]);
    expect(await pushes.count(owner, 'active', { kind: 'text' })).to.equal(2);
    expect(await found({ recipient: 'ZOE\u0308' })).to.deep.equal([named.id]);
    expect(await found({ recipient: ' bob ' })).to.deep.equal([shared.id, named.id]);
    expect(await found({ recipient: 't1:u7' })).to.deep.equal([shared.id]);
    expect(await found({ recipient: 'bob', search: 'vpn' })).to.deep.equal([named.id]);
    expect(await found({ recipient: 'bob', kind: 'url' })).to.deep.equal([]);
    expect(await found({ recipient: 'nobody' })).to.deep.equal([]);
  });

  it('find texts with any characters, and nothing that only their storage has', async () => {
    const owner = (await createAccount(service.domain, 'hal@example.com')).account;
    const notes = ['the "blue" door', 'C:\\new', 'one\ntwo', 'Zoe\u0308', 'ÄRGER', 'plain'];
    for (const note of notes)
      await service.domain.pushes.create({ payload: 'x', note }, { account: owner, client: someClient });
    const find = async (search: string) =>
      (await service.domain.pushes.list({ account: owner }, 'active', 1, { search })).map(({ note }) => note);
    for (const [search, note] of [
      ['"BLUE" d', 0],
      ['c:\\N', 1],
      ['e\ntw', 2],
      ['zo\u00eb', 3],
      ['ärger', 4],
      ['PLAIN', 5],
    ] as const)
      expect(await find(search), search).to.deep.equal([notes[note]]);
    for (const search of ['null', 'ntwo', '\\\\', '","', '["'])
      expect(await find(search), search).to.deep.equal([]);
  });

  it('show a push once although another is created during the search', async () => {
    for (let number = 0; number < 10; number++) await create(`server ${number}`);
    await Promise.all(Array.from({ length: 120 }, () => create('printer'))); // the first 125 end among the servers
    let isFirst = true;
    const lists = observed(async () => {
      if (isFirst) await create('a newer printer');
      isFirst = false;
    });
    const names = (await lists.list({ account }, 'active', 1, { search: 'server' })).map(({ name }) => name);
    expect(names).to.have.members(Array.from({ length: 10 }, (_, number) => `server ${number}`));
  });

  it('find each push once, however many portions a search reads', async () => {
    const owner = (await createAccount(service.domain, 'emil@example.com')).account;
    const { pushes } = service.domain;
    const createNamed = (name: string) =>
      pushes.create({ payload: 'tulip', name }, { account: owner, client: someClient });
    await createNamed('tulip');
    await times(400, (number) => createNamed(`bulb ${number}`)); // two portions have 375
    const find = async (search: string) =>
      (await pushes.list({ account: owner }, 'active', 1, { search, pageSize: 500 })).map(({ name }) => name);
    expect(await find('tulip')).to.deep.equal(['tulip']);
    const first = { search: 'l', sort: 'oldest', pageSize: 1 } as const; // which a search reads last
    expect((await pushes.list({ account: owner }, 'active', 1, first)).map(({ name }) => name)).to.deep.equal(
      ['tulip'],
    );
    expect(await find('bulb')).to.have.members(Array.from({ length: 400 }, (_, number) => `bulb ${number}`));
  });

  it('let other requests go on while they search notes that take long to compare', async () => {
    const owner = (await createAccount(service.domain, 'dora@example.com')).account;
    const note = `a${'\u0301\u0327'.repeat(14)}`.repeat(68);
    await Promise.all(
      Array.from({ length: 300 }, () =>
        service.domain.pushes.create({ payload: 'tulip', note }, { account: owner, client: someClient }),
      ),
    );
    const cpuMs = ({ user, system } = process.cpuUsage()) => (user + system) / 1_000;
    const turns = [cpuMs()];
    const measure = () => {
      turns.push(cpuMs());
      turn = setImmediate(measure);
    };
    let turn = setImmediate(measure);
    expect(
      await service.domain.pushes.list({ account: owner }, 'active', 1, { search: 'nothing' }),
    ).to.deep.equal([]);
    clearImmediate(turn);
    turns.push(cpuMs());
    const longest = Math.max(...turns.map((at, index) => at - (turns[index - 1] ?? at)));
    expect(longest / (Number(turns.at(-1)) - Number(turns[0])), 'share of the longest turn').to.be.below(
      0.25,
    );
  });

  // Runs last: an EXPLAIN holds its read lock for a while in the embedded database.
  it('find a page in an index alone, read no other push, and sort none by its end', async () => {
    const { database } = service;
    const isMysql = database.dialect.name === 'mysql';
    const isFinding = isMysql ? /"(DERIVED|UNION)".*"table":"pushes"/ : /pushes_by_/;
    const plans: string[] = [];
    const lists = observed(async (sql, binds) => {
      const steps = await database.select<Record<string, unknown>>(
        `${isMysql ? 'EXPLAIN FORMAT = TRADITIONAL' : 'EXPLAIN QUERY PLAN'} ${sql}`,
        binds,
      );
      plans.push(...steps.map((step) => JSON.stringify(step)).filter((step) => isFinding.test(step)));
    });
    const owner = (await createAccount(service.domain, 'gus@example.com')).account;
    await storePushes(database, { count: 3_000, expiresInMs: dayMs, accountId: owner.id });
    await storePushes(database, {
      count: 3_000,
      expiresInMs: -dayMs,
      accountId: owner.id,
      purgedInMs: dayMs,
    });
    await analyze(database);
    async function plansOf(state: PushState, options: PushListOptions): Promise<string[]> {
      plans.length = 0;
      await lists.list({ account: owner }, state, 1, options);
      expect(plans).to.not.have.length(0);
      return [...plans];
    }
    const isAlone = isMysql ? /Using index[;"]/ : /COVERING INDEX/;
    const ofKind = { kind: 'text', search: 'vpn', recipient: 'bob' } as const;
    for (const state of ['active', 'expired'] as const) {
      for (const options of [{}, { kind: 'text' }, { sort: 'oldest' }, ofKind] as const)
        for (const plan of await plansOf(state, options)) expect(plan).to.match(isAlone);
      for (const sort of ['ends_soonest', 'ends_latest'] as const)
        for (const plan of await plansOf(state, { sort }))
          expect(plan).to.match(isAlone).and.include('pushes_by_end').and.not.include('filesort');
    }
  });
});
