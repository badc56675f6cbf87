import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { openLabel } from '../../../src/crypto/cipher.ts';
import { createIdempotency } from '../../../src/domain/pushes/create/idempotency.ts';
import { type ApiResponse, asForm, asMultipart, bearer, type Fields, times } from '../../harness/api.ts';
import { filePart, multipartForm, storedFiles } from '../../harness/files.ts';
import { anonymous, createAccount } from '../../harness/service.ts';
import { ann, api, bob, expectError, listOf, newAccount, service, useApi } from './api.ts';

describe('Idempotency-Key', () => {
  useApi();

  const tulip = { payload: 'tulip', name: 'garden', expire_after_views: 1 };
  const create = (key: string, password: Fields = tulip, headers: Record<string, string> = {}) =>
    api.post('/p.json', { password }, { 'idempotency-key': key, ...headers });

  function expectReplayed(again: ApiResponse, first: ApiResponse): void {
    expect(first.status, first.text).to.equal(201);
    expect(again.status, again.text).to.equal(201);
    expect(again.bytes.equals(first.bytes)).to.equal(true);
    expect(again.headers['content-type']).to.equal(first.headers['content-type']);
    expect(again.headers['x-request-id']).to.not.equal(first.headers['x-request-id']);
  }

  const keysOf = () =>
    service.database.select<{ id: Buffer; record: Buffer | null }>('SELECT * FROM idempotency_keys', {});

  beforeEach(() => service.database.execute('DELETE FROM idempotency_keys', {}));

  it('has a repeated request create one push, and get the same response, whatever became of that push', async () => {
    const owner = await newAccount();
    for (const headers of [owner, {}]) {
      const key = randomUUID();
      const first = await create(key, tulip, headers);
      expectReplayed(await create(key, tulip, headers), first);
      await api.get(`/p/${first.body.url_token}.json`);
      expectReplayed(await create(`"${key}"`, tulip, headers), first);
      const body = 'password[expire_after_views]=1&password[name]=garden&password[payload]=tulip';
      const form = { ...asForm, ...headers, 'idempotency-key': key };
      // a form has its numbers as text, so it is another request
      expectError(
        await api.send('POST', '/p.json', { headers: form, body }),
        422,
        'This Idempotency-Key was sent with another request before. Use a new one.',
      );
    }
    expect(listOf((await api.get('/p/active.json', owner)).json)).to.be.empty;
    expect(listOf((await api.get('/p/expired.json', owner)).json)).to.have.length(1);
  });

  it('belongs to one account, or to one client without one', async () => {
    const ofClients = ['192.0.2.1', '192.0.2.2'].map(async (ip) => {
      const caller = { ...anonymous, client: { ...anonymous.client, ip } };
      const creation = await service.domain.pushes.begin(caller, { idempotencyKey: 'the same for both' });
      return (await creation.create({ payload: 'tulip' })).urlToken;
    });
    expect(new Set(await Promise.all(ofClients)).size).to.equal(2);
    const key = randomUUID();
    const headers = [ann, bob, {}];
    const created = await Promise.all(headers.map((credentials) => create(key, tulip, credentials)));
    expect(new Set(created.map(({ body }) => body.url_token)).size).to.equal(3);
    const { token } = await createAccount(service.domain, undefined);
    expect((await create(key, { payload: 'rose' }, bearer(token))).status).to.equal(201);
  });

  it('refuses another request under the same key, and creates nothing', async () => {
    const key = randomUUID();
    await create(key, tulip, ann);
    const before = listOf((await api.get('/p/active.json', ann)).json).length;
    for (const other of [{ ...tulip, payload: 'rose' }, { payload: 'tulip' }, { ...tulip, passphrase: 'p' }])
      expect((await create(key, other, ann)).status).to.equal(422);
    expect(listOf((await api.get('/p/active.json', ann)).json)).to.have.length(before);
  });

  it('compares files by their names and bytes, and stores those of a repeated request not at all', async () => {
    const subscriber = await newAccount({ subscribed: true });
    const key = randomUUID();
    const send = (boundary: string, name: string, content: string) =>
      api.send('POST', '/p.json', {
        headers: {
          ...subscriber,
          'content-type': asMultipart['content-type'].replace('=B', `=${boundary}`),
          'idempotency-key': key,
        },
        body: multipartForm([filePart('a.txt', 'rose'), filePart(name, content)])
          .toString()
          .replaceAll('--B', `--${boundary}`),
      });
    const first = await send('B', 'b.txt', 'lily');
    const stored = await storedFiles(service);
    expectReplayed(await send('another', 'b.txt', 'lily'), first);
    expect((await send('B', 'b.txt', 'lila')).status).to.equal(422);
    expect((await send('B', 'c.txt', 'lily')).status).to.equal(422);
    expect(await storedFiles(service)).to.deep.equal(stored);
  });

  it('refuses a request while an earlier one is in progress, unless that has died', async () => {
    const { database, keyring } = service;
    const key = randomUUID();
    const caller = { ...anonymous, client: { ...anonymous.client, ip: '127.0.0.1' } };
    const slow = await createIdempotency({ database, keyring }).claim(key, caller, 'of another process');
    const early = await create(key);
    expectError(early, 409, 'Another request with this Idempotency-Key is in progress. Try again shortly.');
    expect(Number(early.headers['retry-after'])).to.be.within(50, 60);

    await database.execute(`UPDATE idempotency_keys SET expires_at = ${database.dialect.now} + 2500`, {});
    expect((await create(key)).headers['retry-after']).to.be.oneOf(['3', '2']);
    await database.execute('UPDATE idempotency_keys SET expires_at = 1', {});
    const first = await create(key);
    expectReplayed(await create(key), first);
    if (slow.created !== undefined) throw new Error('nothing was created before');
    const push = await service.domain.pushes.create(tulip, anonymous);
    const late = await database.transaction((tx) => slow.store(push, tx)).catch((error) => error);
    expect(late).to.include({ code: 'unavailable' });
    await slow.release();
    expectReplayed(await create(key), first);
  });

  it('has many requests at once create one push', async () => {
    const owner = await newAccount();
    const key = randomUUID();
    const responses = await times(20, () => create(key, tulip, owner));
    const created = responses.filter(({ status }) => status === 201);
    expect(new Set(created.map(({ text }) => text)).size).to.equal(1);
    expect(responses.filter(({ status }) => status !== 201 && status !== 409)).to.be.empty;
    expect(listOf((await api.get('/p/active.json', owner)).json)).to.have.length(1);
  });

  it('can be used again after a request that created nothing', async () => {
    const key = randomUUID();
    expect((await create(key, { ...tulip, expire_after_views: 0 })).status).to.equal(422);
    expect(await keysOf()).to.be.empty;
    expect((await create(key)).status).to.equal(201);
  });

  it('must be long enough to be unique, and well-formed', async () => {
    const wrong = [
      'short',
      '"short"',
      `"${randomUUID()}`,
      'x'.repeat(256),
      `"${'x'.repeat(16)}`,
      'sixteen and spaces',
    ];
    for (const key of wrong)
      expectError(
        await create(key),
        400,
        'Idempotency-Key must have 16 to 255 visible characters, such as a UUID.',
      );
    for (const key of ['x'.repeat(255), '"a rather \\"quoted\\" key"', '0123456789abcdef'])
      expect((await create(key)).status, key).to.equal(201);
  });

  it('is stored as a digest for a day, and opens what is stored with it', async () => {
    const key = randomUUID();
    const { body } = await create(key);
    const [{ id, record } = { id: Buffer.of(), record: null }] = await keysOf();
    if (record === null) throw new Error('nothing was stored');
    expect(Buffer.concat([id, record]).includes(key)).to.equal(false);
    const opens = (secret: string | undefined) => {
      try {
        return openLabel(service.keyring, record, { id, field: 'created_push', secret });
      } catch {
        return 'it did not open';
      }
    };
    for (const secret of [undefined, '', id.toString('hex')])
      expect(opens(secret)).to.equal('it did not open');
    expect(opens(key)).to.include(body.url_token).and.not.include('"tulip"');

    const { database, domain } = service;
    const age = (ms: number) =>
      database.execute('UPDATE idempotency_keys SET expires_at = expires_at - $ms', { ms });
    const minuteMs = 60 * 1000;
    const dayMs = 24 * 60 * minuteMs;
    await age(dayMs - minuteMs);
    await domain.pushes.purgeIdempotencyKeys();
    expect(await keysOf()).to.have.length(1);
    await age(minuteMs);
    await domain.pushes.purgeIdempotencyKeys();
    expect(await keysOf()).to.be.empty;
  });
});
