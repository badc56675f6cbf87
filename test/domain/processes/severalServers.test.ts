import { expect } from 'chai';
import { newKey, parseKeyring } from '../../../src/crypto/keyring.ts';
import { type Account, DomainError } from '../../../src/domain/index.ts';
import { findActiveKeyId, KeyMismatch, requireMatchingKeys } from '../../../src/domain/keys/keyChecks.ts';
import { createProcessRegistration } from '../../../src/domain/processes/processes.ts';
import { times } from '../../harness/api.ts';
import { type FreshDatabase, freshDatabase, onMariadb } from '../../harness/database.ts';
import { newSharedSettings } from '../../harness/process.ts';
import { createAccount, someClient, startService, type TestService } from '../../harness/service.ts';

const rounds = 5;

/** On Galera, each on a node of its own: a row that one has locked is not locked for the other. */
if (onMariadb)
  describe('Two services that meet in the database', () => {
    let fresh: FreshDatabase;
    let services: [TestService, TestService];

    before(async () => {
      fresh = await freshDatabase();
      const shared = newSharedSettings(fresh.url);
      const [first = fresh.url, second = first] = fresh.urls;
      services = [
        await startService({ ...shared, DATABASE_URL: first }),
        await startService({ ...shared, DATABASE_URL: second }),
      ];
    });

    after(async () => {
      for (const service of services) await service.stop();
      await fresh.drop();
    });

    /** Calls the services in turns, all at once. Returns how often they succeeded. */
    async function succeeded(count: number, act: (service: TestService, index: number) => Promise<unknown>) {
      const results = await times(count, (index) =>
        act(services[index % 2 === 0 ? 0 : 1], index).then(
          () => true,
          (error: unknown) => {
            if (error instanceof DomainError) return false;
            throw error;
          },
        ),
      );
      return results.filter(Boolean).length;
    }

    const newAccount = (name: string): Promise<Account> =>
      createAccount(services[0].domain, `${name}@example.com`).then(({ account }) => account);

    it('register no more than twenty webhooks of an account', async () => {
      const ann = await newAccount('ann');
      const create = ({ domain }: TestService, index: number) =>
        domain.webhooks.create(ann, { url: `https://example.com/${index}` });
      for (let existing = 0; existing < 19; existing++) await create(services[0], existing);
      expect(await succeeded(6, (service, index) => create(service, 100 + index))).to.be.at.most(1);
      expect((await services[0].domain.webhooks.list(ann)).length).to.be.within(19, 20);
    });

    it('register an address once for an account', async () => {
      for (let round = 0; round < rounds; round++) {
        const account = await newAccount(`round${round}`);
        await succeeded(2, ({ domain }) =>
          domain.webhooks.create(account, { url: 'https://example.com/tulip' }),
        );
        expect(await services[0].domain.webhooks.list(account)).to.have.length(1);
      }
    });

    it('ask the sender of a push once', async () => {
      const { pushes, webhooks, accounts } = services[0].domain;
      const ben = await newAccount('ben');
      await webhooks.create(ben, { url: 'https://example.com/ben' });
      await accounts.setNoticePreferences(ben, { askedAgain: true });
      const sender = (await accounts.find(ben.email)) ?? expect.fail();
      for (let round = 0; round < rounds; round++) {
        const { urlToken } = await pushes.create(
          { payload: 'tulip' },
          { account: sender, client: someClient },
        );
        await pushes.expire(urlToken, { account: sender, client: someClient });
        await succeeded(4, ({ domain }) => domain.pushes.askAgain(urlToken, someClient));
        const log = await pushes.auditLog(urlToken, 1, { account: sender, client: someClient });
        expect(log.filter(({ kind }) => kind === 'asked_again')).to.have.length(1);
      }
    });

    it('never activate a master key that one of them lacks', async () => {
      const [one, two, pepper] = [newKey(), newKey(), newKey()];
      const [first, second] = services.map(({ database }) => database);
      if (first === undefined || second === undefined) return expect.fail();
      for (let round = 0; round < rounds; round++) {
        for (const table of ['key_checks', 'processes']) await first.execute(`DELETE FROM ${table}`, {});
        const register = async (database: typeof first, keys: string) => {
          const keyring = parseKeyring(keys, pepper);
          await requireMatchingKeys(database, keyring);
          const readKeyring = async () => parseKeyring(keys, pepper);
          return createProcessRegistration({ database, keyring, readKeyring, name: keys });
        };
        await register(first, `1:${one}`);
        const ahead = await register(first, `2:${two},1:${one}`);
        await ahead.renew();
        await first.execute('UPDATE processes SET registered_at = registered_at - 60000', {});
        const behind = await register(second, `1:${one}`);
        const [refused] = await Promise.all([
          behind.renew().then(
            () => false,
            (error: unknown) => error instanceof KeyMismatch,
          ),
          ahead.renew(),
        ]);
        expect(await findActiveKeyId(first)).to.equal(refused ? 2 : 1);
      }
    });
  });
