import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import {
  type ConnectionError,
  createClient,
  decryptFile,
  decryptPush,
  encryptPush,
  type ListParams,
  type PushClient,
  type RefusedError,
  verifyWebhook,
} from '../../src/client/client.ts';
import type { Account, WebhookEndpoint } from '../../src/domain/index.ts';
import { createIdempotency } from '../../src/domain/pushes/create/idempotency.ts';
import { dayMs } from '../../src/time.ts';
import { signatureHeaders } from '../../src/webhooks/messenger.ts';
import { storePushes } from '../../tools/bench/fill.ts';
import { startPasswordPusher } from '../../tools/standins/passwordPusher.ts';
import { connectChat, newChatUser } from '../harness/chat.ts';
import { collect } from '../harness/collect.ts';
import { freePort } from '../harness/mariadb.ts';
import { createAccount, anonymous as nobody, startService, type TestService } from '../harness/service.ts';

describe('The client of hushpush', () => {
  let service: TestService;
  let anonymous: PushClient;
  let owner: PushClient;
  let account: Account;
  let token: string;

  before(async () => {
    const port = await freePort();
    const server = `http://127.0.0.1:${port}`;
    service = await startService({ PORT: String(port), BASE_URL: server, WEBHOOK_ALLOW_PRIVATE: 'true' });
    const created = await createAccount(service.domain, undefined, { subscribed: true });
    ({ account, token } = created);
    anonymous = createClient({ server });
    owner = createClient({ server, token: created.token });
  });

  after(() => service.stop());

  it('creates one push, once a creation under the same key whose process died is given up', async () => {
    const { database, keyring } = service;
    const idempotencyKey = randomBytes(16).toString('hex');
    const { account, token } = await createAccount(service.domain);
    const client = createClient({ server: service.url, token });
    await createIdempotency({ database, keyring }).claim(
      idempotencyKey,
      { ...nobody, account },
      'of the dead',
    );
    await database.execute(`UPDATE idempotency_keys SET expires_at = ${database.dialect.now} + 4500`, {});
    const waited: number[] = [];
    const onWait = (seconds: number) => void waited.push(seconds);
    const created = await client.create({ payload: 'tulip' }, { idempotencyKey, onWait });
    expect(waited).to.have.length(1);
    expect(await collect(client.list())).to.have.length(1);
    expect(await anonymous.retrieve(created.url_token)).to.include({ payload: 'tulip' });
  });

  it('gets a secret whose response was lost, and uses one view for it', async () => {
    const { token } = await createAccount(service.domain);
    const owner = createClient({ server: service.url, token });
    const created = await owner.create({ payload: 'tulip', expire_after_views: 2 });
    const lost: string[] = [];
    const losing: typeof fetch = async (address, init) => {
      const response = await fetch(address, init);
      if (!String(address).endsWith('.json') || String(address).includes('version') || lost.length === 2)
        return response;
      lost.push(await response.text());
      throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
    };
    const client = createClient({ server: service.url, fetch: losing, retryDelaysMs: [1, 1] });
    expect(await client.retrieve(created.html_url)).to.include({ payload: 'tulip', views_remaining: 1 });
    expect(lost.map((text) => JSON.parse(text).views_remaining)).to.deep.equal([1, 1]);
    const kinds = (await collect(owner.activity(created.url_token))).map(({ kind }) => kind);
    expect(kinds).to.deep.equal(['creation', 'view']);
  });

  it('sends a retrieval once where the server would count another view', async () => {
    const pusher = await startPasswordPusher();
    let sent = 0;
    const losing: typeof fetch = async (address, init) => {
      if (!String(address).includes('/p/')) return fetch(address, init);
      sent += 1;
      throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
    };
    const client = createClient({ server: pusher.url, fetch: losing, retryDelaysMs: [1, 1] });
    const error = await client.retrieve('token-1').catch((error: ConnectionError) => error);
    await pusher.close();
    expect(error).to.include({ code: 'unreachable' });
    expect(sent).to.equal(1);
  });

  it('creates, previews, retrieves, lists and expires a push, and reads its activity', async () => {
    const payload = `Pä$$ w0rd+&=%41"'\\<b>#?;ü✓ 東京\r\n\0`;
    const created = await owner.create({
      payload,
      name: 'VPN',
      expire_after_hours: 2,
      expire_after_views: 2,
      passphrase: 'open sesame',
      notify: { viewed: 'none' },
    });
    expect(await anonymous.preview(created.html_url)).to.equal(created.html_url);
    const refused = await anonymous.retrieve(created.url_token).catch((error: RefusedError) => error);
    expect(refused).to.include({ code: 'passphrase', status: 401 });
    const retrieved = await anonymous.retrieve(created.html_url, { passphrase: 'open sesame' });
    expect(retrieved).to.include({ payload, views_remaining: 1, name: null });
    expect((await collect(owner.list())).map(({ name }) => name)).to.deep.equal(['VPN']);
    expect((await owner.extend(created.url_token, 180)).expires_at > created.expires_at).to.equal(true);
    expect(await owner.expire(created.url_token)).to.include({ expired: true, deleted: true });
    expect((await collect(owner.list('expired'))).map(({ name }) => name)).to.deep.equal(['VPN']);
    const kinds = (await collect(owner.activity(created.url_token))).map(({ kind }) => kind);
    expect(kinds).to.deep.equal(['creation', 'failed_passphrase', 'view', 'edit', 'expire']);
  });

  it('lists, previews and reads the activity of pushes without their links, with a token of the scope read', async () => {
    const { server } = owner;
    const clientOf = async (scope: 'create' | 'read') =>
      createClient({ server, token: await service.domain.apiTokens.issue(account, { name: scope, scope }) });
    const [reader, creator] = [await clientOf('read'), await clientOf('create')];
    const created = await creator.create({ payload: 'tulip', name: 'for a dashboard' });
    const id = createHash('sha256').update(created.url_token).digest('hex');
    const [entry] = await collect(reader.list('active', { search: 'dashboard' }));
    expect(entry).to.include({ url_token: null, html_url: null, url_token_sha256: id });
    expect(await reader.preview(id)).to.equal(null);
    expect((await collect(reader.activity(id))).map(({ kind }) => kind)).to.deep.equal(['creation']);
    expect(await owner.preview(id)).to.equal(created.html_url);
    expect((await owner.extend(id, 20_160)).url_token).to.equal(created.url_token);
    const refused = await anonymous.retrieve(id).catch((error: RefusedError) => error);
    expect(refused).to.include({ code: 'not_found' });
    expect(await creator.expire(id)).to.include({ url_token: null, url_token_sha256: id, deleted: true });
  });

  it('says what its token may do, if it has one', async () => {
    const { server } = owner;
    const scopeOf = async (scope: string) => {
      const token = await service.domain.apiTokens.issue(account, { name: `may ${scope}`, scope });
      return createClient({ server, token }).tokenScope();
    };
    expect(await owner.tokenScope()).to.equal('full');
    expect([await scopeOf('create'), await scopeOf('read')]).to.deep.equal(['create', 'read']);
    expect(await anonymous.tokenScope()).to.equal(undefined);
    const refused = await createClient({ server, token: 'x' })
      .tokenScope()
      .catch((error: RefusedError) => error);
    expect(refused).to.include({ code: 'unauthenticated' });
  });

  it('names the fields that the server refuses', async () => {
    const refused = await anonymous
      .create({ payload: 'tulip', expire_after_views: 101, expire_after_days: 91 })
      .catch((error: RefusedError) => error);
    expect(refused).to.include({ code: 'invalid', status: 422 });
    expect((refused as RefusedError).fields).to.have.keys('expire_after_views', 'expire_after_days');
  });

  it('creates one push when the response to a creation is lost, and retrieves it with any passphrase', async () => {
    const name = 'lost response';
    let isLost = false;
    const client = createClient({
      server: owner.server,
      token,
      retryDelaysMs: [1],
      async fetch(input, init) {
        const response = await fetch(input, init);
        if (init?.method !== 'POST' || isLost) return response;
        isLost = true;
        await response.text();
        throw new TypeError('fetch failed');
      },
    });
    const passphrase = 'Grüße 🌷';
    const { html_url } = await client.create({ payload: 'tulip', name, passphrase });
    expect(isLost).to.equal(true);
    expect((await collect(owner.list())).filter((push) => push.name === name)).to.have.length(1);
    expect(await anonymous.retrieve(html_url, { passphrase })).to.include({ payload: 'tulip' });
  });

  it('lists more pushes than fit a page', async () => {
    for (let created = 0; created < 51; created++)
      await owner.create({ payload: 'tulip', name: `page ${created}` });
    const names = (await collect(owner.list())).map(({ name }) => name);
    expect(names.filter((name) => name?.startsWith('page '))).to.have.length(51);
  });

  it('lists pushes of a kind, with a text or a recipient, and in an order', async () => {
    const name = 'wanted';
    const byText = await owner.create({ payload: 'tulip', name: `${name} text`, expire_after_days: 1 });
    const byLink = await owner.create({ payload: 'https://example.com', kind: 'url', name });
    const toCarol = { payload: 'tulip', name, expire_after_days: 2, recipients: ['Carol'] };
    const byRecipient = await owner.create(toCarol);
    const found = async (params: ListParams) =>
      (await collect(owner.list('active', { search: name, ...params }))).map(({ url_token }) => url_token);
    const [text, link, carol] = [byText, byLink, byRecipient].map(({ url_token }) => url_token);
    expect(await found({})).to.deep.equal([carol, link, text]);
    expect(await found({ kind: 'url' })).to.deep.equal([link]);
    expect(await found({ search: `${name} te` })).to.deep.equal([text]);
    expect(await found({ recipient: 'carol' })).to.deep.equal([carol]);
    expect(byRecipient.recipients?.map((recipient) => recipient.name)).to.deep.equal(['Carol']);
    expect(await found({ sort: 'oldest' })).to.deep.equal([text, link, carol]);
    expect(await found({ sort: 'ends_soonest' })).to.deep.equal([text, carol, link]);
  });

  it('searches all pushes, however many there are', async () => {
    const created = await createAccount(service.domain);
    const searcher = createClient({ server: owner.server, token: created.token });
    for (let number = 0; number < 51; number++)
      await searcher.create({ payload: 'tulip', name: `needle ${number}` });
    const accountId = created.account.id;
    await service.database.execute(
      `UPDATE pushes SET created_at = created_at - ${dayMs} WHERE account_id = $accountId`,
      { accountId },
    );
    await storePushes(service.database, { count: 5_001, expiresInMs: dayMs, accountId });
    const found = await collect(searcher.list('active', { search: 'needle' }));
    expect(found.map(({ name }) => name)).to.deep.equal(
      Array.from({ length: 51 }, (_, index) => `needle ${50 - index}`),
    );
    expect(await collect(searcher.list('active', { recipient: 'nobody' }))).to.deep.equal([]);
  });

  it('sends files from disk and from streams, tells the progress, and continues a download', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'client-'));
    const [onDisk, streamed] = [randomBytes(300_000), randomBytes(200_000)];
    await writeFile(join(folder, 'dump.bin'), onDisk);
    const blob = await openAsBlob(join(folder, 'dump.bin'));
    const fromDisk = { filename: 'Grüße 1.bin', content: blob, content_type: 'application/x-dump' };
    const fromStream = { filename: 'streamed "2".bin', content: new Blob([streamed]).stream() };
    const sent: number[] = [];
    const onProgress = (bytes: number) => sent.push(bytes);

    const { html_url } = await owner.create({ files: [fromDisk], payload: 'both' }, { onProgress });
    expect(sent.at(-1)).to.be.greaterThan(onDisk.length);
    const mixed = await owner.create({ files: [fromDisk, fromStream], notify: { expired: true } });
    const recipients = ['Carol', 'Ben'];
    const forTwo = await owner.create({ files: [fromDisk], recipients });
    expect(forTwo.recipients?.map(({ name }) => name)).to.deep.equal(recipients);
    await rm(folder, { recursive: true });

    for (const [link, contents] of [
      [html_url, [onDisk]] as const,
      [mixed.html_url, [onDisk, streamed]] as const,
    ]) {
      const { files } = await anonymous.retrieve(link);
      expect(files.map(({ size }) => size)).to.deep.equal(contents.map(({ length }) => length));
      expect(files[0]).to.include({ filename: 'Grüße 1.bin', content_type: 'application/x-dump' });
      if (files[1]) expect(files[1].filename).to.equal('streamed "2".bin');
      for (const [index, content] of contents.entries()) {
        const response = await anonymous.download(files[index] ?? { url: null }, { fromByte: 100_000 });
        expect(response.status).to.equal(206);
        expect(digest(Buffer.from(await response.arrayBuffer()))).to.equal(digest(content.subarray(100_000)));
      }
    }
  });

  it('requests secrets from people in chats, lists the requests and cancels them', async () => {
    const [me, other] = [newChatUser('T1'), newChatUser('T1')];
    await connectChat(service.domain, me, { account });
    const from = `slack:${other.address}`;
    const { id, state, requests } = await owner.requests.create({ from, reason: 'the VPN' });
    expect([state, requests.length]).to.deep.equal(['open', 1]);
    const { received, sent } = await owner.requests.list();
    expect([received.length, sent.map(({ provider, reason }) => [provider, reason])]).to.deep.equal([
      0,
      [[from, 'the VPN']],
    ]);
    expect((await owner.requests.cancel(id)).state).to.equal('cancelled');
    const several = [from, `slack:${newChatUser('T1').address}`];
    const both = await owner.requests.create({ from: several, due_in_minutes: 60 });
    expect(both.requests.map(({ provider, group_id }) => [provider, group_id])).to.deep.equal(
      several.map((provider) => [provider, both.group_id]),
    );
    expect(Date.parse(both.expires_at) - Date.parse(both.created_at)).to.equal(3_600_000);
    expect(await owner.requests.create({ from: 'Ben' }).catch((error) => error.fields)).to.have.key('from');
  });

  it('encrypts a push with files, and decrypts it by its link alone', async () => {
    const [blob, streamed] = [randomBytes(70_000), randomBytes(200_000)];
    const { push, key } = await encryptPush({
      payload: 'both',
      files: [
        { filename: 'Grüße 1.bin', content: new Blob([blob], { type: 'application/x-dump' }) },
        { filename: 'streamed.bin', content: new Blob([streamed]).stream() },
      ],
    });
    const { html_url } = await owner.create(push);
    const link = `${html_url}#${key}`;
    const sealed = await anonymous.retrieve(link);
    expect(JSON.stringify(sealed)).to.not.match(/both|bin|dump/);
    const opened = await decryptPush(sealed, link);
    expect(opened).to.include({ kind: 'file', payload: 'both' });
    expect(
      opened.files.map(({ filename, content_type, size }) => [filename, content_type, size]),
    ).to.deep.equal([
      ['Grüße 1.bin', 'application/x-dump', 70_000],
      ['streamed.bin', '', 200_000],
    ]);
    for (const [index, content] of [blob, streamed].entries()) {
      const { body } = await anonymous.download(opened.files[index] ?? { url: null });
      if (body === null) return expect.fail('no content');
      const bytes = await buffer(decryptFile(link, index + 1, body));
      expect(digest(bytes)).to.equal(digest(content));
    }
    const other = (await encryptPush({ payload: '' })).key;
    expect(await decryptPush(sealed, other).catch(({ name }) => name)).to.equal('DecryptionError');
    expect(await decryptPush(sealed, html_url).catch(({ name }) => name)).to.equal('TypeError');
  });

  it('lists what happened to the sign-in of the account', async () => {
    const kinds = (await collect(owner.account.security())).map(({ kind }) => kind);
    expect(kinds.at(-1)).to.equal('token_created');
  });

  it('manages webhooks, and verifies what they receive', async () => {
    const { id, secret, url } = await owner.webhooks.create('http://127.0.0.1:9/hook');
    expect((await owner.webhooks.list()).map((webhook) => webhook.url)).to.deep.equal([url]);
    expect(await collect(owner.webhooks.deliveries(id))).to.deep.equal([]);
    const { id: chosen, types } = await owner.webhooks.create('http://127.0.0.1:9/some', {
      types: ['push.viewed'],
    });
    expect(types).to.deep.equal(['push.viewed']);
    const changed = await owner.webhooks.changeTypes(chosen, ['push.expired', 'push.locked']);
    expect(changed.types).to.deep.equal(['push.expired', 'push.locked']);
    expect((await owner.webhooks.changeTypes(chosen, null)).types).to.equal(null);
    await owner.webhooks.remove(chosen);
    const test = await owner.webhooks.test(id);
    expect(test).to.include({ event: 'test', state: 'waiting' });
    expect((await owner.webhooks.redeliver(id, test.id)).id).to.equal(test.id);
    expect((await collect(owner.webhooks.deliveries(id))).map((delivery) => delivery.id)).to.deep.equal([
      test.id,
    ]);
    const rotated = await owner.webhooks.rotateSecret(id);
    expect(rotated.secret)
      .to.match(/^whsec_/)
      .and.not.equal(secret);
    await owner.webhooks.remove(id);
    const problem = await owner.webhooks.test(id).catch((error) => error.message);
    expect(problem).to.match(/no such webhook/);
    expect(await owner.webhooks.list()).to.deep.equal([]);

    const body = '{"type":"push.viewed","data":{"name":"Ünïcode 🌷"}}';
    const sign = (at: number) =>
      signatureHeaders({ secrets: [secret], now: at } as WebhookEndpoint, 'id', body);
    const headers = sign(Date.now());
    expect((await verifyWebhook(secret, headers, body)).type).to.equal('push.viewed');
    expect((await verifyWebhook(secret, new Headers(headers), body)).type).to.equal('push.viewed');
    const other = `whsec_${randomBytes(32).toString('base64')}`;
    const forgeries: [string, Record<string, string>, string][] = [
      [other, headers, body],
      [secret, headers, `${body} `],
      [secret, { ...headers, 'webhook-id': 'another' }, body],
      [secret, { ...headers, 'webhook-signature': 'v1,!' }, body],
      [secret, sign(Date.now() - 6 * 60_000), body],
      [secret, sign(Date.now() + 6 * 60_000), body],
      [secret, {}, body],
    ];
    for (const [key, given, text] of forgeries)
      expect(await verifyWebhook(key, given, text).catch(({ name }) => name)).to.equal('SignatureError');
  });

  it('stops waiting when it is told to, and after its time', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const server = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const nameOf = (action: Promise<unknown>) => action.catch(({ code, name }) => `${name} ${code}`);
    expect(await nameOf(createClient({ server, timeoutMs: 50 }).version())).to.equal(
      'ConnectionError timeout',
    );
    const controller = new AbortController();
    const version = nameOf(createClient({ server }).version({ signal: controller.signal }));
    controller.abort();
    expect(await version).to.match(/^AbortError/);
    silent.closeAllConnections();
    silent.close();
  });
});

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
