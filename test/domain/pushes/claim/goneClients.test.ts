import { expect } from 'chai';
import { domainSettings, readConfig } from '../../../../src/config.ts';
import { newId } from '../../../../src/crypto/ids.ts';
import { urlTokenDigest } from '../../../../src/crypto/pepper.ts';
import type { Database, Tx } from '../../../../src/database/database.ts';
import { createDomain } from '../../../../src/domain/index.ts';
import { times } from '../../../harness/api.ts';
import { refusalOf } from '../../../harness/refusal.ts';
import {
  anonymous,
  createAccount,
  someClient,
  startService,
  type TestService,
} from '../../../harness/service.ts';

const payload = 'tulip';
let service: TestService;

/** Called before each statement that changes rows, in the nth transaction of a domain, counted from 1. */
type OnWrite = (sql: string, transaction: number, tx: Tx) => void | Promise<void>;

/** A domain on the same pushes whose transactions a test can watch. */
function watchedDomain(onWrite: OnWrite = () => {}) {
  const counts = { transactions: 0 };
  const transaction: Database['transaction'] = (work, limit) => {
    counts.transactions += 1;
    const number = counts.transactions;
    return service.database.transaction(
      (tx) =>
        work({
          ...tx,
          async execute(sql, binds) {
            await onWrite(sql, number, tx);
            return tx.execute(sql, binds);
          },
        }),
      limit,
    );
  };
  const settings = domainSettings(readConfig({ RATE_LIMITS: 'off' }));
  return {
    domain: createDomain({
      database: { ...service.database, transaction },
      keyring: service.keyring,
      settings,
    }),
    counts,
  };
}

/** A client that can leave. */
function createLeaver() {
  const leaver = { isHere: true, caller: { ...anonymous, client: { ...someClient, isGone: () => false } } };
  leaver.caller.client.isGone = () => !leaver.isHere;
  return leaver;
}

async function stored(urlToken: string) {
  const rowsOf = (table: string) => `(SELECT COUNT(*) FROM ${table} WHERE push_id = pushes.id)`;
  const [row] = await service.database.select<{ viewsUsed: number; auditRows: number; notices: number }>(
    `SELECT views_used AS viewsUsed, ${rowsOf('audit_rows')} AS auditRows, ${rowsOf('notices')} AS notices FROM pushes
     WHERE token_digest = $digest`,
    { digest: urlTokenDigest(service.keyring, urlToken) },
  );
  return { viewsUsed: Number(row?.viewsUsed), rows: Number(row?.auditRows), notices: Number(row?.notices) };
}

const untouched = { viewsUsed: 0, rows: 0, notices: 0 };
const isAudit = (sql: string) => sql.includes('INTO audit_rows');

describe('A client that has disconnected', () => {
  before(async () => {
    service = await startService();
  });

  after(() => service.stop());

  async function newPush(views = 5): Promise<string> {
    const { account } = await createAccount(service.domain);
    await service.domain.webhooks.create(account, { url: 'https://hook.example.com' });
    const input = { payload, expireAfterViews: views };
    return (await service.domain.pushes.create(input, { ...anonymous, account })).urlToken;
  }

  it('costs no view, no audit row, no notice and no transaction', async () => {
    const token = await newPush();
    const { domain, counts } = watchedDomain();
    const leaver = createLeaver();
    leaver.isHere = false;
    const { code } = await refusalOf(domain.pushes.reveal(token, undefined, leaver.caller));
    expect({ code, ...counts, ...(await stored(token)) }).to.eql({
      code: 'too_many',
      transactions: 0,
      ...untouched,
    });
  });

  it('costs none if it left right before COMMIT, with a nonce, on the last view', async () => {
    const token = await newPush(1);
    const leaver = createLeaver();
    const { domain, counts } = watchedDomain((sql) => {
      if (sql.includes('INTO notices')) leaver.isHere = false;
    });
    const nonce = { digest: Buffer.concat([newId(), newId()]), secret: 'of a browser' };
    const { code } = await refusalOf(domain.pushes.reveal(token, undefined, leaver.caller, { nonce }));
    expect({ code, ...counts, ...(await stored(token)) }).to.eql({
      code: 'too_many',
      transactions: 2,
      ...untouched,
    });
    const again = await service.domain.pushes.reveal(token, undefined, anonymous, { nonce });
    expect(again.payload).to.equal(payload);
  });

  it('costs none through the link of a recipient', async () => {
    const { account } = await createAccount(service.domain);
    const input = { payload, recipients: ['Bob'] };
    const { recipients } = await service.domain.pushes.create(input, { ...anonymous, account });
    const bob = recipients[0]?.urlToken ?? '';
    const leaver = createLeaver();
    const { domain } = watchedDomain((sql) => {
      if (isAudit(sql)) leaver.isHere = false;
    });
    await refusalOf(domain.pushes.reveal(bob, undefined, leaver.caller));
    expect((await service.domain.pushes.reveal(bob, undefined, anonymous)).payload).to.equal(payload);
  });

  it('takes nothing from those whose views share its transaction', async () => {
    const [shared, alone] = [await newPush(2), await newPush(1)];
    const leaver = createLeaver();
    const { domain, counts } = watchedDomain((sql, number) => {
      if (number === 2 && isAudit(sql)) leaver.isHere = false;
    });
    const first = domain.pushes.reveal(await newPush(), undefined, anonymous);
    const leaving = refusalOf(domain.pushes.reveal(shared, undefined, leaver.caller));
    const others = [shared, shared, alone].map((token) => domain.pushes.reveal(token, undefined, anonymous));
    const answers = await Promise.all(others);
    await Promise.all([first, leaving]);
    expect(answers.map((answer) => [answer.payload, answer.push.viewsUsed])).to.eql([
      [payload, 1],
      [payload, 2],
      [payload, 1],
    ]);
    expect(counts.transactions).to.equal(3);
  });

  it('takes nothing from them either when one after the other leaves', async () => {
    const token = await newPush(20);
    const leavers = Array.from({ length: 6 }, createLeaver);
    const { domain, counts } = watchedDomain((sql, number) => {
      const leaver = leavers[number - 2];
      if (leaver && isAudit(sql)) leaver.isHere = false;
    });
    const first = domain.pushes.reveal(await newPush(), undefined, anonymous);
    const leaving = leavers.map(({ caller }) => domain.pushes.reveal(token, undefined, caller));
    const staying = times(4, () => domain.pushes.reveal(token, undefined, anonymous));
    const left = await Promise.allSettled(leaving);
    const answers = await staying;
    await first;
    expect(answers.map((answer) => answer.payload)).to.eql(Array(4).fill(payload));
    const delivered = left.filter(({ status }) => status === 'fulfilled').length;
    expect((await stored(token)).viewsUsed).to.equal(4 + delivered);
    expect(counts.transactions).to.be.at.most(4 + 2 * 10); // together three times, then each alone
  });
});
