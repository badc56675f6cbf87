import { expect } from 'chai';
import pino from 'pino';
import { createLog } from '../../src/http/log.ts';
import { type Listening, listen } from '../../src/http/server.ts';
import { defaultLook } from '../../src/look/look.ts';
import { createAssets } from '../../src/web/web.ts';
import { createApp } from '../../src/web.ts';
import {
  type ApiResponse,
  asForm,
  asJson,
  bearer,
  type Client,
  type CreatedPush,
  createClient,
  expirePushIn,
  type Fields,
  times,
} from '../harness/api.ts';
import { attributeOf, createForms, payloadShown, sameOrigin } from '../harness/forms.ts';
import { loseCommits } from '../harness/lostCommits.ts';
import { anonymous, createAccount, startService, type TestService } from '../harness/service.ts';

type Headers = Record<string, string>;

const unknownToken = '0'.repeat(26);

let service: TestService;
let api: Client;
let ann: { authorization: string };
let loadForm: ReturnType<typeof createForms>['loadForm'];
let submit: ReturnType<typeof createForms>['submit'];
let reveal: ReturnType<typeof createForms>['reveal'];

async function kindsOf({ token }: CreatedPush): Promise<unknown[]> {
  const { body } = await api.get(`/p/${token}/audit.json`, ann);
  return (body.views as Fields[]).map(({ kind }) => kind);
}

/** What happened to a push, apart from loads of its page. */
async function eventsOf(created: CreatedPush): Promise<unknown[]> {
  return (await kindsOf(created)).filter((kind) => kind !== 'preview');
}

function expectNothingSpent({ body }: ApiResponse, views: number): void {
  expect(body).to.include({ payload: 'tulip', views_remaining: views - 1 });
}

describe('Pages', () => {
  before(async () => {
    service = await startService();
    api = createClient(service.port);
    ({ loadForm, submit, reveal } = createForms(service.domain, api));
    const { token } = await createAccount(service.domain, 'ann@example.com');
    ann = bearer(token);
  });

  after(async () => {
    api.close();
    await service.stop();
  });

  it('warn senders where links have no https, and offer encryption only where links can be decrypted', async () => {
    for (const [address, isSecure] of [
      ['http://push.lan:9112', false],
      ['http://127.evil.test', false],
      ['https://push.example.com', true],
      ['http://localhost:5100', true],
      ['http://127.0.0.1:5100', true],
    ] as const) {
      const other = await startService({ BASE_URL: address, FORM_ENCRYPTED: 'true' });
      const client = createClient(other.port);
      const { text } = await client.get('/');
      expect(text.includes('id="encrypt"'), address).to.equal(isSecure);
      expect(text.includes('This server has no https'), address).to.equal(!isSecure);
      expect(text.includes('>encrypted</span>'), address).to.equal(isSecure);
      client.close();
      await other.stop();
    }
  });

  describe('The page of a push', () => {
    it('shows that there is a secret but nothing of its content', async () => {
      const { page } = await api.create({ payload: 'tulip', name: 'rose', note: 'thorn' }, ann);
      const { status, text } = await api.get(page, ann);
      expect(status).to.equal(200);
      expect(text).to.match(/^<!doctype html>/i);
      expect(text).to.match(/<form[^>]*method="post"/i);
      for (const secret of ['tulip', 'rose', 'thorn']) expect(text).to.not.include(secret);
    });

    it('spends no view and writes few audit rows for a thousand requests by machines', async () => {
      const created = await api.create({ expire_after_views: 1 }, ann);
      const agents = ['Slackbot-LinkExpanding 1.0', 'curl/8', 'Mozilla/5.0', 'Discordbot/2.0', ''];
      for (let looked = 0; looked < 1_000; looked += 100) {
        const answers = await times(100, (i) =>
          api.send(i % 2 ? 'GET' : 'HEAD', created.page, {
            headers: { 'user-agent': agents[i % 5] ?? '', ...(i % 7 ? {} : { 'sec-purpose': 'prefetch' }) },
          }),
        );
        expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
      }
      const { body } = await api.get(`/p/${created.token}/audit.json`, ann);
      const previews = (body.views as Fields[]).filter(({ kind }) => kind === 'preview');
      expect(previews.length).to.be.within(20, 71); // 20, those that are written at the same time, and the rest
      const recorded = previews.reduce((sum, { times = 1 }) => sum + Number(times), 0);
      expect(recorded).to.equal(500); // HEAD leaves no trace
      expectNothingSpent(await api.get(created.json), 1);
    });

    it('shows pages in the theme that was chosen, whatever the device prefers', async () => {
      const { page } = await api.create();
      const chosen = await api.get(`${page}?theme=dark`);
      const [cookie = ''] = (chosen.headers['set-cookie'] ?? []).filter((line) =>
        line.includes('theme=dark'),
      );
      expect(cookie).to.include('Max-Age=31536000');
      for (const { text } of [chosen, await api.get(page, { cookie: String(cookie.split(';')[0]) })])
        expect(text).to.include('@media all').and.include('color-scheme:dark;').and.not.include('light dark');
      const light = await api.get('/', { cookie: 'hushpush-theme=light' });
      const [, sheet = ''] = /href="([^"]*pages-light\.css[^"]*)"/.exec(light.text) ?? [];
      expect((await api.get(sheet)).text)
        .to.include('@media not all')
        .and.include('color-scheme:light;');
      expect((await api.get(page, { cookie: 'hushpush-theme=x' })).text).to.include(
        'prefers-color-scheme:dark',
      );
      expect((await api.get(`${page}?theme=system`)).headers['set-cookie']?.join()).to.include(
        'theme=system; Path=/',
      );
    });

    it('answers HEAD without a body', async () => {
      const { page } = await api.create();
      const { status, text, headers } = await api.send('HEAD', page);
      expect({ status, text }).to.deep.equal({ status: 200, text: '' });
      expect(headers['content-type']).to.equal('text/html; charset=utf-8');
    });

    it('reveals the payload and counts the view when its form is submitted', async () => {
      const created = await api.create({ expire_after_views: 2 }, ann);
      const first = await reveal(created);
      expect(first.status).to.equal(200);
      expect(payloadShown(first)).to.equal('tulip');
      expect(await eventsOf(created)).to.deep.equal(['creation', 'view']);
      expect(payloadShown(await reveal(created))).to.equal('tulip');
      const third = await reveal(created);
      expect(third.status).to.equal(404);
      expect(third.text).to.not.include('tulip');
    });

    it('announces the last view', async () => {
      const created = await api.create({ expire_after_views: 2 });
      const [first, last] = [await reveal(created), await reveal(created)];
      expect(first.text).to.not.match(/last view/i);
      expect(last.text).to.match(/last view/i);
    });

    it('reveals a one-view secret to exactly one of twenty simultaneous forms', async () => {
      const created = await api.create({ expire_after_views: 1 });
      const forms = await times(20, () => loadForm(created.page));
      const answers = await Promise.all(forms.map((form) => submit(created.page, form)));
      expect(answers.filter((answer) => payloadShown(answer) === 'tulip')).to.have.length(1);
      expect(answers.filter(({ status }) => status === 404)).to.have.length(19);
    });

    it('shows the payload character by character', async () => {
      for (const payload of [
        '\n\nleading and trailing lines\n\n',
        ' a\tb  c ',
        `<b>&amp;&lt;</b> "double" 'single' \`back\``,
        '</pre></main><script>alert(1)</script>',
        'ü😀 e\u0301 \u2028',
        '%41+&=',
        '{{constructor}} #{x} <%= y %>',
      ]) {
        for (const expire_after_views of [1, 2]) {
          const shown = payloadShown(await reveal(await api.create({ payload, expire_after_views })));
          expect(shown, payload).to.equal(payload);
        }
      }
    });

    it('shows the last view of a text as that of a text with a remark, but for the remark', async () => {
      const pageOf = async (payload: string) => {
        const { text } = await reveal(await api.create({ payload, expire_after_views: 1 }));
        return text.replaceAll(/nonce="[^"]*"/g, '');
      };
      const [plain, withRemark] = [await pageOf('a <b> &'), await pageOf('a <b> &\u200b')];
      expect(plain).to.equal(withRemark.replace('\u200b', '').replace('id="invisible"', '$& hidden'));
      for (const payload of ['\u200b', '\r', 'x'.repeat(10_000), ''])
        expect(
          payloadShown(await reveal(await api.create({ payload: `<${payload}`, expire_after_views: 1 }))),
        ).to.equal(`<${payload}`);
    });

    it('ignores unknown form fields', async () => {
      const created = await api.create({ expire_after_views: 2 });
      const form = await loadForm(created.page);
      const { text } = await submit(created.page, form, { x: '1', 'password[payload]': 'x' });
      expect(text).to.include('tulip');
    });

    it('answers an unreadable body with a page and spends no view', async () => {
      const created = await api.create({}, ann);
      const bodies: [Headers, string, number][] = [
        [asJson, '{', 400],
        [{ 'content-type': 'text/xml' }, '<a/>', 415],
        [{ ...asForm, 'content-encoding': 'gzip' }, 'x', 415],
        [asForm, 'passphrase=%ff', 400],
        [{ 'content-type': 'multipart/form-data' }, 'x', 400],
        [asForm, 'x'.repeat(6_300_000), 413],
      ];
      for (const [headers, body, status] of bodies) {
        const answer = await api.send('POST', created.page, { headers: { ...headers, ...sameOrigin }, body });
        expect(answer.status).to.equal(status);
        expect(answer.headers['content-type']).to.equal('text/html; charset=utf-8');
      }
      expect(await eventsOf(created)).to.deep.equal(['creation']);
    });

    it('links with the address of the service, whatever the Host header', async () => {
      const { page } = await api.create();
      const headers = { host: 'evil.test', 'x-forwarded-host': 'evil.test' };
      expect((await api.get(page, headers)).text).to.not.include('evil');
      expect((await api.get(page.replace('/p/', '/f/'), headers)).headers.location).to.not.include('evil');
    });
  });

  describe('The page of a push with a passphrase', () => {
    const secret = { passphrase: 'open sesame', expire_after_views: 1 };

    it('asks for the passphrase and reveals the payload to those who know it', async () => {
      const created = await api.create(secret, ann);
      expect((await api.get(created.page)).text).to.match(/<input[^>]*name="passphrase"/);
      expect(payloadShown(await reveal(created, { passphrase: 'open sesame' }))).to.equal('tulip');
      expect(await eventsOf(created)).to.deep.equal(['creation', 'view']);
    });

    it('asks again after a wrong passphrase, without spending a view or repeating the input', async () => {
      const created = await api.create(secret, ann);
      for (const passphrase of ['CANARY<b>', 'Open Sesame', 'opensesame']) {
        const { status, text } = await reveal(created, { passphrase });
        expect(status).to.equal(401);
        expect(text).to.match(/<input[^>]*name="passphrase"/);
        expect(text).to.include('That passphrase is incorrect.');
        expect(text).to.not.match(/tulip|sesame|CANARY/);
      }
      expect(await eventsOf(created)).to.deep.equal(['creation', ...Array(3).fill('failed_passphrase')]);
      expect(payloadShown(await reveal(created, { passphrase: 'open sesame' }))).to.equal('tulip');
    });

    it('asks for the passphrase after a form without one, and records no attempt', async () => {
      const created = await api.create(secret, ann);
      for (const fields of [{ passphrase: '' }, {}]) {
        const { status, text } = await reveal(created, fields);
        expect(status).to.equal(422);
        expect(text)
          .to.match(/<input[^>]*name="passphrase"/)
          .and.include('Enter the passphrase');
      }
      expect(await eventsOf(created)).to.deep.equal(['creation']);
    });

    it('ignores a passphrase in the address of a page', async () => {
      const created = await api.create({ ...secret, retrieval_step: false });
      const { text } = await api.get(`${created.page}?passphrase=open+sesame`);
      expect(text).to.not.include('tulip');
    });

    it('asks for no passphrase where none is set', async () => {
      expect((await api.get((await api.create()).page)).text).to.not.match(/<input[^>]*name="passphrase"/);
    });

    it('asks for no passphrase once the push has expired', async () => {
      const created = await api.create(secret);
      await api.send('DELETE', created.json);
      const { status, text } = await api.get(created.page);
      expect(status).to.equal(404);
      expect(text).to.not.include('passphrase');
    });
  });

  describe('The page of a push without a retrieval step', () => {
    const direct = { retrieval_step: false, expire_after_views: 1 };

    it('reveals the payload at once and counts the view', async () => {
      const created = await api.create(direct, ann);
      const { status, headers, ...answer } = await api.get(created.page);
      expect(status).to.equal(200);
      expect(payloadShown({ status, headers, ...answer })).to.equal('tulip');
      expect(await eventsOf(created)).to.deep.equal(['creation', 'view']);
      expect((await api.get(created.page)).status).to.equal(404);
    });

    it('reveals nothing to HEAD, link previewers and prefetching', async () => {
      const created = await api.create(direct, ann);
      await api.send('HEAD', created.page);
      for (const headers of [
        { 'user-agent': 'Slackbot-LinkExpanding 1.0' },
        { 'sec-purpose': 'prefetch;prerender' },
        { purpose: 'prefetch' },
      ] as Headers[]) {
        expect((await api.get(created.page, headers)).text).to.not.include('tulip');
      }
      expect((await kindsOf(created)).filter((kind) => kind === 'view')).to.be.empty;
      expectNothingSpent(await api.get(created.json), 1);
    });

    it('asks for a passphrase even without a retrieval step', async () => {
      const created = await api.create({ ...direct, passphrase: 'p' }, ann);
      const { status, text } = await api.get(created.page);
      expect(status).to.equal(200);
      expect(text)
        .to.match(/<input[^>]*name="passphrase"/)
        .and.not.include('tulip');
      expect(await eventsOf(created)).to.deep.equal(['creation']);
      expect(payloadShown(await reveal(created, { passphrase: 'p' }))).to.equal('tulip');
    });
  });

  describe('A link that does not open', () => {
    it('serves the same page for unknown, expired and deleted pushes', async () => {
      const viewed = await api.create({ expire_after_views: 1 }, ann);
      await api.get(viewed.json);
      const outlived = await api.create({ passphrase: 'p', kind: 'url', payload: 'https://example.com' });
      await expirePushIn(service, outlived.token, -1);
      const deleted = await api.create({ retrieval_step: false, name: 'rose' }, ann);
      await api.send('DELETE', deleted.json);
      const wellFormed = [viewed.page, outlived.page, deleted.page, `/p/${unknownToken}`];
      const malformed = ['/p/x', '/p/%00', '/p/ACTIVE', `/p/${unknownToken}0`];
      for (const [method, pages] of [
        ['GET', wellFormed],
        ['HEAD', wellFormed],
        ['GET', malformed],
        ['HEAD', malformed],
        ['POST', [...wellFormed, ...malformed]],
      ] as const) {
        const answers = await times(pages.length, (i) =>
          api.send(method, String(pages[i]), { headers: { ...asForm, ...sameOrigin } }),
        );
        const seen = new Set(
          answers.map(({ status, headers, text }) => {
            const { date, connection, 'keep-alive': keepAlive, 'x-request-id': id, ...rest } = headers;
            const nonce = /'nonce-([^']+)'/.exec(String(rest['content-security-policy']))?.[1] ?? '';
            return JSON.stringify([status, rest, text]).replaceAll(nonce, 'NONCE');
          }),
        );
        expect([...seen], method).to.have.length(1);
        expect(answers[0]).to.include({ status: 404 });
        expect(answers[0]?.headers['content-type']).to.equal('text/html; charset=utf-8');
      }
    });

    it('shows people a page where there is nothing, and programs JSON', async () => {
      for (const accept of ['text/html,application/xhtml+xml,*/*;q=0.8', 'text/html']) {
        const { status, headers, text } = await api.get('/nothing', { accept });
        expect(status).to.equal(404);
        expect(headers['content-type']).to.match(/^text\/html/);
        expect(text)
          .to.match(/<h1>/)
          .and.match(/<a [^>]*href="\/"/);
      }
      for (const accept of ['*/*', 'application/json'])
        expect((await api.get('/nothing', { accept })).body).to.deep.equal({ error: 'not-found' });
      expect((await api.send('POST', '/nothing', { headers: { accept: 'text/html' } })).status).to.equal(404);
    });

    it('shows people a page with a way on while the service is not ready, and programs JSON', async () => {
      const starting = await startService({}, { isReady: false });
      const client = createClient(starting.port);
      try {
        const html = { accept: 'text/html,*/*;q=0.8' };
        for (const path of ['/', '/p/x', '/account', '/download/x/1']) {
          const { status, headers, text } = await client.get(path, html);
          expect(status, path).to.equal(503);
          expect(headers['content-type']).to.match(/^text\/html/);
          expect(Number(headers.refresh)).to.be.above(Number(headers['retry-after']));
          expect(text)
            .to.include('The service is starting')
            .and.include('Nothing was created or used up.')
            .and.match(/<a [^>]*>Try again/)
            .and.match(/<a [^>]*href="\/"/);
        }
        const form = await client.send('POST', '/', { headers: { ...asForm, ...html } });
        expect(form.headers['content-type']).to.match(/^text\/html/);
        expect(form.headers.refresh).to.equal(undefined); // it would be another page
        for (const [path, headers] of [
          ['/', { accept: '*/*' }],
          ['/p/x.json', html],
          ['/api/v1/version', html],
        ] as const)
          expect((await client.get(path, headers)).body.error, path).to.include('is starting');
      } finally {
        client.close();
        await starting.stop();
      }
    });

    it('does not tell people that nothing was used up when a view may have been', async () => {
      const broken = await startService();
      const client = createClient(broken.port);
      try {
        const input = { payload: 'tulip', retrievalStep: false };
        const { urlToken } = await broken.domain.pushes.create(input, anonymous);
        loseCommits(broken.database);
        const { status, text } = await client.get(`/p/${urlToken}`, { accept: 'text/html' });
        expect(status).to.equal(503);
        expect(text).to.include('did not confirm').and.not.include('used up');
      } finally {
        client.close();
        await broken.stop();
      }
    });

    it('names the request to people where we failed, and says how to go on', async () => {
      const broken = await startService();
      const client = createClient(broken.port);
      try {
        await broken.database.execute('DROP TABLE one_time_links', {});
        const { status, headers, text } = await client.get(`/connect/${'x'.repeat(43)}`, {
          accept: 'text/html',
        });
        expect(status).to.equal(500);
        expect(text)
          .to.include('Something went wrong on our side')
          .and.include(String(headers['x-request-id']))
          .and.match(/<a [^>]*>Try again/);
      } finally {
        client.close();
        await broken.stop();
      }
    });

    it('tells people who sent too many requests when to go on, and goes on by itself', async () => {
      const limited = await startService({ RATE_LIMITS: 'on', LIMIT_REQUESTS: '1/1m' });
      const client = createClient(limited.port);
      try {
        await client.get('/sign-in');
        const { status, headers, text } = await client.get('/sign-in');
        expect(status).to.equal(429);
        expect(Number(headers.refresh)).to.equal(Number(headers['retry-after']) + 1);
        expect(text)
          .to.include('Too many requests')
          .and.match(/<a [^>]*>Try again/);
      } finally {
        client.close();
        await limited.stop();
      }
    });

    it('writes an audit row for an attempt to open an expired push, but none for a request of its page', async () => {
      const created = await api.create({}, ann);
      await api.send('DELETE', created.json);
      await api.get(created.page);
      expect(await eventsOf(created)).to.deep.equal(['creation', 'expire']);
      await api.send('POST', created.page, { headers: { ...asForm, ...sameOrigin } });
      expect(await eventsOf(created)).to.deep.equal(['creation', 'expire', 'failed_view']);
    });
  });

  describe('Hostile input', () => {
    const corpus = [
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      "' onmouseover='alert(1)",
      '</pre></title></style></textarea><svg onload=alert(1)>',
      '<!--<script>',
      ']]><iframe srcdoc="<script>alert(1)</script>">',
      'javascript:alert(1)',
      '<a href="javascript:alert(1)">x</a>',
      '&lt;script&gt;alert(1)&lt;/script&gt;',
      '<base href="//evil.test"><meta http-equiv="refresh" content="0;url=//evil.test">',
      '\u2028<script>\0alert(1)</script>',
    ];
    /** Tags and attributes that no page contains, or not without a nonce. */
    const foreign =
      /<(?:script|style)\b(?![^>]*\bnonce="[\w+/]{22}==")|<(?:img|iframe|base|textarea)\b|<[^>]*(?:\son\w+=|http-equiv)/i;

    for (const words of corpus) {
      it(`shows hostile input in a payload as text: ${JSON.stringify(words)}`, async () => {
        const answer = await reveal(await api.create({ payload: words, name: words, note: words }, ann));
        expect(answer.status).to.equal(200);
        expect(answer.text).to.not.match(foreign);
        expect(payloadShown(answer)).to.equal(words);
      });
    }

    it('shows a hostile URL as a link and never redirects to it', async () => {
      for (const payload of [
        'https://example.com/"onmouseover="alert(1)',
        "https://example.com/'><script>alert(1)</script>",
        'https://user:pass@example.com/%22%3E?a=b&lt;c#d',
        'HTTP://EXAMPLE.COM/javascript:alert(1)',
      ]) {
        const created = await api.create({ kind: 'url', payload, retrieval_step: false });
        const { status, text, headers } = await api.get(created.page);
        expect(status).to.equal(200);
        expect(headers).to.not.have.any.keys('location', 'refresh', 'link');
        expect(text).to.not.match(foreign);
        const link = /<a (?:[^>"]|"[^"]*")*\brel=(?:[^>"]|"[^"]*")*>/.exec(text)?.[0] ?? '';
        expect(attributeOf(link, 'href')).to.equal(payload);
        expect(attributeOf(link, 'rel').split(' ')).to.include.members(['noopener', 'noreferrer']);
        expect(text).to.include(`<strong translate="no">${new URL(payload).host}</strong>`);
      }
    });

    it('keeps hostile input out of error pages', async () => {
      const { page } = await api.create({ passphrase: 'p' });
      for (const words of corpus) {
        const headers = { 'user-agent': words.replaceAll(/[\0\u2028]/g, ''), ...sameOrigin };
        const { text } = await api.send('POST', page, {
          headers: { ...asForm, ...headers },
          body: String(new URLSearchParams({ passphrase: words })),
        });
        expect(text).to.not.match(foreign).and.not.include(words);
        const wrong = await api.get(`/p/${encodeURIComponent(words)}?${encodeURIComponent(words)}`);
        expect(wrong.text).to.not.match(foreign).and.not.include(words);
      }
    });
  });

  describe('The headers of a page', () => {
    const pages: [string, number, () => Promise<ApiResponse>][] = [
      ['the step before the secret', 200, async () => api.get((await api.create()).page)],
      ['the secret', 200, async () => reveal(await api.create())],
      ['the last view of a secret', 200, async () => reveal(await api.create({ expire_after_views: 1 }))],
      ['a secret at once', 200, async () => api.get((await api.create({ retrieval_step: false })).page)],
      ['a link', 200, async () => reveal(await api.create({ kind: 'url', payload: 'https://example.com' }))],
      [
        'a wrong passphrase',
        401,
        async () => reveal(await api.create({ passphrase: 'p' }), { passphrase: 'x' }),
      ],
      ['nothing', 404, () => api.get(`/p/${unknownToken}`)],
      [
        'a form from elsewhere',
        403,
        async () => reveal(await api.create(), {}, { 'sec-fetch-site': 'cross-site' }),
      ],
      [
        'a form that cannot be read',
        415,
        async () =>
          api.send('POST', (await api.create()).page, {
            headers: { 'content-type': 'text/xml', ...sameOrigin },
          }),
      ],
      ['the description of the API', 200, () => api.get('/docs')],
    ];
    for (const [name, status, ask] of pages) {
      it(`restricts a page to what it needs: ${name}`, async () => {
        const answer = await ask();
        expect(answer.status).to.equal(status);
        expect(answer.headers).to.include({
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          'x-frame-options': 'DENY',
          'x-robots-tag': 'noindex, nofollow, noarchive',
        });
        expect(answer.headers['referrer-policy']).to.be.oneOf(['no-referrer', 'same-origin']);
        expect(answer.headers).to.not.have.any.keys('etag', 'last-modified', 'server', 'x-powered-by');
        expect(answer.headers).to.not.have.property('strict-transport-security');
        const policy = policyOf(answer);
        expect(policy).to.deep.include({
          'default-src': "'none'",
          'frame-ancestors': "'none'",
          'base-uri': "'none'",
          'form-action': "'self'",
        });
        expect(Object.values(policy).join(' ')).to.not.match(/unsafe|\*|https?:|data:|blob:/);
      });

      it(`loads from and links to this service only: ${name}`, async () => {
        const { text, headers } = await ask();
        const loaded = text.match(/<(?:link|script|img|iframe|form)\b[^>]*>/g) ?? [];
        for (const tag of loaded) {
          expect(attributeOf(tag, 'href') + attributeOf(tag, 'src') + attributeOf(tag, 'action')).to.match(
            /^(?:\/(?!\/)|#|$)/,
          );
        }
        expect(text).to.not.match(/<script(?![^>]*\bnonce=)|<style(?![^>]*\bnonce=)|\sstyle=/);
        expect(headers).to.not.have.any.keys('link', 'refresh');
      });
    }

    it('restricts JSON responses as strictly', async () => {
      const answer = await api.get('/api/v1/version');
      expect(answer.headers).to.include({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'x-robots-tag': 'noindex, nofollow, noarchive',
        'cache-control': 'no-store',
      });
      expect(policyOf(answer)).to.include({ 'default-src': "'none'", 'frame-ancestors': "'none'" });
    });

    it('has one route for all assets, since every request is compared with each route', async () => {
      expect(createAssets(defaultLook).stack.map(({ path }) => path)).to.deep.equal(['/assets/:name']);
      expect((await api.get('/assets/pages.css')).status).to.equal(200);
      for (const name of ['nothing.css', '..%2Fassets.ts', '%', 'Pages.css'])
        expect((await api.get(`/assets/${name}`)).status, name).to.equal(404);
    });

    it('compresses assets, which are the same for everybody, and no page', async () => {
      const [, path = ''] = /href="([^"]*pages\.css[^"]*)"/.exec((await api.get('/')).text) ?? [];
      const accept = { 'accept-encoding': 'gzip, br' };
      const plain = await api.get(path);
      const packed = await api.get(path, accept);
      expect(packed.headers['content-encoding']).to.equal('br');
      expect(packed.headers.vary).to.match(/Accept-Encoding/i);
      expect(packed.bytes.length * 2).to.be.below(plain.bytes.length);
      expect((await api.get('/', accept)).headers['content-encoding']).to.equal(undefined);
    });

    it('marks the description of the API as English on a German page', async () => {
      const { text } = await api.get('/docs', { 'accept-language': 'de' });
      expect(text).to.include('<html lang="de"').and.include('<main id="main"><div lang="en"');
    });

    it('serves assets with their own content types', async () => {
      const { text } = await api.get('/docs');
      const sheet = attributeOf(/<link[^>]*stylesheet[^>]*>/.exec(text)?.[0] ?? '', 'href');
      const { status, headers } = await api.get(sheet);
      expect(status).to.equal(200);
      expect(headers['content-type']).to.match(/^text\/css/);
      expect(headers['x-content-type-options']).to.equal('nosniff');
    });

    function policyOf({ headers }: ApiResponse): Record<string, string> {
      const rules = String(headers['content-security-policy']).split(';');
      return Object.fromEntries(
        rules.map((rule) => {
          const [name = '', ...values] = rule.trim().split(/\s+/);
          return [name, values.join(' ')];
        }),
      );
    }
  });

  describe('The origin of a form', () => {
    const strangers: Headers[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'nonsense' },
      { 'sec-fetch-site': 'cross-site', origin: 'http://push.test' },
      { origin: 'http://evil.test' },
      { origin: 'null' },
      { origin: 'https://push.test' },
      { origin: 'http://push.test:8080' },
      { origin: 'http://push.test.evil.test' },
      { origin: 'http://evil.test/http://push.test' },
      { origin: 'evil' },
    ];
    for (const headers of strangers) {
      it(`opens nothing to a form of another site: ${JSON.stringify(headers)}`, async () => {
        const created = await api.create({ expire_after_views: 1 }, ann);
        const { status, text } = await reveal(created, {}, headers);
        expect(status).to.equal(403);
        expect(text).to.not.include('tulip');
        expect(await eventsOf(created)).to.deep.equal(['creation']);
        expectNothingSpent(await api.get(created.json), 1);
      });
    }

    const ours: Headers[] = [
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'same-origin', origin: 'http://push.test' },
      { 'sec-fetch-site': 'none' },
      { origin: 'http://push.test' },
      {},
    ];
    for (const headers of ours) {
      it(`opens a secret to a form of this site: ${JSON.stringify(headers)}`, async () => {
        expect(payloadShown(await reveal(await api.create(), {}, headers))).to.equal('tulip');
      });
    }
  });

  describe('A service at an https address', () => {
    let web: Listening;
    let secure: Client;

    before(async () => {
      const app = createApp(service.domain, {
        log: createLog(pino({ level: 'silent' })),
        health: { requireReady: () => {}, checkDatabase: async () => {} },
        baseUrl: 'https://secret.test',
        trustedProxies: [],
        requestsPerClient: 200,
      });
      web = await listen(app, { host: '127.0.0.1', port: 0 });
      secure = createClient(web.port);
    });
    after(async () => {
      secure.close();
      await web.drain();
    });

    it('sends Strict-Transport-Security over HTTPS', async () => {
      const { page } = await api.create();
      for (const path of [page, `/p/${unknownToken}`, '/api/v1/version', '/nowhere']) {
        const header = (await secure.get(path)).headers['strict-transport-security'];
        expect(Number(/max-age=(\d+)/.exec(String(header))?.[1])).to.be.at.least(15_768_000);
      }
    });

    it('accepts forms from its own origin only', async () => {
      const { page } = await api.create({ expire_after_views: 1 });
      const form = await createForms(service.domain, secure).loadForm(page);
      const body = String(new URLSearchParams({ ...form.fields, held: 'yes' }));
      const post = (origin: string) =>
        secure.send('POST', page, { headers: { ...asForm, ...form.headers, origin }, body });
      expect((await post('http://push.test')).status).to.equal(403);
      expect((await post('http://secret.test')).status).to.equal(403);
      expect((await post('https://secret.test')).text).to.include('tulip');
    });

    it('links with its own address', async () => {
      const { push } = await secure.create();
      expect(push.html_url).to.match(/^https:\/\/secret\.test\/p\//);
      expect((await secure.get(`/f/${push.url_token}`)).headers.location).to.match(
        /^(?:https:\/\/secret\.test)?\/p\//,
      );
    });
  });
});
