import { expect } from 'chai';
import {
  createClient,
  DecryptionError,
  decryptFile,
  decryptPush,
  encryptPush,
  NotEncryptedError,
  type PushParams,
  type RetrievedPush,
} from '../../src/client/client.ts';
import { type Answer, type HostileServer, startHostileServer } from '../../tools/standins/hostileServer.ts';
import { collect } from '../harness/collect.ts';

/** What a promise is rejected with; what it resolves to if it is not. */
const outcomeOf = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

describe('A server in somebody else’s hands, for the library', () => {
  let server: HostileServer;
  let elsewhere: HostileServer;
  const evil = 'https://evil.example/p/token';

  before(async () => {
    server = await startHostileServer();
    elsewhere = await startHostileServer();
  });
  after(async () => {
    await server.close();
    await elsewhere.close();
  });

  const client = () => createClient({ server: server.url, token: 'secret-token', retryDelaysMs: [] });

  /** What the server has of an encrypted push, and its link. */
  async function sealed(params: PushParams): Promise<{ sent: RetrievedPush; link: string }> {
    const { push, key } = await encryptPush(params);
    const files = (push.files ?? []).map(({ filename, content }) => ({
      ...{ filename, content_type: '', size: (content as Blob).size, url: `${server.url}/download/1` },
    }));
    const sent = server.push({ payload: push.payload, encrypted: true, files });
    return { sent: sent as unknown as RetrievedPush, link: `${server.url}/p/token#${key}` };
  }

  it('cannot pass anything for a secret that was encrypted', async () => {
    const { sent, link } = await sealed({ payload: 'tulip' });
    expect(await decryptPush(sent, link)).to.include({ payload: 'tulip' });
    const { encrypted: _, ...unmarked } = sent;
    const plainFile = { filename: 'a.txt', content_type: '', size: 5, url: `${server.url}/download/1` };
    const forgeries: Record<string, object> = {
      'a plain text': { ...unmarked, payload: 'forged' },
      'an authentic one without the mark': unmarked,
      'with the mark false': { ...sent, encrypted: false },
      'with the mark as text': { ...sent, encrypted: 'true' },
      'no payload, and a file in the clear': { ...sent, payload: null, files: [plainFile] },
      'no payload, as if it had expired': { ...sent, payload: null, expired: true },
      'an object': { ...sent, payload: { text: 'forged' } },
    };
    for (const [what, forged] of Object.entries(forgeries))
      expect(await outcomeOf(decryptPush(forged as RetrievedPush, link)), what)
        .to.be.instanceOf(NotEncryptedError)
        .and.instanceOf(DecryptionError);
    const marked = { ...sent, payload: 'forged' };
    expect(await outcomeOf(decryptPush(marked, link))).to.be.instanceOf(DecryptionError);
  });

  it('cannot add, leave out, swap or replace files', async () => {
    const files = ['one', 'two'].map((content, index) => ({
      filename: `${index}.txt`,
      content: new Blob([content]),
    }));
    const { sent, link } = await sealed({ files });
    const [first, second] = sent.files;
    if (first === undefined || second === undefined) return expect.fail('no files');
    for (const [what, listed] of Object.entries({
      one: [first],
      three: [first, second, first],
      'a file that is too short to be encrypted': [first, { ...second, size: 3 }],
    }))
      expect(await outcomeOf(decryptPush({ ...sent, files: listed }, link)), what).to.be.instanceOf(
        DecryptionError,
      );
    const { push } = await encryptPush({ files });
    const [{ content: other } = { content: undefined }] = push.files ?? [];
    for (const [what, content] of Object.entries({
      'a plain file': new Blob(['x'.repeat(100)]).stream(),
      'a file of another push': (other as Blob).stream(),
    }))
      expect(await outcomeOf(new Response(decryptFile(link, 1, content)).text()), what).to.be.instanceOf(
        DecryptionError,
      );
  });

  it('cannot lead to another server by a link', async () => {
    const recipient = { id: '1', name: 'Carol', views_remaining: 1, views_total: 1, opened_at: null };
    const foreign: Record<string, object> = {
      html_url: { html_url: evil },
      json_url: { json_url: `${evil}.json` },
      'the link of a recipient': { recipients: [{ ...recipient, html_url: evil }] },
      'the address of a file': {
        files: [{ filename: 'a', content_type: '', size: 1, url: 'https://evil.example/download/1' }],
      },
      'the name of a user before another host': {
        html_url: `http://${new URL(server.url).host}@evil.example/p/x`,
      },
      'another port': { html_url: `${elsewhere.url}/p/token` },
      'another scheme': { html_url: server.url.replace('http:', 'https:') },
    };
    for (const [what, forged] of Object.entries(foreign)) {
      const push = server.push(forged);
      server.answerWith({
        'POST /p.json': push,
        'DELETE /p/token.json': push,
        'POST /p/token/extend.json': push,
        '/p/active.json?page=1': [push],
      });
      const { create, expire, extend, list } = client();
      for (const call of [
        () => create({ payload: 'tulip' }),
        () => expire('token'),
        () => extend('token', 1),
        () => collect(list()),
      ])
        expect(await outcomeOf(call()), what)
          .to.be.instanceOf(Error)
          .with.property('message')
          .that.matches(/answers with links to .* instead of its own/);
    }
    server.answerWith({ '/p/token/preview.json': { url: evil } });
    expect(String(await outcomeOf(client().preview('token')))).to.include('https://evil.example instead');
  });

  it('gets no say in what a link is: it is the address that was asked, and the url token', async () => {
    const recipient = { id: '1', name: 'Carol', views_remaining: 1, views_total: 1, opened_at: null };
    const push = server.push({
      html_url: `${server.url}/somewhere/else?next=${evil}#x`,
      recipients: [{ ...recipient, html_url: `${server.url}/de/p/carol?x=1#x` }],
    });
    server.answerWith({
      ...{ 'POST /p.json': push, '/p/active.json?page=1': [push], '/p/active.json?page=2': [] },
    });
    for (const given of [await client().create({ payload: 'x' }), ...(await collect(client().list()))]) {
      expect(given.html_url).to.equal(`${server.url}/p/token`);
      expect(given.json_url).to.equal(`${server.url}/p/token.json`);
      expect(given.recipients?.[0]?.html_url).to.equal(`${server.url}/p/carol`);
    }
    for (const url_token of ['../admin', 'a#b', 'https://evil.example/p/x', '', 7]) {
      server.answerWith({ 'POST /p.json': server.push({ url_token }) });
      expect(await outcomeOf(client().create({ payload: 'x' })), String(url_token))
        .to.be.instanceOf(Error)
        .with.property('code', 'foreign');
    }
  });

  it('keeps its links where the client was given another name of this machine', async () => {
    const { port } = new URL(server.url);
    server.answerWith({ 'POST /p.json': server.push({ html_url: `http://localhost:${port}/p/token` }) });
    expect((await client().create({ payload: 'x' })).html_url).to.equal(`${server.url}/p/token`);
  });

  it('costs nobody the secret that a view paid for, by links to elsewhere', async () => {
    const files = [{ filename: 'a', content_type: '', size: 1, url: 'https://evil.example/download/1' }];
    server.answerWith({ '/p/token.json': server.push({ payload: 'tulip', html_url: evil, files }) });
    const retrieved = await client().retrieve('token');
    expect(retrieved).to.include({ payload: 'tulip', html_url: `${server.url}/p/token` });
    expect(retrieved.files[0]?.url).to.equal(null);
  });

  it('gets no token with a download, and redirects none to another server', async () => {
    const path = '/download/1';
    const redirectTo = (location: string): Record<string, Answer> => ({
      [path]: (_, response) => response.writeHead(302, { location }).end(),
      '/moved': (_, response) => response.end('tulip'),
    });
    const download = async () => (await client().download({ url: server.url + path })).text();
    server.answerWith(redirectTo('/moved'));
    expect(await download()).to.equal('tulip');
    expect(server.requests.map(({ authorization }) => authorization)).to.deep.equal([undefined, undefined]);
    elsewhere.answerWith({ '/moved': { forged: true } });
    for (const location of [
      `${elsewhere.url}/moved`,
      `//${new URL(elsewhere.url).host}/moved`,
      'file:///etc',
    ]) {
      server.answerWith(redirectTo(location));
      expect(await outcomeOf(download()), location).to.have.property('code', 'foreign');
    }
    expect(elsewhere.requests).to.deep.equal([]);
    server.answerWith(redirectTo(path));
    expect(await outcomeOf(download())).to.have.property('code', 'redirected');
    expect(server.requests).to.have.length(6);
    for (const url of [`${elsewhere.url}/moved`, 'data:text/plain,forged'])
      expect(await outcomeOf(client().download({ url })), url).to.have.property('code', 'foreign');
    expect(elsewhere.requests).to.deep.equal([]);
  });
});
