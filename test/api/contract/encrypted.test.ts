import { expect } from 'chai';
import { createClient as createPushClient, decryptPush, encryptPush } from '../../../src/client/client.ts';
import { createClient } from '../../harness/api.ts';
import { freePort } from '../../harness/mariadb.ts';
import { startService } from '../../harness/service.ts';
import { ann, api, expectError, listOf, useApi } from './api.ts';

describe('Encrypted pushes in the API', () => {
  useApi();

  const encrypted = (text = 'tulip') => encryptPush({ payload: text, expire_after_views: 1 });

  it('return the payload as it was sent, once per view, and say that it is encrypted', async () => {
    const { push, key } = await encrypted();
    const { json, push: created } = await api.create(push, ann);
    expect(created).to.include({ encrypted: true, kind: 'text' });
    expect(String(created.html_url)).to.match(/\/p\/\w{26}$/);
    const { body } = await api.get(json);
    expect(body).to.include({ encrypted: true, payload: push.payload, views_remaining: 0 });
    expect((await decryptPush(body as never, key)).payload).to.equal('tulip');
    expect((await api.get(json)).body).to.include({ expired: true, payload: null });
    const [listed] = listOf((await api.get('/p/expired.json', ann)).json);
    expect(listed).to.include({ encrypted: true });
  });

  it('are told from others by a field that those do not have', async () => {
    const { push, json } = await api.create({ encrypted: false });
    expect(push).to.not.have.property('encrypted');
    expect((await api.get(json)).body).to.not.have.property('encrypted');
  });

  it('are refused where they are not encrypted, or of a kind that only their text may tell', async () => {
    const plain = await api.post('/p.json', { password: { payload: 'tulip', encrypted: true } });
    expectError(plain, 422, 'payload is not encrypted: see docs/encryption.md');
    expect(plain.text).to.not.include('tulip');
    const { push } = await encrypted();
    const kind = await api.post('/p.json', { password: { ...push, kind: 'url' } });
    expectError(kind, 422, 'kind must be one of text, file');
  });

  it('carry files, whose names and contents only the key opens', async () => {
    const port = String(await freePort());
    const server = `http://127.0.0.1:${port}`; // the links in its answers must have it
    const own = await startService({ PORT: port, BASE_URL: server, FILES: 'everyone' });
    const client = createPushClient({ server });
    const { push, key } = await encryptPush({
      files: [{ filename: 'tulip.pem', content: new Blob(['BEGIN']), content_type: 'text/plain' }],
    });
    const created = await client.create(push);
    expect(created).to.include({ encrypted: true, kind: 'file' });
    expect(created.files.map(({ filename }) => filename)).to.deep.equal(['encrypted-1']);
    const opened = await decryptPush(await client.retrieve(created.url_token), key);
    await own.stop();
    expect(opened.files[0]).to.include({ filename: 'tulip.pem', content_type: 'text/plain', size: 5 });
  });

  it('are refused, and not offered, where the operator wants none', async () => {
    const isOffered = async ({ port }: { port: number }) => {
      const client = createClient(port);
      const { text } = await client.get('/');
      client.close();
      return text.includes('id="encrypt"');
    };
    const BASE_URL = 'https://push.test'; // over http, no page offers it
    const usual = await startService({ BASE_URL });
    expect(await isOffered(usual)).to.equal(true);
    const other = await startService({ BASE_URL, ALLOW_ENCRYPTED: 'false' });
    expect(await isOffered(other)).to.equal(false);
    const client = createClient(other.port);
    const { push } = await encrypted();
    expectError(
      await client.post('/p.json', { password: push }),
      403,
      'This server does not take secrets that it cannot read.',
    );
    client.close();
    await Promise.all([usual.stop(), other.stop()]);
  });
});
