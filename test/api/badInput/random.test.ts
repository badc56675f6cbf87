import { expect } from 'chai';
import fc from 'fast-check';
import { asForm, asJson, asMultipart, multipart, sendRaw } from '../../harness/api.ts';
import { api, locked, open, probe, service, unknownToken, useTwoPushes } from './rows.ts';

describe('The JSON API', () => {
  useTwoPushes();

  const token = () => fc.constantFrom(open.token, locked.token, unknownToken, 'active', '%', '..', '%00', '');
  const latin1 = fc
    .array(fc.constantFrom(...'aB0 ;=,"%/\\[]{}:<\t\x80\xff'), { maxLength: 30 })
    .map((characters) => characters.join('').trim());

  it('responds to each random request, never with a server error', async () => {
    const path = fc
      .tuple(
        fc.constantFrom('/p', '/f', '/r', '/P', '/api/v1', '/', '/assets', '/docs', '/readyz'),
        fc.array(fc.oneof(token(), latin1.map(encodeURIComponent)), { maxLength: 3 }),
        fc.constantFrom('', '.json', '/', '/audit.json', '/preview.json'),
        fc.constantFrom('', '?', '?page=0', '?page=-', '?passphrase=%', '?passphrase=a&passphrase[]=b'),
      )
      .map(([first, rest, suffix, query]) => [first, ...rest].join('/') + suffix + query);
    const headers = fc.dictionary(
      fc.constantFrom(
        'authorization',
        'x-user-email',
        'x-user-token',
        'content-encoding',
        'cookie',
        'user-agent',
        'referer',
        'origin',
        'sec-fetch-site',
        'sec-purpose',
        'x-forwarded-for',
        'accept',
        'host',
        'range',
      ),
      latin1,
      { maxKeys: 4 },
    );
    const types = fc.constantFrom<Record<string, string>>(asJson, asForm, asMultipart, {});
    const values = fc.record(
      {
        payload: fc.anything(),
        kind: fc.anything(),
        expire_after_days: fc.anything(),
        name: fc.anything(),
      },
      { requiredKeys: [] },
    );
    const body = fc.oneof(
      fc.constant(undefined),
      values.map((password) => jsonOf({ password })),
      fc.anything().map(jsonOf),
      fc.string({ unit: 'binary' }),
      fc.uint8Array({ maxLength: 100 }).map((made) => Buffer.from(made)),
      latin1.map((made) => `password[payload]=${made}&password[${made}]=x`),
      latin1.map((made) => multipart({ [`password[${made.replaceAll('"', '')}]`]: made })),
    );
    const method = fc.constantFrom('GET', 'POST', 'POST', 'POST', 'HEAD', 'PUT', 'OPTIONS', 'PATCH');
    await probe.requireNoStall('random requests', () =>
      fc.assert(
        fc.asyncProperty(method, path, headers, types, body, async (method, path, headers, type, body) => {
          const answer = await api.send(method, path, { headers: { ...type, ...headers }, body });
          expect(answer.status).to.be.within(200, 499);
          const isPage = /^\/(?:p\/[^/?]*)?(?:\?|$)/.test(path);
          if (answer.status >= 400 && method !== 'HEAD' && !isPage) {
            expect(answer.body.error, answer.text).to.be.a('string');
          }
        }),
        { numRuns: 500 },
      ),
    );
    expect((await api.get(`/p/${open.token}/preview.json`)).status).to.equal(200);
  });

  it('shows a page in one of its languages for every Accept-Language', async () => {
    const words = fc.constantFrom(
      'en',
      'de',
      'de-AT',
      'fr',
      '*',
      ';q=',
      '0',
      '0.5',
      '1e9',
      ',',
      ' ',
      '-',
      '_',
      '\xff',
    );
    const header = fc.array(words, { maxLength: 12 }).map((pieces) => pieces.join('').trim());
    await fc.assert(
      fc.asyncProperty(header, async (accepted) => {
        const { status, text } = await api.get('/sign-in', { 'accept-language': accepted });
        expect(status).to.equal(200);
        expect(/<html lang="(\w+)"/.exec(text)?.[1]).to.be.oneOf(['en', 'de']);
      }),
      { numRuns: 60 },
    );
  });

  it('survives random bytes that are almost HTTP', async () => {
    const words = fc.constantFrom(
      'GET ',
      'POST ',
      '/p.json',
      '/p/active.json',
      ' HTTP/1.1',
      '\r\n',
      '\r\n',
      'Host: x\r\n',
      '\r\n\r\n',
      'Content-Length: 5\r\n',
      'Content-Type: application/json\r\n',
      'Transfer-Encoding: chunked\r\n',
      'Expect: 100-continue\r\n',
      'Upgrade: x\r\nConnection: upgrade\r\n',
      '{"password":',
      '0\r\n\r\n',
      '\0',
      '\xff',
      ': ',
    );
    await probe.requireNoStall('random bytes', () =>
      fc.assert(
        fc.asyncProperty(fc.array(words, { maxLength: 20 }), async (pieces) => {
          const answer = await sendRaw(service.port, Buffer.from(`${pieces.join('')}\r\n\r\n`, 'latin1'), {
            closesAfterSending: true,
          });
          expect(answer.status).to.be.below(500);
        }),
        { numRuns: 150 },
      ),
    );
    expect((await api.get(`/p/${open.token}/preview.json`)).status).to.equal(200);
  });

  /** JSON of a value, if it can be serialized. */
  function jsonOf(value: unknown): string {
    try {
      return JSON.stringify(value) ?? 'undefined';
    } catch {
      return 'circular';
    }
  }
});
