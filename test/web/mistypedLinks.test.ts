import { expect } from 'chai';
import { createClient as createLibrary } from '../../src/client/client.ts';
import { type ApiResponse, type Client, createClient } from '../harness/api.ts';
import { cutLinks, mistypedLinks } from '../harness/mistypedLinks.ts';
import { anonymous, startService, type TestService } from '../harness/service.ts';

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const unknown = '0h'.repeat(13);
const key = `21${'0a9v'.repeat(12)}k7u`;

describe('A link that was copied badly', () => {
  let service: TestService;
  let api: Client;

  before(async () => {
    service = await startService({ BASE_URL: 'http://push.test/hush' });
    api = createClient(service.port);
  });

  after(async () => {
    api.close();
    await service.stop();
  });

  const linkOf = (token: string) => `http://push.test/hush/p/${token}`;

  /** Requests an address as a browser does, which encodes it, and keeps its fragment to itself. */
  async function visit(address: string, method = 'GET'): Promise<ApiResponse> {
    const { pathname, search } = new URL(address);
    return api.send(method, pathname + search, { headers: html });
  }

  /** Follows redirects as a browser does, which keeps a fragment unless the redirect has one. */
  async function arrive(address: string) {
    let at = new URL(address);
    for (let hops = 0; hops < 3; hops++) {
      const answer = await visit(at.href);
      const { location } = answer.headers;
      if (location === undefined) return { answer, at };
      const next = new URL(location, at);
      at = next.hash === '' ? new URL(location + at.hash, at) : next;
    }
    throw new Error(`${address} leads in a circle`);
  }

  async function traceOf(token: string) {
    const { viewsUsed } = await service.domain.pushes.preview(token, anonymous);
    const rows = await service.database.select('SELECT id FROM audit_rows', {});
    return { viewsUsed, rows: rows.length };
  }

  for (const [how, mistype] of Object.entries(mistypedLinks))
    it(`leads to the page of its push, spends nothing on the way, and tells nothing of it: ${how}`, async () => {
      const { token } = await api.create({ expire_after_views: 1 });
      const before = await traceOf(token);
      const address = mistype(linkOf(token));
      const [head, redirect, ofUnknown] = [
        await visit(address, 'HEAD'),
        await visit(address),
        await visit(mistype(linkOf(unknown))),
      ];
      if (redirect.status === 303) expect(await traceOf(token)).to.deep.equal(before);
      expect(head.status).to.equal(redirect.status);
      const isAsIs = new URL(address).pathname === new URL(linkOf(token)).pathname;
      expect(redirect.status).to.equal(isAsIs ? 200 : 303);
      expect(redirect.headers['set-cookie']?.join() ?? '').to.not.match(isAsIs ? /opened/ : /./);
      if (!isAsIs)
        expect(ofUnknown).to.deep.include({
          status: 303,
          text: redirect.text,
        });
      const { answer, at } = await arrive(address);
      expect(answer.status).to.equal(200);
      expect(answer.text).to.include('name="nonce"');
      expect(at.pathname).to.equal(`/hush/p/${token}`);
      const { at: withKey } = await arrive(mistype(`${linkOf(token)}#${key}`));
      expect(withKey.hash.toLowerCase()).to.include(key);
    });

  for (const [how, cut] of Object.entries(cutLinks))
    it(`is said to be incomplete, the same for each: ${how}`, async () => {
      const { token } = await api.create();
      const withoutNonces = ({ text }: ApiResponse) => text.replaceAll(/nonce="[^"]*"/g, '');
      const [ofPush, ofUnknown] = [await visit(cut(linkOf(token))), await visit(cut(linkOf(unknown)))];
      expect(ofPush.status).to.equal(404);
      expect(ofPush.text).to.include('This link is not complete').and.include('copy the whole link');
      expect(withoutNonces(ofPush).replaceAll(/\?[^"]*locale/g, '')).to.equal(
        withoutNonces(ofUnknown).replaceAll(/\?[^"]*locale/g, ''),
      );
    });

  it('is no excuse for guessing: links that it leads to count as unknown, and it keeps its query', async () => {
    const limited = await startService({ RATE_LIMITS: 'on', LIMIT_UNKNOWN_TOKENS: '3/1m' });
    const client = createClient(limited.port);
    try {
      const statuses: number[] = [];
      for (let i = 0; i < 5; i++) {
        const { headers } = await client.get(`/p/${unknown}.?locale=de`, html);
        expect(headers.location).to.equal(`/p/${unknown}?locale=de`);
        statuses.push((await client.get(String(headers.location), html)).status);
      }
      expect(statuses).to.deep.equal([404, 404, 404, 429, 429]);
    } finally {
      client.close();
      await limited.stop();
    }
  });

  it('leads nowhere in the API, whose paths are exact', async () => {
    const { token } = await api.create({ retrieval_step: false });
    for (const path of [`/p/${token}.`, `/p/${token}/`, `/P/${token}`, `/p/${token}.json.`, `/p/x.json`])
      expect(await api.get(path), path).to.deep.include({ status: 404, body: { error: 'not-found' } });
    for (const path of [`/p/${token}.json.`, `/p/${token}.json/`, `/p/${token.toUpperCase()}.json`])
      expect((await api.get(path, html)).text, path).to.not.include('tulip');
    expect((await traceOf(token)).viewsUsed).to.equal(0);
  });

  it('is read by the library, and one that was cut off is said to be', async () => {
    const client = createLibrary({ server: service.url });
    const { token } = await api.create({ expire_after_views: 100 });
    const link = `${service.url}/p/${token}`;
    for (const [how, mistype] of Object.entries(mistypedLinks)) {
      const address = mistype(link).replace(/^HTTP:[^P]*\/P/, (start) => start.toLowerCase());
      expect(await client.retrieve(address), how).to.include({ payload: 'tulip' });
    }
    for (const [how, cut] of Object.entries(cutLinks)) {
      const error = await client.retrieve(cut(link)).catch(String);
      expect(error, how).to.match(/cut off|neither a link/);
    }
    const missing = await client.retrieve(`${service.url}/p/${unknown}`).catch(String);
    expect(missing).to.equal('RefusedError: There is no such push.');
  });
});
