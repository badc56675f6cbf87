import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { newId } from '../../../src/crypto/ids.ts';
import { newUrlToken } from '../../../src/crypto/tokens.ts';
import type { Account } from '../../../src/domain/index.ts';
import { createCounters } from '../../../src/domain/limits/counters.ts';
import { createGuessLimits, type Guess } from '../../../src/domain/limits/guesses.ts';
import { expirePushIn, times } from '../../harness/api.ts';
import { refusalOf } from '../../harness/refusal.ts';
import {
  anonymous,
  createAccount,
  someClient,
  startService,
  type TestService,
} from '../../harness/service.ts';

describe('Wrong passphrases that are tried at once', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  it('lock the push with the last of them, so that its owner hears of the others first', async () => {
    const push = newId();
    const counterOf = (key: string, points: number) => ({
      key: `${key} ${push.toString('hex')}`,
      setting: 'LIMIT_PASSPHRASE_BY_PUSH',
      rate: { points, seconds: 900 },
    });
    const countersOf = () => [counterOf('network', 100), counterOf('push', 3)];
    const limits = createGuessLimits(createCounters(service.database), countersOf);
    const verified: (() => void)[] = [];
    const tries: Promise<Guess>[] = [];
    for (let counted = 1; counted <= 3; counted++) {
      const isWrong = new Promise<boolean>((resolve) => verified.push(() => resolve(false)));
      await new Promise<void>((hasStarted) => {
        const verify = () => {
          hasStarted();
          return isWrong;
        };
        tries.push(limits.guess(push, someClient, verify));
      });
    }
    const outcomes = [];
    for (const [index, end] of verified.entries()) {
      end();
      outcomes.push((await tries[index])?.outcome);
    }
    expect(outcomes).to.eql(['wrong', 'wrong', 'locked']);
  });
});

describe('Wrong passphrases', () => {
  let service: TestService;
  let account: Account;
  before(async () => {
    service = await startService({ RATE_LIMITS: 'on', LIMIT_PASSPHRASE_BY_PUSH: '3/10m' });
    ({ account } = await createAccount(service.domain));
    await service.domain.webhooks.create(account, { url: 'https://example.com/hook' });
  });
  after(() => service.stop());

  const secret = { payload: 'tulip', passphrase: 'open sesame', expireAfterViews: 5 };
  const newPush = async () =>
    (await service.domain.pushes.create(secret, { account, client: someClient })).urlToken;
  const guess = (urlToken: string, passphrase = 'wrong') =>
    refusalOf(service.domain.pushes.reveal(urlToken, passphrase, anonymous));

  async function noticesOf(event: string): Promise<number> {
    const sql = 'SELECT COALESCE(SUM(times), 0) AS told FROM notices WHERE event = $event';
    const [row] = await service.database.select<{ told: number }>(sql, { event });
    return Number(row?.told);
  }

  it('are told to the owner, and once that they have locked the push, which then opens for nobody', async () => {
    const urlToken = await newPush();
    for (const triesLeft of [2, 1, 0])
      expect(await guess(urlToken)).to.deep.include({ code: 'unauthenticated', triesLeft });
    expect((await guess(urlToken, 'open sesame')).code).to.equal('too_many');
    const other = { ...anonymous, client: { ...someClient, ip: '198.51.100.7' } };
    expect((await refusalOf(service.domain.pushes.reveal(urlToken, 'open sesame', other))).code).to.equal(
      'too_many',
    );
    expect(await noticesOf('failed_passphrase')).to.equal(3);
    expect(await noticesOf('locked')).to.equal(1);
  });

  it('are told to the owner ever more seldom after the first three hundred', async () => {
    const { id, urlToken } = await service.domain.pushes.create(secret, { account, client: someClient });
    const push = Buffer.from(id, 'hex');
    const rows = Array.from(
      { length: 300 },
      () => `($push, X'${randomBytes(16).toString('hex')}', 'failed_passphrase', '', '', '', 1)`,
    );
    const columns = 'push_id, id, kind, ip, user_agent, referrer, created_at';
    await service.database.execute(`INSERT INTO audit_rows (${columns}) VALUES ${rows.join(',')}`, { push });
    const before = await noticesOf('failed_passphrase');
    for (let count = 0; count < 9; count++)
      await refusalOf(service.domain.pushes.reveal(urlToken, undefined, anonymous));
    expect((await noticesOf('failed_passphrase')) - before, 'the 1st, 2nd, 4th and 8th').to.equal(4);
  });

  it('are neither asked for nor counted once the push is over, also where no sweep has seen that', async () => {
    const urlToken = await newPush();
    const before = await noticesOf('failed_passphrase');
    await expirePushIn(service, urlToken, -1);
    for (const passphrase of [undefined, 'wrong'])
      expect((await service.domain.pushes.reveal(urlToken, passphrase, anonymous)).payload).to.equal(null);
    expect(await noticesOf('failed_passphrase')).to.equal(before);
    const log = await service.domain.pushes.auditLog(urlToken, 1, { account, client: someClient });
    expect(log.map(({ kind }) => kind)).to.not.include('failed_passphrase');
  });
});

describe('A link that does not exist', () => {
  it('counts for nobody in a chat, who has no address to count it for', async () => {
    const service = await startService({ RATE_LIMITS: 'on', LIMIT_UNKNOWN_TOKENS: '2/1m' });
    const client = { ...someClient, ip: '' };
    const open = () =>
      refusalOf(service.domain.pushes.reveal(newUrlToken(), undefined, { account: null, client }));
    const codes = (await times(4, open)).map(({ code }) => code);
    await service.stop();
    expect(codes).to.eql(Array(4).fill('not_found'));
  });
});
