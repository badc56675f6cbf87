import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { domainSettings, readConfig } from '../../../src/config.ts';
import { newId } from '../../../src/crypto/ids.ts';
import { newKey, parseKeyring } from '../../../src/crypto/keyring.ts';
import type { Database } from '../../../src/database/database.ts';
import { recordProviderSession } from '../../../src/domain/accounts/sso/sessions.ts';
import { type Account, createDomain } from '../../../src/domain/index.ts';
import { requireMatchingKeys } from '../../../src/domain/keys/keyChecks.ts';
import { sealedTablesOf } from '../../../src/domain/keys/sealedColumns.ts';
import { createProcessRegistration } from '../../../src/domain/processes/processes.ts';
import { createSpentNonces } from '../../../src/domain/pushes/claim/nonces.ts';
import { tables } from '../../../src/domain/tables.ts';
import { createClient, times } from '../../harness/api.ts';
import { newChatUser } from '../../harness/chat.ts';
import { asAnotherCaller } from '../../harness/database.ts';
import { asMultipartForm, downloadPath, filesOf } from '../../harness/files.ts';
import {
  anonymous,
  byPassword,
  createAccount,
  refusal,
  someClient,
  startService,
  type TestService,
} from '../../harness/service.ts';
import { holderOf, setUpApp } from '../../harness/signedIn.ts';

const [one, two, pepper] = [newKey(), newKey(), newKey()];
const minuteMs = 60_000;

describe('Master keys', () => {
  let service: TestService;
  let account: Account;

  beforeEach(async () => {
    service = await startService({ MASTER_KEYS: `1:${one}`, PEPPER: pepper, FILES: 'everyone' });
    ({ account } = await createAccount(service.domain, 'ann@example.com'));
  });

  afterEach(() => service.stop());

  /** Makes a key the active one, as if it had been for a while. */
  async function activate(id: number, agoMs = 2 * minuteMs): Promise<void> {
    const { database, keyring } = service;
    keyring.all = parseKeyring(`2:${two},1:${one}`, pepper).all;
    await requireMatchingKeys(database, keyring);
    const at = (await database.clock()) - agoMs;
    await database.execute('UPDATE key_checks SET activated_at = $at WHERE key_id = $id', { at, id });
    const others = 'UPDATE key_checks SET activated_at = $at WHERE key_id <> $id AND activated_at >= $at';
    await database.execute(others, { at: at - 1, id });
    await requireMatchingKeys(database, keyring);
    expect(keyring.active.id).to.equal(id);
  }

  /** Forgets a key, as a process does that starts without it. */
  function forget(id: number): void {
    service.keyring.all = new Map([...service.keyring.all].filter(([each]) => each !== id));
  }

  const asOwner = () => ({ ...anonymous, account });
  const create = (fields: object = {}, caller: { account: Account | null } = { account }) =>
    service.domain.pushes.create({ payload: 'tulip', ...fields }, { ...anonymous, ...caller });

  /** Numbers of records by kind, of one key. */
  async function recordsOf(keyId: number): Promise<Record<string, number>> {
    const key = (await service.domain.keys.list()).find((each) => each.keyId === keyId);
    return Object.fromEntries((key?.usage ?? []).map(({ kind, records }) => [kind, records]));
  }

  /** A record of every kind. Returns what is needed to read some of them. */
  async function createEveryKind() {
    const { domain, port } = service;
    const api = createClient(port);
    const owned = await create({ name: 'garden', note: 'fence', recipients: ['Bob'] });
    const unowned = await create({ name: 'garden' }, { account: null });
    const { body } = await api.send('POST', '/p.json', asMultipartForm({ 'a.txt': 'rose' }));
    const [file = {}] = filesOf((await api.get(`/p/${body.url_token}.json`)).body);
    const webhook = await domain.webhooks.create(account, { url: 'https://example.com/hook' });
    await domain.webhooks.rotateSecret(account, webhook.id);
    const [ben, chris] = [newChatUser(), newChatUser()];
    await domain.chat.requests.create(ben, [chris], { reason: 'the VPN' });
    await domain.chat.installations.store('slack', { workspace: 'T1', userId: 'U1' }, { token: 'xoxb' });
    await domain.chat.links.create('draft', { text: 'iris' });
    const nonces = createSpentNonces({ database: service.database, keyring: service.keyring });
    const nonce = { digest: newId(), secret: 'of a browser' };
    const copy = {
      payload: Buffer.from('tulip'),
      files: [],
      viewsUsed: 1,
      updatedAt: 1,
      hasPassphrase: false,
      sender: null,
    };
    await service.database.transaction((tx) => nonces.add([{ nonce, copy }], tx));
    await using creation = await domain.pushes.begin(asOwner(), { idempotencyKey: 'a key of 16 bytes' });
    const stream = (async function* () {
      yield Buffer.from('lily');
    })();
    await creation.addFile({ filename: 'lily.txt', contentType: 'text/plain', stream });
    const withFile = await creation.create({ payload: 'tulip', sender: 'Ana' });
    const who = { issuer: 'https://id.test', subject: 'ann', providerSession: undefined, idToken: 'a.b.c' };
    const signedIn = await holderOf(domain, await domain.sessions.create(account, someClient, byPassword));
    await service.database.transaction((tx) =>
      recordProviderSession(service.keyring, signedIn.sessionId, who, tx),
    );
    await setUpApp(domain, signedIn);
    const publicKeys = `${'x'.repeat(43)}.${'p'.repeat(87)}`;
    const request = await domain.requestLinks.create(asOwner(), { title: 'the VPN', publicKeys });
    await using answer = await domain.requestLinks.beginAnswer(request.urlToken ?? '', someClient);
    const sealed = { text: `AQ${'a'.repeat(60)}`, sealedKey: 'k'.repeat(135) };
    await answer.send({ formId: 'the-form-of-a-page', ...sealed });
    api.close();
    return { owned, unowned, withFile, ben, download: downloadPath(file) };
  }

  it('are listed with what each encrypts, by kind, of every column that is encrypted', async () => {
    await createEveryKind();
    expect(await recordsOf(1)).to.deep.equal({
      push: 3,
      payload: 5,
      request_link: 1,
      request_answer: 1,
      request_answer_key: 1,
      recipient: 1,
      recipient_token: 1,
      files_key: 2,
      sender: 1,
      file: 2,
      grant: 1,
      link: 1,
      view: 1,
      created_push: 1,
      installation: 1,
      reason: 1,
      webhook_url: 1,
      webhook_secret: 1,
      previous_webhook_secret: 1,
      id_token: 1,
      totp_secret: 1,
    });
    const fields = sealedTablesOf(tables).flatMap(({ columns }) => columns.map(({ field }) => field));
    expect(Object.keys(await recordsOf(1))).to.have.members(fields);
  });

  it('hand over what they encrypt, except what only its holder can open', async () => {
    const { owned, unowned, withFile, ben, download } = await createEveryKind();
    await activate(2);
    const { domain } = service;
    expect(await domain.keys.reseal()).to.deep.equal({ resealed: 12, unreadable: 0 });
    expect(await recordsOf(1)).to.deep.equal({
      payload: 2,
      files_key: 1,
      file: 1,
      grant: 1,
      link: 1,
      view: 1,
      created_push: 1,
    });
    expect(await recordsOf(2)).to.deep.equal({
      push: 3,
      payload: 3,
      request_link: 1,
      request_answer: 1,
      request_answer_key: 1,
      recipient: 1,
      recipient_token: 1,
      sender: 1,
      files_key: 1,
      file: 1,
      installation: 1,
      reason: 1,
      webhook_url: 1,
      webhook_secret: 1,
      previous_webhook_secret: 1,
      id_token: 1,
      totp_secret: 1,
    });
    expect(await domain.keys.reseal()).to.deep.equal({ resealed: 0, unreadable: 0 });

    const api = createClient(service.port);
    expect((await api.get(download)).text).to.equal('rose');
    api.close();
    expect(await domain.pushes.reveal(unowned.urlToken, undefined, anonymous)).to.include({
      payload: 'tulip',
    });
    forget(1);
    const [answer, first, second] = await domain.pushes.list({ account }, 'active', 1);
    expect(answer).to.include({ name: 'the VPN', isUnreadable: false });
    expect(first).to.deep.include({ urlToken: withFile.urlToken, isUnreadable: false });
    expect(first?.files.map(({ filename }) => filename)).to.deep.equal(['lily.txt']);
    expect(second).to.include({ urlToken: owned.urlToken, name: 'garden', note: 'fence' });
    const labels = await service.database.select<{ salt: Buffer }>(
      'SELECT SUBSTR(label, 7, 16) AS salt FROM pushes WHERE label IS NOT NULL',
      {},
    );
    expect(labels, 'salts of the labels, which share a key').to.deep.equal([
      { salt: account.id },
      { salt: account.id },
      { salt: account.id },
    ]);
    expect(second?.recipients).to.deep.equal(owned.recipients);
    const revealed = await domain.pushes.reveal(withFile.urlToken, undefined, anonymous);
    expect(revealed.payload).to.equal('tulip');
    const [grant = '', number] = String(revealed.push.files[0]?.download).split('/');
    const file = await domain.files.download(grant, Number(number), anonymous.client);
    expect(Buffer.concat(await (await file.read({ start: 0, end: 4 })).toArray()).toString()).to.equal(
      'lily',
    );
    expect((await domain.webhooks.list(account)).map(({ url }) => url)).to.deep.equal([
      'https://example.com/hook',
    ]);
    expect((await domain.chat.requests.list(ben))[0]).to.include({ reason: 'the VPN' });
    expect(await domain.chat.installations.maybeFind('slack', { workspace: 'T1' })).to.deep.equal({
      token: 'xoxb',
    });
  });

  it('hand records over in batches, and continue where they were interrupted', async () => {
    await times(45, () => create());
    await activate(2);
    const { keys } = service.domain;
    const runs = [await keys.reseal(() => true), await keys.reseal(() => true), await keys.reseal()];
    expect(runs.map(({ resealed }) => resealed)).to.deep.equal([20, 20, 5]);
    expect(await keys.reseal()).to.deep.equal({ resealed: 0, unreadable: 0 });
  });

  it('hand over to the key that is active now, also where a process has not noticed that it is', async () => {
    await create();
    await activate(2);
    service.keyring.active = parseKeyring(`1:${one}`, pepper).active;
    expect(await service.domain.keys.reseal()).to.deep.equal({ resealed: 1, unreadable: 0 });
    expect(await recordsOf(2)).to.deep.equal({ push: 1, payload: 1 });
  });

  it('hand over every record that can be decrypted, whatever is beside it', async () => {
    const [damaged, fine] = [await create(), await create()];
    await service.database.execute('UPDATE pushes SET label = $other WHERE id = $id', {
      id: Buffer.from(damaged.id, 'hex'),
      other: Buffer.alloc(60, '\x01\x01\x00\x00\x00\x01'),
    });
    await activate(2);
    expect(await service.domain.keys.reseal()).to.deep.equal({ resealed: 1, unreadable: 1 });
    forget(1);
    expect(await service.domain.pushes.reveal(fine.urlToken, undefined, anonymous)).to.include({
      payload: 'tulip',
    });
  });

  it('lose no view and revive no payload while records are claimed, deleted and handed over at once', async () => {
    const { domain, database } = service;
    const views = 4;
    const pushes = await times(12, () => create({ expireAfterViews: views }));
    await activate(2);
    let isOver = false;
    let resealed = 0;
    const rotating = (async () => {
      for (let active = 1; !isOver || active === 1; active = active === 1 ? 2 : 1) {
        resealed += (await domain.keys.reseal()).resealed;
        await activate(active, 0);
      }
    })();
    const deleted = pushes.slice(0, 2);
    const counts = await Promise.all(
      pushes.slice(2).map(async ({ urlToken }) => {
        const answers = await times(views * 3, () =>
          domain.pushes.reveal(urlToken, undefined, anonymous).then(({ payload }) => payload),
        );
        return answers.filter((payload) => payload === 'tulip').length;
      }),
    );
    for (const { urlToken } of deleted) await domain.pushes.expire(urlToken, asOwner());
    isOver = true;
    await rotating;
    resealed += (await domain.keys.reseal()).resealed;
    expect(counts).to.deep.equal(counts.map(() => views));
    expect(resealed).to.be.greaterThan(pushes.length);
    const left = await database.select('SELECT id FROM pushes WHERE payload IS NOT NULL', {});
    expect(left).to.deep.equal([]);
  });

  it('leave a row alone while a claim or a deletion holds it, so that an erased payload stays erased', async () => {
    const { domain, database } = service;
    const push = await create();
    await activate(2);
    const id = Buffer.from(push.id, 'hex');
    let resealing: Promise<unknown> = Promise.resolve();
    await database.transaction(async (tx) => {
      await tx.execute('UPDATE pushes SET payload = NULL, expired_on = 1 WHERE id = $id', { id });
      resealing = asAnotherCaller(() => domain.keys.reseal());
      await Promise.race([resealing, sleep(200)]); // On SQLite it waits for this transaction.
    });
    await resealing;
    expect(await database.select('SELECT payload FROM pushes', {})).to.deep.equal([{ payload: null }]);
  });

  it('are removed once nothing needs them, and not before', async () => {
    const { domain, database, keyring } = service;
    const remove = (id: number) => refusal(domain.keys.requireRemovable(id));
    await create();
    await create({ expireAfterDays: 2 }, { account: null });
    expect(await remove(3)).to.equal('not_found: There is no master key 3 here.');
    await activate(2, 0);
    expect(await remove(2)).to.equal('conflict: Master key 2 encrypts new records. Add another one first.');
    expect(await remove(1)).to.match(
      /^conflict: Master key 1 was just replaced\. Try again in \d\d seconds\.$/,
    );

    await activate(2);
    await database.execute(
      `INSERT INTO processes (id, name, key_ids, active_key_id, registered_at, expires_at)
       VALUES ('x', 'web-2 pid 7', ',2,1,', 1, 0, ${database.dialect.now} + 60000)`,
      {},
    );
    expect(await remove(1)).to.contain('web-2 pid 7 may still encrypt with it');
    await database.execute("UPDATE processes SET expires_at = 0 WHERE id = 'x'", {});
    expect(await remove(1)).to.equal(
      'conflict: Master key 1 still encrypts 2 records. Run hushpush admin keys reseal.',
    );
    await domain.keys.reseal();
    const [{ expiresAt } = { expiresAt: 0 }] = await database.select<{ expiresAt: number }>(
      'SELECT expires_at AS expiresAt FROM pushes WHERE account_id IS NULL',
      {},
    );
    expect(await remove(1)).to.equal(
      `conflict: Master key 1 still encrypts 1 record that can only expire, the last one at ${new Date(expiresAt).toISOString()}.`,
    );
    await database.execute('UPDATE pushes SET expires_at = 0, due_at = 0 WHERE account_id IS NULL', {});
    await domain.sweeps.expireDue();
    const marked = 'SELECT key_id FROM key_checks WHERE removed_at IS NOT NULL';
    expect(await database.select(marked, {})).to.deep.equal([]); // or writes in flight would be refused
    await domain.keys.requireRemovable(1);
    expect(keyring.active.id).to.equal(2);
  });

  it('are removed beneath no push that was encrypted before and is written after it: its sender is told to try again', async () => {
    const { database, keyring, domain } = service;
    let whileAway = async () => {};
    const transaction: Database['transaction'] = async (...work) => {
      await whileAway();
      return database.transaction(...work);
    };
    const slow = createDomain({
      database: { ...database, transaction },
      keyring,
      settings: domainSettings(readConfig({ RATE_LIMITS: 'off' })),
    });
    const createSlowly = () =>
      slow.pushes.create({ payload: 'tulip' }, asOwner(), { inTransaction: async () => {} });
    const remove = () => refusal(domain.keys.requireRemovable(1));

    whileAway = () => activate(2);
    await createSlowly(); // replaced, but not removed
    expect(await remove()).to.contain('still encrypts 2 records');
    await domain.keys.reseal();
    await activate(1);
    whileAway = async () => {
      await activate(2);
      await domain.keys.requireRemovable(1);
    };
    expect(await refusal(createSlowly())).to.contain('unavailable: The database did not confirm.');
  });

  it('are removed beneath no push of a process that was frozen, and has noticed nothing: its sender is told to try again', async () => {
    const { database, domain } = service;
    const frozen = { ...service.keyring };
    const transaction: Database['transaction'] = async (...work) => {
      await activate(2);
      await domain.keys.requireRemovable(1);
      frozen.isStale = () => true;
      return database.transaction(...work);
    };
    const process = createDomain({
      database: { ...database, transaction },
      keyring: frozen,
      settings: domainSettings(readConfig({ RATE_LIMITS: 'off' })),
    });
    const creating = process.pushes.create({ payload: 'tulip' }, asOwner(), {
      inTransaction: async () => {},
    });
    expect(await refusal(creating)).to.contain('unavailable: The database did not confirm.');
  });

  it('that never were active never become active once they may be removed', async () => {
    const { domain, database, keyring } = service;
    keyring.all = parseKeyring(`2:${two},1:${one}`, pepper).all;
    await requireMatchingKeys(database, keyring);
    expect((await domain.keys.list()).map(({ keyId, state }) => `${keyId} ${state}`)).to.deep.equal([
      '2 new',
      '1 active',
    ]);
    await database.execute('UPDATE key_checks SET activated_at = 1 WHERE key_id = 1', {});
    await domain.keys.requireRemovable(2);
    const read = parseKeyring(`2:${two},1:${one}`, pepper);
    const process = createProcessRegistration({
      database,
      keyring,
      readKeyring: async () => read,
      name: 'web',
    });
    await process.renew();
    await database.execute('UPDATE processes SET registered_at = 0', {});
    await process.renew();
    expect(keyring.active.id).to.equal(1);
  });

  it('that are missing are listed with what they would open', async () => {
    await create();
    await activate(2);
    forget(1);
    expect((await service.domain.keys.list()).map(({ keyId, state }) => `${keyId} ${state}`)).to.deep.equal([
      '2 active',
      '1 missing',
    ]);
    expect(await recordsOf(1)).to.deep.equal({ push: 1, payload: 1 });
    expect(await service.domain.keys.reseal()).to.deep.equal({ resealed: 0, unreadable: 0 });
  });

  it('do not encrypt the name of an anonymous push, which nobody could read: it is not stored', async () => {
    await create({ name: 'garden' }, { account: null });
    expect(await recordsOf(1)).to.deep.equal({ payload: 1 });
  });
});
