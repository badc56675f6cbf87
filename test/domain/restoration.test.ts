import { expect } from 'chai';
import type { Account } from '../../src/domain/index.ts';
import { UnfinishedRestore } from '../../src/domain/restoration.ts';
import { hourMs } from '../../src/time.ts';
import { bearer, type Client, createClient } from '../harness/api.ts';
import { asMultipartForm, downloadPath, filesOf, noStoredFiles, storedFiles } from '../harness/files.ts';
import {
  anonymous,
  byPassword,
  createAccount,
  refusal,
  registerProcess,
  someClient,
  startService,
  type TestService,
} from '../harness/service.ts';

describe('A restored database', () => {
  let service: TestService;
  let client: Client;
  let account: Account;
  let ann: { authorization: string };
  let takenAt: number;

  beforeEach(async () => {
    service = await startService();
    client = createClient(service.port);
    const created = await createAccount(service.domain, 'ann@example.com', { subscribed: true });
    account = created.account;
    ann = bearer(created.token);
  });

  afterEach(async () => {
    client.close();
    await service.stop();
  });

  /** Makes of everything that is stored the contents of a backup, which was restored an hour later. */
  async function becomeBackup(): Promise<void> {
    takenAt = (await service.domain.clock()) - hourMs;
    await service.database.execute('UPDATE pushes SET created_at = $takenAt', { takenAt });
    await service.database.execute('UPDATE sessions SET created_at = $takenAt', { takenAt });
    await service.database.execute(service.domain.restoration.mark.insert(takenAt), {});
  }

  async function count(table: string, condition = 'TRUE'): Promise<number> {
    const sql = `SELECT COUNT(*) AS count FROM ${table} WHERE ${condition}`;
    const [row] = await service.database.select<{ count: number }>(sql, {});
    return Number(row?.count);
  }

  const payloadOf = async (token: string) => (await client.get(`/p/${token}.json`)).body.payload;

  it('is not served before all pushes of the backup have ended; later ones live on', async () => {
    const { restoration, pushes } = service.domain;
    const old = await client.create({ expire_after_views: 100 }, ann);
    await becomeBackup();
    const later = await client.create({ payload: 'rose' });
    const error = await restoration.requireFinished().catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(UnfinishedRestore);
    expect(String(error)).to.contain(new Date(takenAt).toISOString()).and.contain('hushpush after-restore');

    expect(await restoration.finish()).to.deep.equal({
      takenAt,
      endedPushes: 1,
      endedRequestLinks: 0,
      endedSessions: 0,
    });
    await restoration.requireFinished();
    expect(await payloadOf(old.token)).to.equal(null);
    expect(await payloadOf(later.token)).to.equal('rose');
    expect(await count('pushes', 'payload IS NOT NULL')).to.equal(1);
    const [expired] = await pushes.list({ account }, 'expired', 1);
    expect(expired).to.include({ urlToken: old.token, deleted: false, viewsMax: 100, viewsUsed: 0 });
    expect(await restoration.finish()).to.equal(undefined);
  });

  it('can be finished late by the time of the backup, while the service runs, and again', async () => {
    const { restoration } = service.domain;
    const old = await client.create();
    await becomeBackup();
    await service.database.execute('DELETE FROM restored_backups', {}); // as after a restore by other means
    const later = await client.create({ payload: 'rose' });
    expect(await restoration.finish({ takenAt })).to.deep.equal({
      takenAt,
      endedPushes: 1,
      endedRequestLinks: 0,
      endedSessions: 0,
    });
    expect(await restoration.finish({ takenAt })).to.deep.include({ endedPushes: 0 });
    expect(await payloadOf(old.token)).to.equal(null);
    expect(await payloadOf(later.token)).to.equal('rose');
  });

  it('gives no files, sessions or links of the backup, and its owners get no notices of pushes that ended', async () => {
    const { domain } = service;
    await domain.webhooks.create(account, { url: 'https://hook.example.com' });
    const { body } = await client.send('POST', '/p.json', asMultipartForm({ 'tulip.txt': 'tulip' }, ann));
    const opened = await client.get(`/p/${body.url_token}.json`); // whose notice waits
    const [file = {}] = filesOf(opened.body);
    const session = await domain.sessions.create(account, someClient, byPassword);
    await domain.chat.links.create('draft', { text: 'tulip' });
    await becomeBackup();
    expect(await count('notices', 'due_at IS NOT NULL')).to.equal(1);

    expect(await domain.restoration.finish()).to.deep.include({ endedPushes: 1, endedSessions: 1 });
    expect((await client.get(downloadPath(file))).status).to.equal(404);
    expect(await domain.sessions.authenticate(session)).to.equal(null);
    expect(await service.database.select('SELECT 1 FROM one_time_links', {})).to.deep.equal([]);
    expect(await count('notices', 'due_at IS NOT NULL OR sent_at IS NOT NULL')).to.equal(0);
    await domain.files.shredDue();
    expect(await storedFiles(service)).to.deep.equal(noStoredFiles);
  });

  it('takes no answers by request links of the backup, which may have been closed since; what came to them has ended, too', async () => {
    const { requestLinks, restoration } = service.domain;
    const create = () => requestLinks.create({ account, client: someClient }, { title: 'x', answers: 2 });
    const answer = async (token: string | null) => {
      await using begun = await requestLinks.beginAnswer(token ?? '', someClient);
      await begun.send({ formId: String(Math.random()), text: 'tulip' });
    };
    const old = await create();
    await answer(old.urlToken);
    await becomeBackup();
    await service.database.execute('UPDATE request_links SET created_at = $takenAt', { takenAt });
    const later = await create();
    expect(await restoration.finish()).to.deep.include({ endedPushes: 1, endedRequestLinks: 1 });
    expect(await refusal(answer(old.urlToken))).to.match(/^not_found/);
    await answer(later.urlToken);
    const states = (await requestLinks.list({ account })).map(({ id, state }) => [id, state]);
    expect(states).to.deep.equal([
      [later.id, 'open'],
      [old.id, 'closed'],
    ]);
    expect(await requestLinks.listAnswers({ account }, old.id)).to.have.length(1);
  });

  it('keeps when pushes ended that were long over, and were not swept before the backup', async () => {
    const push = await client.create({}, ann);
    await becomeBackup();
    const expiresAt = takenAt - hourMs;
    await service.database.execute('UPDATE pushes SET expires_at = $expiresAt', { expiresAt });
    expect(await service.domain.restoration.finish()).to.deep.include({ endedPushes: 1 });
    const [row] = await service.database.select<{ endedAt: number }>(
      'SELECT expired_on AS endedAt FROM pushes',
      {},
    );
    expect(Number(row?.endedAt)).to.equal(expiresAt);
    expect(await payloadOf(push.token)).to.equal(null);
  });

  it('keeps everything when the backup was the end of its service, as in a move', async () => {
    const push = await client.create({ expire_after_views: 1 }, ann);
    await service.domain.sessions.create(account, someClient, byPassword);
    await becomeBackup();
    const kept = { takenAt, endedPushes: 0, endedRequestLinks: 0, endedSessions: 0 };
    expect(await service.domain.restoration.finish({ keepsPushes: true })).to.deep.equal(kept);
    await service.domain.restoration.requireFinished();
    expect(await count('sessions')).to.equal(1);
    expect(await payloadOf(push.token)).to.equal('tulip');
  });

  it('is not counted as served by the processes of the backup', async () => {
    const { processes, restoration } = service.domain;
    await registerProcess(service.database);
    expect(await processes.count()).to.equal(1);
    await becomeBackup();
    await restoration.finish();
    expect(await processes.count()).to.equal(0);
  });

  it('counts as empty only without accounts and pushes', async () => {
    const { domain, database } = service;
    expect(await domain.restoration.isEmpty()).to.equal(false);
    await domain.accounts.erase(account.email, 'operator');
    expect(await domain.restoration.isEmpty()).to.equal(true);
    await domain.pushes.create({ payload: 'tulip' }, anonymous);
    expect(await domain.restoration.isEmpty()).to.equal(false);
    await database.execute('DELETE FROM pushes', {});
    expect(await domain.restoration.isEmpty()).to.equal(true);
  });
});
