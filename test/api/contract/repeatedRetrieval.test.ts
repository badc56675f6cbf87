import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { openViewCopy } from '../../../src/crypto/cipher.ts';
import { type ApiResponse, type Client, createClient, type Fields, times } from '../../harness/api.ts';
import { downloadPath, filePart, filesOf, multipartForm } from '../../harness/files.ts';
import { startService, type TestService } from '../../harness/service.ts';
import { ann, api, expectError, kindsOf, newAccount, service, useApi } from './api.ts';

const reused = 'This Idempotency-Key was sent with another request before. Use a new one.';
const overText = 'That view was already given. It is repeated for a minute only.';

describe('Idempotency-Key of a retrieval', () => {
  useApi();

  let sibling: TestService;
  let other: Client;

  before(async () => {
    sibling = await startService(service.shared);
    other = createClient(sibling.port);
  });

  after(async () => {
    other.close();
    await sibling.stop();
  });

  const get = (path: string, key: string, headers: Record<string, string> = {}) =>
    api.get(path, { 'idempotency-key': key, ...headers });

  const viewsOf = async (created: Parameters<typeof kindsOf>[0]) =>
    (await kindsOf(created)).filter((kind) => kind === 'view').length;

  function expectReplayed(again: ApiResponse, first: ApiResponse): void {
    expect(first.status, first.text).to.equal(200);
    expect(first.body.payload).to.equal('tulip');
    expect(again.text).to.equal(first.text);
    expect(again.status).to.equal(200);
  }

  it('has a repeated request count one view, and get the same response, from any process', async () => {
    const variants: [Fields, Record<string, string>][] = [
      [{ expire_after_views: 3, name: 'garden' }, {}],
      [{ expire_after_views: 1 }, {}],
      [{ expire_after_views: 1, passphrase: 'daffodil', name: 'garden' }, { 'x-passphrase': 'daffodil' }],
    ];
    for (const [fields, headers] of variants) {
      for (const asOwner of [{}, ann]) {
        const created = await api.create(fields, ann);
        const key = randomUUID();
        const first = await get(created.json, key, { ...headers, ...asOwner });
        expectReplayed(await get(created.json, `"${key}"`, { ...headers, ...asOwner }), first);
        const elsewhere = { 'idempotency-key': key, ...headers, ...asOwner };
        expectReplayed(await other.get(created.json, elsewhere), first);
        expect(await viewsOf(created)).to.equal(1);
      }
    }
  });

  it('counts one view for forty simultaneous requests', async () => {
    const created = await api.create({ expire_after_views: 5 }, ann);
    const key = randomUUID();
    const answers = await times(40, () => get(created.json, key));
    for (const answer of answers) expectReplayed(answer, answers[0] as ApiResponse);
    expect(await viewsOf(created)).to.equal(1);
  });

  it('gives the files of the same view again', async () => {
    const owner = await newAccount({ subscribed: true });
    const body = multipartForm([filePart('a.txt', 'rose')]);
    const headers = { ...owner, 'content-type': 'multipart/form-data; boundary=B' };
    const created = await api.send('POST', '/p.json', { headers, body });
    const [path, key] = [`/p/${created.body.url_token}.json`, randomUUID()];
    const first = await get(path, key);
    const again = await get(path, key);
    expect(again.text).to.equal(first.text);
    const [file = {}] = filesOf(again.body);
    expect((await api.get(downloadPath(file))).text).to.equal('rose');
  });

  it('refuses another url token or passphrase under the same key, and counts nothing', async () => {
    const [created, other] = [
      await api.create({ passphrase: 'daffodil' }, ann),
      await api.create({ expire_after_views: 1 }, ann),
    ];
    const key = randomUUID();
    const first = await get(created.json, key, { 'x-passphrase': 'daffodil' });
    expectError(await get(other.json, key), 422, reused);
    expectError(await get(created.json, key, { 'x-passphrase': 'rose' }), 422, reused);
    expectError(await get(created.json, key), 422, reused);
    expectReplayed(await get(`${created.json}?passphrase=daffodil`, key), first);
    expect([await viewsOf(created), await viewsOf(other)]).to.deep.equal([1, 0]);
    expect((await get(other.json, randomUUID())).body.payload).to.equal('tulip');
  });

  it('claims one of several pushes that are retrieved under it at the same time, from any process', async () => {
    for (let round = 0; round < 10; round++) {
      const pushes = await times(4, () => api.create({}, ann));
      const headers = { 'idempotency-key': randomUUID() };
      const answers = await times(8, (index) =>
        (index < 4 ? api : other).get(pushes[index % 4]?.json ?? '', headers),
      );
      const refused = answers.filter(({ status }) => status !== 200);
      for (const answer of refused) expectError(answer, 422, reused);
      const views = await Promise.all(pushes.map(viewsOf));
      expect(views.reduce((sum, count) => sum + count, 0)).to.equal(1);
      expect(refused).to.have.length(6);
    }
  });

  it('is spent after a minute, when the copy is refused, and then erased', async () => {
    const created = await api.create({ expire_after_views: 3 }, ann);
    const key = randomUUID();
    await get(created.json, key);
    await service.database.execute('UPDATE spent_nonces SET view_expires_at = 1', {});
    expectError(await get(created.json, key), 409, overText);
    await service.domain.pushes.eraseViews();
    expect(await service.database.select('SELECT id FROM spent_nonces WHERE view IS NOT NULL', {})).to.be
      .empty;
    expectError(await get(created.json, key), 409, overText);
    expect(await viewsOf(created)).to.equal(1);
  });

  it('shows no copy of a push that was deleted, or whose time is over', async () => {
    const [deleted, over] = [await api.create({}, ann), await api.create({}, ann)];
    const [one, two] = [randomUUID(), randomUUID()];
    await get(deleted.json, one);
    await get(over.json, two);
    await api.send('DELETE', deleted.json, { headers: ann });
    await service.database.execute('UPDATE pushes SET expires_at = 1 WHERE expired_on IS NULL', {});
    expect((await get(deleted.json, one)).body).to.include({ expired: true, deleted: true, payload: null });
    expect((await get(over.json, two)).body).to.include({ expired: true, payload: null });
  });

  it('shows no copy of a push that was deleted after its last view, from any process', async () => {
    const created = await api.create({ expire_after_views: 1 }, ann);
    const headers = { 'idempotency-key': randomUUID() };
    await api.get(created.json, headers);
    const deletion = await api.send('DELETE', created.json, { headers: ann });
    expect(deletion.body).to.include({ expired: true, deleted: false });
    for (const client of [api, other]) expectError(await client.get(created.json, headers), 409, overText);
    expect((await api.send('DELETE', created.json, { headers: ann })).text).to.equal(deletion.text);
  });

  it('has a request that failed leave its key unused', async () => {
    const created = await api.create({ passphrase: 'daffodil', expire_after_views: 1 }, ann);
    const key = randomUUID();
    expect((await get(created.json, key, { 'x-passphrase': 'rose' })).status).to.equal(401);
    expect((await get(created.json, key, { 'x-passphrase': 'daffodil' })).body.payload).to.equal('tulip');
    expect((await get('/p/00000000000000000000000000.json', randomUUID())).status).to.equal(404);
  });

  it('keeps a copy that neither the database nor the master keys open, nor the key alone', async () => {
    const { json, token } = await api.create({ passphrase: 'daffodil' });
    const key = randomUUID();
    await get(json, key, { 'x-passphrase': 'daffodil' });
    const [row] = await service.database.select<{ id: Buffer; view: Buffer }>(
      'SELECT id, view FROM spent_nonces WHERE view IS NOT NULL ORDER BY view_expires_at DESC LIMIT 1',
      {},
    );
    if (row === undefined) throw new Error('there is no copy');
    const opened = (secret: string | undefined) => {
      try {
        return openViewCopy(service.keyring, row.view, { id: row.id, secret });
      } catch {
        return 'it did not open';
      }
    };
    for (const secret of [undefined, '', key, JSON.stringify([key, token]), row.id.toString('hex')])
      expect(opened(secret)).to.equal('it did not open');
    expect(opened(JSON.stringify([key, token, 'daffodil']))).to.include('tulip');
  });

  it('must be long enough not to be guessed', async () => {
    const created = await api.create({}, ann);
    expectError(
      await get(created.json, 'short'),
      400,
      'Idempotency-Key must have 16 to 255 visible characters, such as a UUID.',
    );
    expect(await viewsOf(created)).to.equal(0);
  });

  it('leaves nothing in the database without the header', async () => {
    await service.database.execute('DELETE FROM spent_nonces', {});
    await api.get((await api.create()).json);
    expect(await service.database.select('SELECT id FROM spent_nonces', {})).to.be.empty;
  });
});
