import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { anonymous, createAccount, startService, type TestService } from '../../harness/service.ts';

describe('A view of a push whose notices are being leased', () => {
  let service: TestService;

  before(async () => {
    service = await startService();
  });

  after(() => service.stop());

  type Row = { times: number; isOpen: number | null };

  async function stored(): Promise<Row[]> {
    const rows = await service.database.select<Row>(
      'SELECT times, is_open AS isOpen FROM notices ORDER BY created_at, is_open DESC',
      {},
    );
    return rows.map(({ times, isOpen }) => ({ times: Number(times), isOpen: isOpen && Number(isOpen) }));
  }

  it('does not block the lease, is not blocked by it, and gets its own notice', async () => {
    const { domain, database } = service;
    const { account } = await createAccount(domain, 'person@example.com');
    await domain.webhooks.create(account, { url: 'https://hook.example.com' });
    const { urlToken } = await domain.pushes.create({ payload: 'tulip' }, { ...anonymous, account });
    await domain.pushes.reveal(urlToken, undefined, anonymous);
    await domain.pushes.reveal(urlToken, undefined, anonymous);
    expect(await stored()).to.eql([{ times: 2, isOpen: 1 }]);

    const taking = await database.sequelize.transaction();
    await database.sequelize.query(`SELECT id FROM notices ${database.dialect.forUpdate}`, {
      transaction: taking,
    });
    const view = domain.pushes.reveal(urlToken, undefined, anonymous);
    await sleep(300); // so that the view has reached the lock
    await database.sequelize.query('UPDATE notices SET is_open = NULL', { transaction: taking });
    await taking.commit();
    expect((await view).payload).to.equal('tulip');
    expect(await stored()).to.have.deep.members([
      { times: 2, isOpen: null },
      { times: 1, isOpen: 1 },
    ]);
  });
});
