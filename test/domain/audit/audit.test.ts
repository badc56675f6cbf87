import { expect } from 'chai';
import { newId } from '../../../src/crypto/ids.ts';
import { urlTokenDigest } from '../../../src/crypto/pepper.ts';
import { refusalOf } from '../../harness/refusal.ts';
import { createAccount, someClient, startService, type TestService } from '../../harness/service.ts';

describe('The audit log of a push with 300 wrong passphrases', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  /** A push whose log is full of wrong passphrases, and its owner. */
  async function floodedPush() {
    const { domain, database, keyring } = service;
    const { account } = await createAccount(domain);
    const caller = { account, client: someClient };
    const notify = { failedPassphrase: true };
    const input = { payload: 'tulip', passphrase: 'open sesame', notify };
    const { urlToken } = await domain.pushes.create(input, caller);
    const digest = urlTokenDigest(keyring, urlToken);
    for (let i = 0; i < 300; i++) {
      await database.execute(
        `INSERT INTO audit_rows (push_id, id, kind, ip, user_agent, referrer, created_at)
         SELECT id, $id, 'failed_passphrase', '192.0.2.1', '', '', created_at FROM pushes WHERE token_digest = $digest`,
        { id: newId(), digest },
      );
    }
    await domain.webhooks.create(account, { url: 'https://example.com/hook' });
    const guess = (passphrase: string, ip: string) =>
      refusalOf(domain.pushes.reveal(urlToken, passphrase, { account: null, client: { ...someClient, ip } }));
    const failures = async () => {
      const { rows, earlier } = await domain.pushes.recentAuditLog(urlToken, 500, caller);
      expect(earlier).to.equal(0);
      return rows.filter(({ kind }) => kind === 'failed_passphrase');
    };
    const notified = async () => {
      const sql = `SELECT n.times FROM notices n JOIN pushes p ON p.id = n.push_id
        WHERE p.token_digest = $digest AND n.event = 'failed_passphrase'`;
      const [row] = await service.database.select<{ times: number }>(sql, { digest });
      return row?.times ?? 0;
    };
    return { guess, failures, notified };
  }

  it('counts all further ones in one more row, with the last client', async () => {
    const { guess, failures } = await floodedPush();
    for (let i = 1; i <= 5; i++) await guess('wrong', `198.51.100.${i}`);
    const rows = await failures();
    expect(rows).to.have.length(301);
    const rest = rows.filter(({ times }) => times > 1);
    expect(rest.map(({ times, ip }) => ({ times, ip }))).to.deep.equal([{ times: 5, ip: '198.51.100.5' }]);
    expect(rest[0]?.updatedAt).to.be.at.least(Number(rest[0]?.createdAt));
  });

  it('notifies the owner of the 1st, 2nd, 4th and 8th of them', async () => {
    const { guess, notified } = await floodedPush();
    const counts = [];
    for (let i = 1; i <= 9; i++) {
      await guess('wrong', `198.51.100.${i}`);
      counts.push(await notified());
    }
    expect(counts).to.deep.equal([1, 2, 2, 3, 3, 3, 3, 4, 4]);
  });
});

describe('Loads of the page of a push at the same time', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  it('have rows of their own up to a bound for each push, and count as one row from there on', async () => {
    const { pushes } = service.domain;
    const caller = { account: null, client: someClient };
    const loaded = await Promise.all(
      [20, 25, 1].map(async (loads) => ({ loads, push: await pushes.create({ payload: 'tulip' }, caller) })),
    );
    await Promise.all(
      loaded.flatMap(({ loads, push }) =>
        Array.from({ length: loads }, () => pushes.recordPreview(push, someClient)),
      ),
    );
    for (const { loads, push } of loaded) {
      const rows = await service.database.select<{ times: number }>(
        'SELECT times FROM audit_rows WHERE push_id = $id ORDER BY times',
        { id: Buffer.from(push.id, 'hex') },
      );
      const times = rows.map((row) => Number(row.times));
      const ownRows = Array(Math.min(loads, 20)).fill(1);
      expect(times).to.deep.equal(loads > 20 ? [...ownRows, loads - 20] : ownRows);
    }
  });

  it('find each its own push, through its own link and those of recipients', async () => {
    const { pushes } = service.domain;
    const { account } = await createAccount(service.domain);
    const caller = { account, client: someClient };
    const created = await Promise.all(
      [1, 2, 3].map((views) =>
        pushes.create({ payload: 'tulip', viewsPerRecipient: views, recipients: ['Ana', 'Ben'] }, caller),
      ),
    );
    const links = created.flatMap((push) => [
      { urlToken: push.urlToken, viewsMax: push.viewsMax, id: push.id },
      ...push.recipients.map(({ urlToken }) => ({
        urlToken: String(urlToken),
        viewsMax: push.viewsMax / 2,
        id: push.id,
      })),
    ]);
    const found = await Promise.all(
      links.map(({ urlToken }) => pushes.preview(urlToken, { account: null, client: someClient })),
    );
    expect(found.map(({ urlToken, viewsMax, id }) => ({ urlToken, viewsMax, id }))).to.deep.equal(links);
  });
});
