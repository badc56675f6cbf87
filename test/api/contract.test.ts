import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import {
  type ApiResponse,
  asForm,
  asJson,
  asMultipart,
  bearer,
  type Client,
  type CreatedPush,
  createClient,
  expirePushIn,
  type Fields,
  multipart,
  sendRaw,
  times,
} from '../harness/api.ts';
import { createAccount, startService, type TestService } from '../harness/service.ts';

const fieldsOfTheSpecification = [
  'url_token',
  'html_url',
  'json_url',
  'created_at',
  'expires_at',
  'views_remaining',
  'views_total',
  'files',
  'passphrase',
  'name',
  'note',
  'expire_after_days',
];
const fieldsOfTheContract = [
  'expire_after_views',
  'days_remaining',
  'expired',
  'expired_on',
  'deleted',
  'deletable_by_viewer',
  'retrieval_step',
  'kind',
  'updated_at',
];
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const dayMs = 86_400_000;
const minuteMs = 60_000;
const unknownToken = '0'.repeat(26);
const prefixes = ['p', 'f', 'r'];

let service: TestService;
let api: Client;
let ann: { authorization: string };
let bob: { authorization: string };
let accounts = 0;

/** The credential of an account that owns nothing yet. */
async function newAccount(options: { subscribed?: boolean } = {}): Promise<{ authorization: string }> {
  accounts += 1;
  const { token } = await createAccount(service.domain, `person${accounts}@example.com`, options);
  return bearer(token);
}

function listOf(value: unknown): Fields[] {
  expect(value).to.be.an('array');
  return value as Fields[];
}

async function auditOf({ token }: CreatedPush, who = ann, page = 1): Promise<Fields[]> {
  const { status, body } = await api.get(`/p/${token}/audit.json?page=${page}`, who);
  expect(status).to.equal(200);
  return listOf(body.views);
}

async function kindsOf(created: CreatedPush, who = ann): Promise<unknown[]> {
  return (await auditOf(created, who)).map(({ kind }) => kind);
}

function ms(time: unknown): number {
  expect(time).to.match(isoTime);
  return Date.parse(String(time));
}

function expectError(answer: ApiResponse, status: number, error: string): void {
  expect(answer).to.nested.include({ status, 'body.error': error });
}

describe('the JSON API', () => {
  before(async () => {
    service = await startService();
    api = createClient(service.port);
    ann = await newAccount();
    bob = await newAccount();
  });

  after(async () => {
    api.close();
    await service.stop();
  });

  describe('on creation', () => {
    it('answers the twelve fields of the specification first, in their order', async () => {
      const { push } = await api.create();
      expect(Object.keys(push).slice(0, 12)).to.deep.equal(fieldsOfTheSpecification);
    });

    it('answers exactly the fields of the contract, without the payload', async () => {
      const { push } = await api.create({ payload: 'tulip', passphrase: 'p', name: 'n', note: 'o' });
      expect(push).to.have.all.keys(fieldsOfTheSpecification.concat(fieldsOfTheContract));
      expect(JSON.stringify(push)).to.not.include('tulip');
    });

    it('answers 201, in JSON', async () => {
      const { response } = await api.create();
      expect(response.status).to.equal(201);
      expect(response.headers['content-type']).to.equal('application/json; charset=utf-8');
    });

    it('gives a push its defaults', async () => {
      const { push } = await api.create();
      expect(push).to.deep.include({
        views_remaining: 5,
        views_total: 5,
        files: [],
        passphrase: null,
        name: null,
        note: null,
        expire_after_days: 7,
        expire_after_views: 5,
        days_remaining: 7,
        expired: false,
        expired_on: null,
        deleted: false,
        deletable_by_viewer: true,
        retrieval_step: true,
        kind: 'text',
      });
    });

    it('gives what was asked for', async () => {
      const asked = {
        name: 'n',
        note: 'o',
        expire_after_days: 90,
        expire_after_views: 100,
        deletable_by_viewer: false,
        retrieval_step: false,
        kind: 'text',
      };
      const { push } = await api.create({ ...asked, passphrase: 'open sesame' }, ann);
      expect(push).to.deep.include({ ...asked, views_remaining: 100, views_total: 100, days_remaining: 90 });
      expect(push.passphrase).to.equal('********');
    });

    it('gives a token of 26 Crockford letters, and addresses under the configured base', async () => {
      const { push, token } = await api.create({}, { host: 'evil.test', 'x-forwarded-host': 'evil.test' });
      expect(token).to.match(/^[0-9abcdefghjkmnpqrstvwxyz]{26}$/);
      expect(push).to.include({
        html_url: `http://push.test/p/${token}`,
        json_url: `http://push.test/p/${token}.json`,
      });
    });

    it('gives every push a token of its own', async () => {
      const tokens = await times(50, async () => (await api.create()).token);
      expect(new Set(tokens)).to.have.property('size', 50);
    });

    it('gives times in ISO 8601, UTC, with milliseconds', async () => {
      const before = Date.now();
      const { push } = await api.create({ expire_after_days: 3 });
      expect(ms(push.created_at)).to.be.within(before - 60_000, Date.now() + 60_000);
      expect(ms(push.updated_at)).to.equal(ms(push.created_at));
      expect(ms(push.expires_at) - ms(push.created_at)).to.equal(3 * dayMs);
    });

    it('takes hours instead of days, and tells whole days', async () => {
      const { push } = await api.create({ expire_after_hours: 25 });
      expect(ms(push.expires_at) - ms(push.created_at)).to.equal(25 * 60 * minuteMs);
      expect(push).to.include({ expire_after_days: 2, days_remaining: 2 });
    });

    it('takes minutes instead of days, five at least', async () => {
      const { push } = await api.create({ expire_after_minutes: '5' });
      expect(ms(push.expires_at) - ms(push.created_at)).to.equal(5 * minuteMs);
      expect(push).to.include({ expire_after_days: 1, days_remaining: 1 });
    });

    it('ignores keys that it does not know, and those that are the server’s to say', async () => {
      const { push, token } = await api.create({
        colour: 'red',
        url_token: unknownToken,
        html_url: 'http://evil.test',
        created_at: '2001-01-01T00:00:00.000Z',
        expires_at: '2101-01-01T00:00:00.000Z',
        expired: true,
        expired_on: '2001-01-01T00:00:00.000Z',
        deleted: true,
        views_remaining: 99,
        views_total: 99,
        days_remaining: 99,
        id: 1,
        user_id: 1,
        account_id: 1,
      });
      expect(token).to.not.equal(unknownToken);
      expect(push).to.have.all.keys(fieldsOfTheSpecification.concat(fieldsOfTheContract));
      expect(push).to.include({ expired: false, expired_on: null, deleted: false, views_remaining: 5 });
      expect(ms(push.expires_at) - ms(push.created_at)).to.equal(7 * dayMs);
    });

    it('ignores the names that fields have inside the service', async () => {
      const { push } = await api.create({
        expireAfterViews: 1,
        expireAfterDays: 1,
        retrievalStep: false,
        deletableByViewer: false,
        viewsMax: 1,
      });
      expect(push).to.include({
        expire_after_views: 5,
        expire_after_days: 7,
        retrieval_step: true,
        deletable_by_viewer: true,
      });
    });

    it('keeps a note of an account, and drops that of a stranger', async () => {
      expect((await api.create({ note: 'mine' }, ann)).push.note).to.equal('mine');
      expect((await api.create({ note: 'nobody’s' })).push.note).to.equal(null);
    });

    it('tells the creator the name, account or not', async () => {
      expect((await api.create({ name: 'mine' }, ann)).push.name).to.equal('mine');
      expect((await api.create({ name: 'nobody’s' })).push.name).to.equal('nobody’s');
    });

    it('keeps what its creator wants to be told, in JSON and in forms, and nothing of it for a stranger', async () => {
      const kept = async () => {
        const [row] = await service.database.select<{ notify: number }>(
          'SELECT notify FROM pushes ORDER BY id DESC LIMIT 1',
          {},
        );
        return row?.notify;
      };
      const notify = { viewed: 'first', expired: false, failed_passphrase: 'yes', reminder: false };
      await api.create({ notify }, ann);
      expect(await kept()).to.equal(1 + 8);
      const form = 'password[payload]=tulip&password[notify][viewed]=none&password[notify][reminder]=0';
      await api.send('POST', '/p.json', { headers: { ...asForm, ...ann }, body: form });
      expect(await kept()).to.equal(4 + 8);
      await api.create({}, ann);
      expect(await kept()).to.equal(2 + 4 + 8 + 16);
      await api.create({ notify: { viewed: 'none', asked_again: true } }, ann);
      expect(await kept()).to.equal(4 + 8 + 16 + 32);
      await api.create({ notify: { ...notify, asked_again: true } });
      expect(await kept()).to.equal(0);
    });

    it('reads a blank name, note or passphrase as none', async () => {
      const { push, json } = await api.create({ name: ' ', note: '', passphrase: ' \t' }, ann);
      expect(push).to.include({ name: null, note: null, passphrase: null });
      expect((await api.get(json)).body.payload).to.equal('tulip');
    });

    for (const kind of ['url', 'qr', 'text'] as const) {
      it(`makes pushes of kind ${kind}`, async () => {
        const payload = 'https://example.com/a?b=c#d';
        const { push, json } = await api.create({ kind, payload });
        expect(push.kind).to.equal(kind);
        expect((await api.get(json)).body).to.include({ kind, payload });
      });
    }

    it('asks for credentials before it takes files', async () => {
      for (const body of [{ kind: 'file' }, { payload: 'x', files: ['x'] }]) {
        const answer = await api.post('/p.json', { password: body });
        expect(answer.status).to.equal(401);
        expect(answer.body.error).to.be.a('string');
      }
    });

    it('asks for credentials before it takes a form of nothing but files', async () => {
      const file = multipart({ 'password[files][]"; filename="a.txt': 'bytes' });
      expect((await api.send('POST', '/p.json', { headers: asMultipart, body: file })).status).to.equal(401);
      const known = await api.send('POST', '/p.json', { headers: { ...asMultipart, ...ann }, body: file });
      expectError(known, 403, 'File attachments require a subscription.');
    });

    it('takes no file from an account that is not subscribed', async () => {
      const form = multipart({ 'password[payload]': 'x', 'password[files][]"; filename="a.txt': 'bytes' });
      const answers = [
        await api.send('POST', '/p.json', { headers: { ...asMultipart, ...ann }, body: form }),
        await api.post('/p.json', { password: { kind: 'file', payload: 'x' } }, ann),
        await api.post('/f.json', { file_push: { payload: 'x' } }, ann),
      ];
      for (const answer of answers) expectError(answer, 403, 'File attachments require a subscription.');
    });
  });

  describe('on retrieval', () => {
    it('answers the push with its payload, and counts the view', async () => {
      const { json, push } = await api.create({ expire_after_views: 3 });
      const { status, body } = await api.get(json);
      expect(status).to.equal(200);
      expect(body).to.have.all.keys([...fieldsOfTheSpecification, ...fieldsOfTheContract, 'payload']);
      expect(Object.keys(body).slice(0, 12)).to.deep.equal(fieldsOfTheSpecification);
      const { updated_at, ...unchanged } = push;
      expect(body).to.deep.include({ ...unchanged, payload: 'tulip', views_remaining: 2, expired: false });
      expect(ms(body.updated_at)).to.be.at.least(ms(updated_at));
    });

    it('answers the last view as any other, and expires after it', async () => {
      const created = await api.create({ expire_after_views: 2 }, ann);
      expect((await api.get(created.json)).body).to.include({ views_remaining: 1, expired: false });
      expect((await api.get(created.json)).body).to.include({
        views_remaining: 0,
        expired: false,
        payload: 'tulip',
      });
      const { status, body } = await api.get(created.json);
      expect(status).to.equal(200);
      expect(body).to.have.all.keys([...fieldsOfTheSpecification, ...fieldsOfTheContract, 'payload']);
      expect(body).to.deep.include({ payload: null, expired: true, deleted: false, views_remaining: 0 });
      expect(body).to.deep.include({ files: [], passphrase: null, days_remaining: 0 });
      expect(ms(body.expired_on)).to.be.at.least(ms(created.push.created_at));
      expect(await kindsOf(created)).to.deep.equal(['creation', 'view', 'view', 'failed_view']);
    });

    it('counts the views of the creator too', async () => {
      const { json } = await api.create({ expire_after_views: 1 }, ann);
      expect((await api.get(json, ann)).body).to.include({ payload: 'tulip', views_remaining: 0 });
      expect((await api.get(json, ann)).body).to.include({ payload: null, expired: true });
    });

    it('gives a one-view secret to exactly one of forty simultaneous viewers', async () => {
      const { json } = await api.create({ expire_after_views: 1 });
      const answers = await times(40, () => api.get(json));
      expect(answers.filter(({ body }) => body.payload === 'tulip')).to.have.length(1);
      expect(answers.filter(({ body }) => body.expired === true)).to.have.length(39);
    });

    it('answers a push that outlived its days without the payload', async () => {
      const created = await api.create({ passphrase: 'open sesame' }, ann);
      await expirePushIn(service, created.token, -1);
      const { status, body } = await api.get(created.json);
      expect(status).to.equal(200);
      expect(body).to.deep.include({ payload: null, expired: true, deleted: false, views_remaining: 5 });
      expect(body).to.deep.include({ files: [], passphrase: null, days_remaining: 0 });
      expect(body.expired_on).to.equal(body.expires_at);
      expect(await kindsOf(created)).to.deep.equal(['creation', 'failed_view']);
    });

    it('rounds the days that are left up', async () => {
      const { json, token } = await api.create();
      await expirePushIn(service, token, dayMs + minuteMs);
      expect((await api.get(json)).body.days_remaining).to.equal(2);
      await expirePushIn(service, token, dayMs - minuteMs);
      expect((await api.get(json)).body).to.include({ days_remaining: 1, expired: false, payload: 'tulip' });
    });

    it('answers 404 to a token that was never made, and to what is no token', async () => {
      const { token } = await api.create();
      for (const wrong of [unknownToken, 'x', `${token}0`, token.slice(1), token.toUpperCase()]) {
        expectError(await api.get(`/p/${wrong}.json`), 404, 'not-found');
      }
    });

    it('asks for the passphrase, in a body of three keys, and spends no view', async () => {
      const created = await api.create({ passphrase: 'open sesame', expire_after_views: 1 }, ann);
      for (const query of ['', '?passphrase=', '?passphrase=open', '?passphrase=Open+Sesame', '?pass=x']) {
        const answer = await api.get(created.json + query);
        expectError(answer, 401, 'That passphrase is incorrect.');
        expect(answer.body).to.have.all.keys('error', 'message', 'status');
        expect(answer.body.status).to.equal('unauthorized');
        expect(answer.body.message).to.be.a('string').that.includes('passphrase');
      }
      const right = await api.get(`${created.json}?passphrase=open+sesame`);
      expect(right.body).to.include({ payload: 'tulip', passphrase: '********', views_remaining: 0 });
      expect(await kindsOf(created)).to.deep.equal([
        'creation',
        ...Array(5).fill('failed_passphrase'),
        'view',
      ]);
    });

    it('takes a passphrase of any characters, in any form of the same text', async () => {
      const passphrase = 'ü & +%41 "😀"';
      const { json } = await api.create({ passphrase });
      const query = encodeURIComponent(passphrase.normalize('NFD'));
      expect((await api.get(`${json}?passphrase=${query}`)).body.payload).to.equal('tulip');
    });

    it('tells all 1,024 bytes of a passphrase apart', async () => {
      const passphrase = 'x'.repeat(1024);
      const { json } = await api.create({ passphrase });
      expect((await api.get(`${json}?passphrase=${passphrase.slice(0, -1)}y`)).status).to.equal(401);
      expect((await api.get(`${json}?passphrase=${passphrase}`)).body.payload).to.equal('tulip');
    });

    it('overlooks a passphrase that nobody asked for', async () => {
      const { json } = await api.create();
      expect((await api.get(`${json}?passphrase=x`)).body.payload).to.equal('tulip');
    });

    it('tells no endpoint’s caller the passphrase', async () => {
      const created = await api.create({ passphrase: 'open sesame' }, ann);
      const answers = [
        created.response,
        await api.get('/p/active.json', ann),
        await api.get(`${created.json}?passphrase=open+sesame`, ann),
        await api.get(`/p/${created.token}/audit.json`, ann),
        await api.send('DELETE', created.json, { headers: ann }),
      ];
      for (const { status, text } of answers) {
        expect(status).to.be.below(300);
        expect(text).to.not.include('sesame');
      }
    });

    it('shows name and note to the creator alone', async () => {
      const { json } = await api.create({ name: 'rose', note: 'thorn' }, ann);
      expect((await api.get(json, ann)).body).to.include({ name: 'rose', note: 'thorn' });
      expect((await api.get(json)).body).to.include({ name: null, note: null });
      expect((await api.get(json, bob)).body).to.include({ name: null, note: null });
    });

    it('shows the name of a push without an owner to nobody', async () => {
      const { json } = await api.create({ name: 'rose' });
      expect((await api.get(json)).body.name).to.equal(null);
      expect((await api.get(json, ann)).body.name).to.equal(null);
    });

    it('answers JSON whatever Accept says', async () => {
      const { json } = await api.create();
      for (const accept of ['text/html', 'application/xml', '', 'image/*;q=1']) {
        const { headers, body } = await api.get(json, { accept });
        expect(headers['content-type']).to.equal('application/json; charset=utf-8');
        expect(body).to.have.property('payload');
      }
      const missing = await api.get(`/p/${unknownToken}.json`, { accept: 'text/html' });
      expectError(missing, 404, 'not-found');
    });
  });

  describe('to a link previewer', () => {
    const previewers: [string, Record<string, string>][] = [
      ['Slack', { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' }],
      ['Discord', { 'user-agent': 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)' }],
      ['WhatsApp', { 'user-agent': 'WhatsApp/2.23.20.0' }],
      ['a prefetching browser', { 'sec-purpose': 'prefetch' }],
      ['a prerendering browser', { 'sec-purpose': 'prefetch;prerender' }],
      ['an older prefetcher', { purpose: 'prefetch' }],
      ['an old Firefox', { 'x-moz': 'prefetch' }],
    ];
    for (const [name, headers] of previewers) {
      it(`shows the push without its payload, and spends no view: ${name}`, async () => {
        const created = await api.create({ expire_after_views: 1 }, ann);
        const { status, body, text } = await api.get(created.json, headers);
        expect(status).to.equal(200);
        expect(body).to.include({ url_token: created.token, views_remaining: 1, expired: false });
        expect(body.payload ?? null).to.equal(null);
        expect(text).to.not.include('tulip');
        expect(await kindsOf(created)).to.deep.equal(['creation', 'preview']);
        expect((await api.get(created.json)).body.payload).to.equal('tulip');
      });
    }

    it('counts its view where the push has no retrieval step', async () => {
      const created = await api.create({ retrieval_step: false, expire_after_views: 2 }, ann);
      for (const headers of [{ 'user-agent': 'Slackbot-LinkExpanding 1.0' }, { 'sec-purpose': 'prefetch' }]) {
        expect((await api.get(created.json, headers)).body.payload).to.equal('tulip');
      }
      expect(await kindsOf(created)).to.deep.equal(['creation', 'view', 'view']);
    });

    it('tells nothing of a push that asks for a passphrase, and takes no guess', async () => {
      const created = await api.create({ passphrase: 'open sesame' }, ann);
      const query = '?passphrase=open+sesame';
      const { text } = await api.get(created.json + query, { 'sec-purpose': 'prefetch' });
      expect(text).to.not.include('tulip');
      expect(await kindsOf(created)).to.deep.equal(['creation', 'preview']);
    });

    it('answers for an expired push as to anybody', async () => {
      const created = await api.create({}, ann);
      await expirePushIn(service, created.token, -1);
      const { status, body } = await api.get(created.json, { 'sec-purpose': 'prefetch' });
      expect(status).to.equal(200);
      expect(body).to.include({ expired: true, payload: null });
    });
  });

  describe('on preview', () => {
    it('answers the address alone, spends no view and leaves no trace', async () => {
      const created = await api.create({ expire_after_views: 1, passphrase: 'p' }, ann);
      const { status, body } = await api.get(`/p/${created.token}/preview.json`);
      expect(status).to.equal(200);
      expect(body).to.deep.equal({ url: `http://push.test/p/${created.token}` });
      expect(await kindsOf(created)).to.deep.equal(['creation']);
      expect((await api.get(`${created.json}?passphrase=p`)).body.views_remaining).to.equal(0);
    });

    it('works for expired pushes too', async () => {
      const created = await api.create({ expire_after_views: 1 }, ann);
      await api.get(created.json);
      const { status, body } = await api.get(`/p/${created.token}/preview.json`);
      expect(status).to.equal(200);
      expect(body).to.deep.equal({ url: created.push.html_url });
      expect(await kindsOf(created)).to.deep.equal(['creation', 'view']);
    });

    it('knows no push that was never made', async () => {
      expectError(await api.get(`/p/${unknownToken}/preview.json`), 404, 'not-found');
    });
  });

  describe('the audit log', () => {
    it('begins with the creation and tells everything that happened, in order', async () => {
      const created = await api.create({ passphrase: 'p', expire_after_views: 2 }, ann);
      await api.get(created.json);
      await api.get(created.json, { 'sec-purpose': 'prefetch' });
      await api.get(`${created.json}?passphrase=p`);
      await api.send('DELETE', created.json);
      await api.get(created.json);
      expect(await kindsOf(created)).to.deep.equal([
        'creation',
        'failed_passphrase',
        'preview',
        'view',
        'expire',
        'failed_view',
      ]);
    });

    it('has the six fields of a record, with the creation’s time', async () => {
      const created = await api.create({}, ann);
      const [row, ...more] = await auditOf(created);
      expect(more).to.be.empty;
      expect(row).to.deep.equal({
        ip: '127.0.0.1',
        user_agent: '',
        referrer: '',
        created_at: created.push.created_at,
        updated_at: created.push.created_at,
        kind: 'creation',
      });
    });

    it('tells user agent and referrer, cut at 255 characters', async () => {
      const created = await api.create({}, ann);
      await api.get(created.json, { 'user-agent': 'u'.repeat(300), referer: '-'.repeat(300) });
      await api.get(created.json, { 'user-agent': 'curl/8', referer: 'https://example.com/x' });
      const [, long, short] = await auditOf(created);
      expect(long).to.include({ user_agent: 'u'.repeat(255), referrer: '-'.repeat(255) });
      expect(short).to.include({ user_agent: 'curl/8', referrer: 'https://example.com/x' });
    });

    it('tells 50 records a page, without gap or repetition', async () => {
      const created = await api.create({ expire_after_views: 100 }, ann);
      for (let view = 0; view < 70; view += 10) {
        await times(10, (i) => api.get(created.json, { 'user-agent': `viewer ${view + i}` }));
      }
      const [first, second, third] = await times(3, (i) => auditOf(created, ann, i + 1));
      expect(first).to.have.length(50);
      expect(second).to.have.length(21);
      expect(third).to.deep.equal([]);
      expect(first?.[0]?.kind).to.equal('creation');
      const rows = [...(first ?? []), ...(second ?? [])];
      expect(new Set(rows.map(({ user_agent }) => user_agent))).to.have.property('size', 71);
      const stamps = rows.map(({ created_at }) => ms(created_at));
      expect(stamps).to.deep.equal(stamps.toSorted((a, b) => a - b));
    });

    it('tells a view after a flood of another kind, and stays below 2,000 records', async () => {
      const created = await api.create({ passphrase: 'p' }, ann);
      for (let flood = 0; flood < 450; flood += 50) await times(50, () => api.get(created.json));
      await api.get(`${created.json}?passphrase=p`);
      const pages = await times(10, (i) => auditOf(created, ann, i + 1));
      const kinds = pages.flat().map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'view')).to.have.length(1);
      expect(kinds.length).to.be.within(300, 430);
    });

    it('is for nobody but the owner', async () => {
      const { token } = await api.create({}, ann);
      const answer = await api.get(`/p/${token}/audit.json`, bob);
      expectError(answer, 403, "That push doesn't belong to you.");
      expect(answer.headers).to.not.have.property('retry-after');
      expect((await api.get(`/p/${token}/audit.json`)).status).to.equal(401);
      expectError(await api.get(`/p/${unknownToken}/audit.json`, ann), 404, 'not-found');
    });

    it('is for nobody at all where the push has no owner', async () => {
      const { token } = await api.create();
      expectError(await api.get(`/p/${token}/audit.json`, ann), 403, "That push doesn't belong to you.");
      expect((await api.get(`/p/${token}/audit.json`)).status).to.equal(401);
    });

    it('asks who is there before it looks at the page parameter', async () => {
      const { token } = await api.create({}, ann);
      expect((await api.get(`/p/${token}/audit.json?page=x`)).status).to.equal(401);
    });

    it('has the same page rule as the lists', async () => {
      const created = await api.create({}, ann);
      for (const page of ['0', '-7', '1']) {
        const { body } = await api.get(`/p/${created.token}/audit.json?page=${page}`, ann);
        expect(body.views).to.have.length(1);
      }
      expect((await api.get(`/p/${created.token}/audit.json?page=200`, ann)).body.views).to.deep.equal([]);
      for (const page of ['201', 'x', '1.5', '1e1']) {
        const answer = await api.get(`/p/${created.token}/audit.json?page=${page}`, ann);
        expectError(answer, 400, 'Invalid page parameter');
      }
    });

    it('stays readable after the push expired', async () => {
      const created = await api.create({}, ann);
      await api.send('DELETE', created.json, { headers: ann });
      expect(await kindsOf(created)).to.deep.equal(['creation', 'expire']);
    });
  });

  describe('on deletion', () => {
    it('expires the push at once, and says so', async () => {
      const created = await api.create({ deletable_by_viewer: false, passphrase: 'p' }, ann);
      const { status, body } = await api.send('DELETE', created.json, { headers: ann });
      expect(status).to.equal(200);
      expect(body).to.have.all.keys(fieldsOfTheSpecification.concat(fieldsOfTheContract));
      expect(body).to.deep.include({ expired: true, deleted: true, passphrase: null, files: [] });
      expect(ms(body.expired_on)).to.be.at.least(ms(created.push.created_at));
      const after = await api.get(created.json);
      expect(after.status).to.equal(200);
      expect(after.body).to.include({ payload: null, expired: true, deleted: true });
      expect(after.body.expired_on).to.equal(body.expired_on);
    });

    it('changes nothing the second time', async () => {
      const created = await api.create({}, ann);
      const first = await api.send('DELETE', created.json);
      const second = await api.send('DELETE', created.json);
      expect(second.status).to.equal(200);
      expect(second.body).to.deep.equal(first.body);
      expect(await kindsOf(created)).to.deep.equal(['creation', 'expire']);
    });

    it('writes one record for a hundred simultaneous deletions', async () => {
      const created = await api.create({}, ann);
      const answers = await times(100, () => api.send('DELETE', created.json));
      expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
      expect(new Set(answers.map(({ body }) => body.expired_on))).to.have.property('size', 1);
      expect(await kindsOf(created)).to.deep.equal(['creation', 'expire']);
    });

    it('does not claim a push that its limits had expired', async () => {
      const viewed = await api.create({ expire_after_views: 1 }, ann);
      const { body } = await api.get(viewed.json).then(() => api.get(viewed.json));
      const outlived = await api.create({}, ann);
      await expirePushIn(service, outlived.token, -1000);
      const answers = [
        await api.send('DELETE', viewed.json, { headers: ann }),
        await api.send('DELETE', outlived.json, { headers: ann }),
      ];
      for (const answer of answers) {
        expect(answer.status).to.equal(200);
        expect(answer.body).to.include({ expired: true, deleted: false });
      }
      expect(answers[0]?.body.expired_on).to.equal(body.expired_on);
      expect(answers[1]?.body.expired_on).to.equal(answers[1]?.body.expires_at);
      expect(await kindsOf(outlived)).to.deep.equal(['creation']);
    });

    it('is anybody’s right where the push is deletable by viewers, without the passphrase', async () => {
      const { json } = await api.create({ passphrase: 'p' }, ann);
      expect((await api.send('DELETE', json)).body).to.include({ expired: true, deleted: true });
      const another = await api.create({}, ann);
      expect((await api.send('DELETE', another.json, { headers: bob })).body.deleted).to.equal(true);
    });

    it('is refused to everybody but the owner where it is not', async () => {
      const { json } = await api.create({ deletable_by_viewer: false }, ann);
      const anonymous = await api.send('DELETE', json);
      expectError(anonymous, 401, 'That push is not deletable by viewers.');
      const other = await api.send('DELETE', json, { headers: bob });
      expectError(other, 403, 'That push is not deletable by viewers.');
      expect((await api.get(json)).body.payload).to.equal('tulip');
    });

    it('is nobody’s right where the push has no owner and is not deletable by viewers', async () => {
      const { json } = await api.create({ deletable_by_viewer: false });
      expectError(await api.send('DELETE', json), 401, 'That push is not deletable by viewers.');
      const known = await api.send('DELETE', json, { headers: ann });
      expectError(known, 403, 'That push is not deletable by viewers.');
      expect((await api.get(json)).body.payload).to.equal('tulip');
    });

    it('shows name and note to the owner alone', async () => {
      const { json } = await api.create({ name: 'rose', note: 'thorn' }, ann);
      expect((await api.send('DELETE', json)).body).to.include({ name: null, note: null });
      const owners = await api.send('DELETE', json, { headers: ann });
      expect(owners.body).to.include({ name: 'rose', note: 'thorn' });
    });

    it('knows no push that was never made', async () => {
      expectError(await api.send('DELETE', `/p/${unknownToken}.json`), 404, 'not-found');
    });
  });

  describe('the lists', () => {
    it('hold the caller’s own pushes, the newest first, in two states', async () => {
      const carol = await newAccount();
      const made: string[] = [];
      for (let count = 0; count < 4; count++) made.push((await api.create({}, carol)).token);
      await api.send('DELETE', `/p/${made[1]}.json`);
      await expirePushIn(service, String(made[2]), -1);
      const active = await api.get('/p/active.json', carol);
      const expired = await api.get('/p/expired.json', carol);
      expect(active.status).to.equal(200);
      expect(listOf(active.json).map(({ url_token }) => url_token)).to.deep.equal([made[3], made[0]]);
      expect(listOf(expired.json).map(({ url_token }) => url_token)).to.deep.equal([made[1], made[2]]);
      expect(listOf(active.json).map(({ expired }) => expired)).to.deep.equal([false, false]);
      expect(listOf(expired.json).map(({ deleted }) => deleted)).to.deep.equal([true, false]);
    });

    it('show each push as its creation did, without the payload', async () => {
      const carol = await newAccount();
      const { push } = await api.create({ name: 'rose', note: 'thorn', passphrase: 'p' }, carol);
      const [entry] = listOf((await api.get('/p/active.json', carol)).json);
      expect(entry).to.deep.equal(push);
      expect(Object.keys(entry ?? {}).slice(0, 12)).to.deep.equal(fieldsOfTheSpecification);
    });

    it('never show a push as active that reached a limit', async () => {
      const carol = await newAccount();
      const viewed = await api.create({ expire_after_views: 1 }, carol);
      await api.get(viewed.json);
      const outlived = await api.create({}, carol);
      await expirePushIn(service, outlived.token, 0);
      expect((await api.get('/p/active.json', carol)).json).to.deep.equal([]);
      const expired = listOf((await api.get('/p/expired.json', carol)).json);
      expect(expired.map(({ url_token }) => url_token)).to.deep.equal([viewed.token, outlived.token]);
      for (const { expired_on } of expired) ms(expired_on);
    });

    it('give 50 entries a page', async () => {
      const carol = await newAccount();
      const made: string[] = [];
      for (let count = 0; count < 52; count++) made.unshift((await api.create({}, carol)).token);
      const pages = await times(3, (i) => api.get(`/p/active.json?page=${i + 1}`, carol));
      const [first, second, third] = pages.map(({ json }) => listOf(json).map(({ url_token }) => url_token));
      expect(first).to.deep.equal(made.slice(0, 50));
      expect(second).to.deep.equal(made.slice(50));
      expect(third).to.deep.equal([]);
    });

    for (const state of ['active', 'expired']) {
      it(`take pages from 1 to 200, and what is less as 1 (${state})`, async () => {
        const carol = await newAccount();
        const { json } = await api.create({}, carol);
        if (state === 'expired') await api.send('DELETE', json);
        for (const page of ['1', '0', '-1', '-200', '001']) {
          expect((await api.get(`/p/${state}.json?page=${page}`, carol)).json).to.have.length(1);
        }
        for (const page of ['2', '200']) {
          expect((await api.get(`/p/${state}.json?page=${page}`, carol)).json).to.deep.equal([]);
        }
        for (const page of ['201', '1000000', '9'.repeat(30), '1.0', '1e2', '0x1', 'abc', '%20', 'NaN']) {
          const answer = await api.get(`/p/${state}.json?page=${page}`, carol);
          expectError(answer, 400, 'Invalid page parameter');
        }
      });

      it(`are for accounts only (${state})`, async () => {
        const answer = await api.get(`/p/${state}.json`);
        expect(answer.status).to.equal(401);
        expect(answer.body.error).to.be.a('string');
      });
    }
  });

  describe('under its former names', () => {
    for (const prefix of ['f', 'r']) {
      it(`serves every endpoint of a push under /${prefix}`, async () => {
        const created = await api.create({ expire_after_views: 9, name: 'rose' }, ann);
        const { token, push } = created;
        expect((await api.get(`/${prefix}/${token}.json`)).body).to.include({
          payload: 'tulip',
          json_url: push.json_url,
          kind: 'text',
        });
        expect((await api.get(`/${prefix}/${token}/preview.json`)).body).to.deep.equal({
          url: push.html_url,
        });
        const { body } = await api.get(`/${prefix}/${token}/audit.json`, ann);
        expect(listOf(body.views).map(({ kind }) => kind)).to.deep.equal(['creation', 'view']);
        expect((await api.send('HEAD', `/${prefix}/${token}.json`)).status).to.equal(200);
        const deleted = await api.send('DELETE', `/${prefix}/${token}.json`);
        expect(deleted.body).to.include({ expired: true, deleted: true });
        expect(await kindsOf(created)).to.deep.equal(['creation', 'view', 'expire']);
        expectError(await api.get(`/${prefix}/${unknownToken}.json`), 404, 'not-found');
      });

      it(`lists all kinds under /${prefix}`, async () => {
        const carol = await newAccount();
        const active = await api.create({}, carol);
        const expired = await api.create({ kind: 'url', payload: 'https://example.com' }, carol);
        await api.send('DELETE', expired.json);
        for (const [state, token] of [
          ['active', active.token],
          ['expired', expired.token],
        ]) {
          const { json } = await api.get(`/${prefix}/${state}.json`, carol);
          expect(listOf(json).map(({ url_token }) => url_token)).to.deep.equal([token]);
          expect((await api.get(`/${prefix}/${state}.json`)).status).to.equal(401);
        }
      });

      it(`sends people from /${prefix} to /p, with their query`, async () => {
        const { token } = await api.create();
        for (const [query, kept] of [
          ['', ''],
          ['?passphrase=a%20b&x=%41', '?passphrase=a%20b&x=%41'],
        ]) {
          const { status, headers } = await api.get(`/${prefix}/${token}${query}`);
          expect(status).to.equal(301);
          expect(headers.location).to.be.oneOf([`/p/${token}${kept}`, `http://push.test/p/${token}${kept}`]);
        }
      });

      it(`asks for credentials before it creates under /${prefix}`, async () => {
        const root = prefix === 'f' ? 'file_push' : 'url';
        const answer = await api.post(`/${prefix}.json`, { [root]: { payload: 'https://example.com' } });
        expect(answer.status).to.equal(401);
      });
    }

    it('sends people on from addresses with a step or a language', async () => {
      const { token } = await api.create();
      for (const path of [
        `/p/${token}/r`,
        `/p/${token}/passphrase`,
        `/en/p/${token}`,
        `/pt-BR/f/${token}/r`,
      ]) {
        const { status, headers } = await api.get(`${path}?a=%41`);
        expect(status, path).to.equal(301);
        expect(headers.location).to.match(new RegExp(`^(?:http://push\\.test)?/p/${token}\\?a=%41$`));
      }
    });

    it('makes URL pushes of what comes to /r.json', async () => {
      const answer = await api.post(
        '/r.json',
        { url: { payload: 'https://example.com/', expire_after_views: 1, kind: 'text' } },
        ann,
      );
      expect(answer.status).to.equal(201);
      expect(answer.body).to.include({ kind: 'url', views_total: 1 });
      expect(answer.body.json_url).to.equal(`http://push.test/p/${answer.body.url_token}.json`);
      const bad = await api.post('/r.json', { url: { payload: 'no address' } }, ann);
      expect(bad.status).to.equal(422);
    });

    it('misses the root object of the former names', async () => {
      const wrong = { password: { payload: 'https://example.com' } };
      const missing = 'param is missing or the value is empty or invalid';
      expectError(await api.post('/r.json', wrong, ann), 400, `${missing}: url`);
      expectError(await api.post('/f.json', wrong, ann), 400, `${missing}: file_push`);
      expectError(await api.post('/p.json', { url: wrong.password }, ann), 400, `${missing}: password`);
    });

    it('knows both root objects of /f.json', async () => {
      for (const root of ['file_push', 'file']) {
        const answer = await api.post('/f.json', { [root]: { payload: 'x' } }, ann);
        expectError(answer, 403, 'File attachments require a subscription.');
      }
    });
  });

  describe('on its version', () => {
    for (const path of ['/api/v1/version.json', '/api/v1/version']) {
      it(`tells three facts at ${path}`, async () => {
        const { status, body } = await api.get(path);
        expect(status).to.equal(200);
        expect(body).to.have.all.keys('application_version', 'api_version', 'edition');
        expect(body.application_version).to.match(/^\d+\.\d+\.\d+/);
        expect(Number(body.api_version)).to.be.above(1);
        expect(body.edition).to.be.a('string').that.is.not.empty;
      });

      it(`is of one mind about every credential at ${path}`, async () => {
        for (const headers of [
          bearer('nonsense'),
          { 'x-user-email': 'a@b.c', 'x-user-token': 'x' },
          { authorization: 'Basic YTpi' },
          ann,
        ]) {
          expect((await api.get(path, headers)).status).to.equal(200);
        }
      });
    }

    for (const path of ['/api/v2/version', '/api/v2/version.json']) {
      it(`does not pretend at ${path}`, async () => {
        expectError(await api.get(path, ann), 404, 'not-found');
        expect((await api.send('HEAD', path)).status).to.equal(404);
      });
    }
  });

  describe('by routes', () => {
    const paths = ['/p', '/p/', '/q.json', '/p.xml', '/api', '/api/v1', '/api/v3/version.json', '/.env'];
    for (const path of paths) {
      it(`knows nothing at ${path}`, async () => {
        expectError(await api.get(path), 404, 'not-found');
        expectError(await api.post(path, {}), 404, 'not-found');
      });
    }

    it('is exact: other case, slashes and suffixes are unknown', async () => {
      const { token } = await api.create();
      const before = await viewsUsed();
      for (const path of [
        `/P/${token}.json`,
        `/p/${token.toUpperCase()}.json`,
        `/p/${token}.JSON`,
        `/p/${token}.json/`,
        `/p//${token}.json`,
        `//p/${token}.json`,
        `/p/${token}/`,
        `/p/${token}.json.json`,
        `/p/${token}/preview`,
        `/p/${token}/preview.json/`,
        `/p/${token}/PREVIEW.json`,
        `/p/${token}/audit`,
        `/p/${token}/x.json`,
        '/P.json',
        '/p.JSON',
        '/p.json/',
        '/p/Active.json',
        '/p/active',
        '/p/active.json/',
        '/API/v1/version.json',
        '/api/v1/version/',
        '/api/V1/version',
        '/api/v1/version.xml',
      ]) {
        expect(await api.get(path), path).to.include({ status: 404 });
      }
      expect(await viewsUsed()).to.equal(before);
    });

    const known: [string, string[]][] = [
      ['/p.json', ['OPTIONS', 'POST']],
      ['/f.json', ['OPTIONS', 'POST']],
      ['/r.json', ['OPTIONS', 'POST']],
      ['/p/TOKEN/preview.json', ['GET', 'HEAD']],
      ['/p/TOKEN/audit.json', ['GET', 'HEAD']],
      ['/f/TOKEN.json', ['DELETE', 'GET', 'HEAD']],
      ['/r/TOKEN.json', ['DELETE', 'GET', 'HEAD']],
      ['/f/TOKEN', ['GET', 'HEAD']],
      ['/p/TOKEN', ['GET', 'HEAD', 'POST']],
      ['/api/v1/version.json', ['GET', 'HEAD']],
      ['/api/v1/version', ['GET', 'HEAD']],
      ['/api/v1/openapi.json', ['GET', 'HEAD']],
    ];
    for (const [path, allowed] of known) {
      it(`answers 405 to other methods than ${allowed.join(', ')} at ${path}`, async () => {
        for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'PROPFIND']) {
          if (allowed.includes(method)) continue;
          const answer = await api.send(method, path.replace('TOKEN', unknownToken));
          expect(answer, method).to.include({ status: 405 });
          if (method !== 'HEAD') expect(answer.body.error).to.be.a('string');
          expect(answer.headers.allow?.split(', ').toSorted()).to.deep.equal(allowed);
        }
      });
    }

    it('answers 405 to PUT and PATCH on the JSON form of a push and on the lists', async () => {
      for (const path of [`/p/${unknownToken}.json`, '/p/active.json', '/p/expired.json']) {
        for (const method of ['PUT', 'PATCH']) {
          const answer = await api.send(method, path);
          expect(answer.status).to.equal(405);
          expect(answer.headers.allow?.split(', ')).to.include.members(['GET', 'HEAD']);
        }
      }
    });

    it('answers 405 in JSON to POST on the JSON form of a push and on the lists', async () => {
      for (const path of [`/p/${unknownToken}.json`, '/p/active.json', '/p/expired.json']) {
        const answer = await api.post(path, {});
        expect(answer, path).to.include({ status: 405 });
        expect(answer.body.error).to.be.a('string');
      }
    });

    it('names no method of the page in the Allow of the JSON form of a push', async () => {
      const { headers } = await api.send('PUT', `/p/${unknownToken}.json`);
      expect(headers.allow?.split(', ').toSorted()).to.deep.equal(['DELETE', 'GET', 'HEAD']);
    });

    it('answers 405 to DELETE on the lists', async () => {
      for (const path of ['/p/active.json', '/p/expired.json', '/f/active.json', '/r/expired.json']) {
        const answer = await api.send('DELETE', path, { headers: ann });
        expect(answer, path).to.include({ status: 405 });
        expect(answer.headers.allow).to.equal('GET, HEAD');
      }
    });

    async function viewsUsed(): Promise<number> {
      const [row] = await service.database.select<{ used: number }>(
        'SELECT SUM(views_used) AS used FROM pushes',
        {},
      );
      return Number(row?.used);
    }
  });

  describe('to HEAD', () => {
    for (const prefix of prefixes) {
      it(`counts nothing, writes nothing and says nothing under /${prefix}`, async () => {
        const created = await api.create({ expire_after_views: 1 }, ann);
        for (const path of [
          `/${prefix}/${created.token}.json`,
          `/${prefix}/${created.token}/preview.json`,
          `/${prefix}/${created.token}/audit.json`,
          `/${prefix}/active.json`,
          `/${prefix}/expired.json`,
        ]) {
          const { status, text, headers } = await api.send('HEAD', path, { headers: ann });
          expect(status, path).to.equal(200);
          expect(text).to.equal('');
          expect(headers['content-type']).to.match(/^application\/json/);
        }
        expect(await kindsOf(created)).to.deep.equal(['creation']);
        expect((await api.get(created.json)).body).to.include({ payload: 'tulip', views_remaining: 0 });
      });
    }

    it('writes nothing about an expired push either, nor one with a passphrase', async () => {
      const expired = await api.create({ expire_after_views: 1 }, ann);
      await api.get(expired.json);
      const locked = await api.create({ passphrase: 'p' }, ann);
      await api.send('HEAD', expired.json);
      await api.send('HEAD', locked.json);
      await api.send('HEAD', `${locked.json}?passphrase=x`);
      await api.send('HEAD', locked.json, { headers: { 'sec-purpose': 'prefetch' } });
      expect(await kindsOf(expired)).to.deep.equal(['creation', 'view']);
      expect(await kindsOf(locked)).to.deep.equal(['creation']);
    });

    it('answers the status that GET would', async () => {
      expect((await api.send('HEAD', `/p/${unknownToken}.json`)).status).to.equal(404);
      expect((await api.send('HEAD', '/p/active.json')).status).to.equal(401);
      expect((await api.send('HEAD', '/nowhere')).status).to.equal(404);
      expect((await api.send('HEAD', '/api/v1/version')).status).to.equal(200);
    });
  });

  describe('with every answer', () => {
    const requests: [string, number, () => Promise<ApiResponse>][] = [
      ['a creation', 201, async () => (await api.create()).response],
      ['a retrieval', 200, async () => api.get((await api.create()).json)],
      ['a last view', 200, async () => api.get((await api.create({ expire_after_views: 1 })).json)],
      [
        'an expired push',
        200,
        async () => {
          const { json } = await api.create();
          await api.send('DELETE', json);
          return api.get(json);
        },
      ],
      ['a wrong passphrase', 401, async () => api.get((await api.create({ passphrase: 'p' })).json)],
      ['a deletion', 200, async () => api.send('DELETE', (await api.create()).json)],
      ['a preview', 200, async () => api.get(`/p/${(await api.create()).token}/preview.json`)],
      ['an audit log', 200, async () => api.get(`/p/${(await api.create({}, ann)).token}/audit.json`, ann)],
      ['another’s audit log', 403, async () => api.get(`/p/${(await api.create()).token}/audit.json`, ann)],
      ['a list', 200, () => api.get('/p/active.json', ann)],
      ['the version', 200, () => api.get('/api/v1/version.json')],
      ['a wrong credential', 401, () => api.get('/p/active.json', bearer('x'))],
      ['an unknown push', 404, () => api.get(`/p/${unknownToken}.json`)],
      ['an unknown route', 404, () => api.get('/nowhere')],
      ['a wrong method', 405, () => api.send('PUT', '/p.json')],
      ['a bad page', 400, () => api.get('/p/active.json?page=x', ann)],
      ['no root object', 400, () => api.post('/p.json', {})],
      ['a bad value', 422, () => api.post('/p.json', { password: { payload: '' } })],
      ['too large a body', 413, () => api.post('/p.json', { a: 'x'.repeat(6_300_000) })],
      ['a strange body', 415, () => api.send('POST', '/p.json', { headers: { 'content-type': 'text/xml' } })],
      ['no HTTP', 400, () => sendRaw(service.port, 'nonsense\r\n\r\n')],
    ];
    for (const [name, status, ask] of requests) {
      it(`says that it is JSON and not to be stored: ${name}`, async () => {
        const answer = await ask();
        expect(answer.status).to.equal(status);
        expect(answer.headers).to.include({
          'content-type': 'application/json; charset=utf-8',
          'cache-control': 'no-store',
        });
        expect(answer.headers).to.not.have.any.keys('etag', 'last-modified', 'set-cookie');
        if (status >= 400) expect(answer.body.error).to.be.a('string').that.is.not.empty;
      });
    }

    it('says it to a request without Host and to one that expects too much', async () => {
      for (const head of ['Connection: close', 'Host: x\r\nConnection: close\r\nExpect: a-miracle']) {
        const answer = await sendRaw(service.port, `GET /api/v1/version HTTP/1.1\r\n${head}\r\n\r\n`);
        expect(answer.status).to.be.within(400, 499);
        expect(answer.headers).to.include({ 'cache-control': 'no-store' });
        expect(answer.body.error).to.be.a('string');
      }
    });

    it('lets pages of other sites create, and read nothing', async () => {
      const headers = { origin: 'https://elsewhere.test', 'access-control-request-method': 'POST' };
      const preflight = await api.send('OPTIONS', '/p.json', { headers });
      expect(preflight.status).to.equal(204);
      expect(preflight.headers['access-control-allow-methods']).to.equal('POST');
      const { response, ...created } = await api.create({}, headers);
      const others = await times(4, (i) => {
        const path = [created.json, `/p/${created.token}/preview.json`, '/p/active.json', '/api/v1/version'][
          i
        ];
        return api.get(String(path), { ...headers, ...ann });
      });
      for (const { headers } of [preflight, response]) {
        expect(headers['access-control-allow-origin']).to.equal('*');
        expect(headers).to.not.have.property('access-control-allow-credentials');
      }
      for (const { headers } of others) expect(headers).to.not.have.property('access-control-allow-origin');
      expect((await api.send('OPTIONS', created.json, { headers })).status).to.equal(405);
    });

    it('reads no cookie', async () => {
      const token = ann.authorization.slice('Bearer '.length);
      const cookie = `session=${token}; api_token=${token}`;
      expect((await api.get('/p/active.json', { cookie })).status).to.equal(401);
      expect((await api.create({}, { cookie: 'session=nonsense' })).response.status).to.equal(201);
    });
  });

  describe('where nobody may be anonymous', () => {
    let strict: TestService;
    let strictApi: Client;

    before(async () => {
      strict = await startService({ ALLOW_ANONYMOUS: 'false' });
      strictApi = createClient(strict.port);
    });
    after(async () => {
      strictApi.close();
      await strict.stop();
    });

    it('creates for accounts only, and still shows pushes to everybody', async () => {
      const { token } = await createAccount(strict.domain, 'dan@example.com');
      const refused = await strictApi.post('/p.json', { password: { payload: 'tulip' } });
      expect(refused.status).to.equal(401);
      expect(refused.body.error).to.be.a('string');
      const { json, token: urlToken } = await strictApi.create({}, bearer(token));
      expect((await strictApi.get(json)).body.payload).to.equal('tulip');
      expect((await strictApi.get(`/p/${urlToken}/preview.json`)).status).to.equal(200);
      expect((await strictApi.send('DELETE', json)).body.deleted).to.equal(true);
    });
  });

  describe('described by itself', () => {
    type Operation = {
      requestBody?: { content: Record<string, { schema: object }> };
      responses: Record<string, { content: Record<string, { schema: object }> }>;
    };
    type OpenApi = { openapi: string; paths: Record<string, Record<string, Operation>> };

    const ajv = new Ajv2020({
      allErrors: true,
      formats: {
        'date-time': isoTime,
        uri: { type: 'string', validate: (uri: string) => URL.canParse(uri) },
      },
    });
    let openApi: OpenApi;

    before(async () => {
      openApi = (await api.get('/api/v1/openapi.json')).json as OpenApi;
    });

    function operation(path: string, method: string): Operation {
      const found = openApi.paths[path]?.[method];
      if (found === undefined) throw new Error(`${method} ${path} is not described`);
      return found;
    }

    function expectDescribed(path: string, method: string, answer: ApiResponse): void {
      const schema = operation(path, method).responses[answer.status]?.content['application/json']?.schema;
      if (schema === undefined) throw new Error(`${answer.status} of ${method} ${path} is not described`);
      ajv.validate(schema, answer.json);
      expect(ajv.errors ?? []).to.deep.equal([]);
    }

    it('is OpenAPI 3.1 with schemas that compile, and no schema takes anything at all', async () => {
      expect(openApi.openapi).to.match(/^3\.1\./);
      let compiled = 0;
      for (const operations of Object.values(openApi.paths)) {
        for (const { requestBody, responses } of Object.values(operations)) {
          for (const { content = {} } of [requestBody ?? {}, ...Object.values(responses)]) {
            for (const { schema } of Object.values(content)) {
              expect(ajv.compile(schema)({ surprise: true })).to.equal(false);
              compiled += 1;
            }
          }
        }
      }
      expect(compiled).to.be.above(40);
    });

    it('names every endpoint of the contract', () => {
      const named = Object.entries(openApi.paths).flatMap(([path, operations]) =>
        Object.keys(operations).map((method) => `${method} ${path}`),
      );
      expect(named).to.include.members([
        'post /p.json',
        'post /f.json',
        'post /r.json',
        'get /p/{url_token}.json',
        'delete /p/{url_token}.json',
        'get /p/{url_token}/preview.json',
        'get /p/{url_token}/audit.json',
        'get /p/active.json',
        'get /p/expired.json',
        'get /api/v1/version.json',
      ]);
    });

    async function expectTakenAsDescribed(path: string, body: Fields): Promise<void> {
      const answer = await api.post(path, body, ann);
      expect(answer.status).to.equal(201);
      const schema = operation(path, 'post').requestBody?.content['application/json']?.schema;
      ajv.validate(schema ?? false, body);
      expect(ajv.errors ?? [], JSON.stringify(body)).to.deep.equal([]);
    }

    it('describes the requests that are taken', async () => {
      await expectTakenAsDescribed('/r.json', { url: { payload: 'https://example.com' } });
      for (const options of [
        {},
        { expire_after_days: 90, expire_after_views: 100, deletable_by_viewer: true, retrieval_step: false },
        { name: null, note: '', passphrase: 'ü', kind: 'qr' },
        { expire_after_hours: 2160 },
        { expire_after_minutes: 5 },
      ]) {
        await expectTakenAsDescribed('/p.json', { password: { payload: 'x', ...options } });
      }
    });

    it('describes numbers and truths that come as text, and null for a default', async () => {
      for (const options of [
        { expire_after_days: '3' },
        { expire_after_views: '100' },
        { expire_after_hours: '' },
        { expire_after_days: null },
        { deletable_by_viewer: 'on' },
        { retrieval_step: 0 },
      ]) {
        await expectTakenAsDescribed('/p.json', { password: { payload: 'x', ...options } });
      }
    });

    const answers: [string, string, number, () => Promise<ApiResponse>][] = [
      ['/p.json', 'post', 201, async () => (await api.create({ name: 'n', note: 'o' }, ann)).response],
      ['/p.json', 'post', 201, async () => (await api.create({ passphrase: 'p', kind: 'qr' })).response],
      ['/p.json', 'post', 400, () => api.post('/p.json', {})],
      ['/p.json', 'post', 401, () => api.post('/p.json', { password: { payload: 'x' } }, bearer('x'))],
      ['/p.json', 'post', 403, () => api.post('/p.json', { password: { kind: 'file' } }, ann)],
      ['/p.json', 'post', 413, () => api.post('/p.json', { a: 'x'.repeat(6_300_000) })],
      [
        '/p.json',
        'post',
        415,
        () => api.send('POST', '/p.json', { headers: { 'content-type': 'text/xml' } }),
      ],
      ['/p.json', 'post', 422, () => api.post('/p.json', { password: { expire_after_views: 0 } })],
      ['/r.json', 'post', 201, () => api.post('/r.json', { url: { payload: 'http://a' } }, ann)],
      ['/r.json', 'post', 401, () => api.post('/r.json', { url: { payload: 'http://a' } })],
      ['/f.json', 'post', 403, () => api.post('/f.json', { file: {} }, ann)],
      ['/p/{url_token}.json', 'get', 200, async () => api.get((await api.create({}, ann)).json, ann)],
      [
        '/p/{url_token}.json',
        'get',
        200,
        async () => api.get((await api.create()).json, { purpose: 'prefetch' }),
      ],
      [
        '/p/{url_token}.json',
        'get',
        200,
        async () => {
          const { json } = await api.create();
          await api.send('DELETE', json);
          return api.get(json);
        },
      ],
      ['/p/{url_token}.json', 'get', 401, async () => api.get((await api.create({ passphrase: 'p' })).json)],
      ['/p/{url_token}.json', 'get', 404, () => api.get(`/p/${unknownToken}.json`)],
      ['/p/{url_token}.json', 'delete', 200, async () => api.send('DELETE', (await api.create()).json)],
      [
        '/p/{url_token}.json',
        'delete',
        401,
        async () => api.send('DELETE', (await api.create({ deletable_by_viewer: false })).json),
      ],
      [
        '/p/{url_token}.json',
        'delete',
        403,
        async () => {
          const { json } = await api.create({ deletable_by_viewer: false }, ann);
          return api.send('DELETE', json, { headers: bob });
        },
      ],
      ['/p/{url_token}.json', 'delete', 404, () => api.send('DELETE', `/p/${unknownToken}.json`)],
      [
        '/p/{url_token}/preview.json',
        'get',
        200,
        async () => api.get(`/p/${(await api.create()).token}/preview.json`),
      ],
      ['/p/{url_token}/preview.json', 'get', 404, () => api.get(`/p/${unknownToken}/preview.json`)],
      [
        '/p/{url_token}/audit.json',
        'get',
        200,
        async () => api.get(`/p/${(await api.create({}, ann)).token}/audit.json`, ann),
      ],
      ['/p/{url_token}/audit.json', 'get', 400, () => api.get(`/p/${unknownToken}/audit.json?page=x`, ann)],
      ['/p/{url_token}/audit.json', 'get', 401, () => api.get(`/p/${unknownToken}/audit.json`)],
      [
        '/p/{url_token}/audit.json',
        'get',
        403,
        async () => api.get(`/p/${(await api.create({}, ann)).token}/audit.json`, bob),
      ],
      ['/p/{url_token}/audit.json', 'get', 404, () => api.get(`/p/${unknownToken}/audit.json`, ann)],
      ['/p/active.json', 'get', 200, () => api.get('/p/active.json', ann)],
      ['/p/active.json', 'get', 400, () => api.get('/p/active.json?page=201', ann)],
      ['/p/active.json', 'get', 401, () => api.get('/p/active.json')],
      ['/p/expired.json', 'get', 200, () => api.get('/p/expired.json', ann)],
      ['/p/expired.json', 'get', 400, () => api.get('/p/expired.json?page=x', ann)],
      ['/p/expired.json', 'get', 401, () => api.get('/p/expired.json', bearer('x'))],
      ['/api/v1/version.json', 'get', 200, () => api.get('/api/v1/version.json')],
    ];
    for (const [index, [path, method, status, ask]] of answers.entries()) {
      it(`answers as described: ${status} to ${method.toUpperCase()} ${path} (${index + 1})`, async () => {
        const answer = await ask();
        expect(answer.status).to.equal(status);
        expectDescribed(path, method, answer);
      });
    }

    it('tells a missing field and a wrong type from what is described', async () => {
      const { push } = await api.create();
      const schema = operation('/p.json', 'post').responses[201]?.content['application/json']?.schema ?? true;
      const { kind, ...incomplete } = push;
      expect(kind).to.equal('text');
      for (const wrong of [incomplete, { ...push, views_total: '5' }, { ...push, created_at: 'today' }]) {
        expect(ajv.validate(schema, wrong)).to.equal(false);
      }
    });
  });

  describe('for the clients that exist', () => {
    const payload = 'a+b c&d=e%41 ü😀"';
    const encoded = encodeURIComponent(payload);

    async function expectPayload({ status, body }: ApiResponse): Promise<void> {
      expect(status).to.equal(201);
      expect((await api.get(`/p/${body.url_token}.json`)).body.payload).to.equal(payload);
    }

    it('takes a form without a Content-Type, without User-Agent and Accept (Rust CLI, whittj)', async () => {
      for (const name of ['password[payload]', 'password%5Bpayload%5D']) {
        const body = `${name}=${encoded}&password[expire_after_views]=2`;
        const head = `Host: x\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}`;
        await expectPayload(await sendRaw(service.port, `POST /p.json HTTP/1.1\r\n${head}\r\n\r\n${body}`));
      }
    });

    it('takes a form of every option as browsers encode it (extensions, PHP)', async () => {
      const form = new URLSearchParams({
        'password[payload]': payload,
        'password[expire_after_days]': '3',
        'password[expire_after_views]': '4',
        'password[deletable_by_viewer]': 'off',
        'password[retrieval_step]': 'on',
        'password[passphrase]': '',
        'password[name]': '',
        commit: 'Push it!',
      });
      const answer = await api.send('POST', '/p.json', {
        headers: { ...asForm, accept: 'text/html,*/*' },
        body: String(form),
      });
      await expectPayload(answer);
      expect(answer.body).to.include({
        expire_after_days: 3,
        expire_after_views: 4,
        deletable_by_viewer: false,
        retrieval_step: true,
        passphrase: null,
        name: null,
      });
    });

    it('takes parts that carry a Content-Type as text (PassPushPosh)', async () => {
      const values = { 'password[payload]': payload, 'password[expire_after_views]': '3' };
      for (const type of ['text/plain; charset=utf-8', 'text/plain']) {
        const body = multipart(values, `Content-Type: ${type}\r\n`);
        const answer = await api.send('POST', '/p.json', { headers: asMultipart, body });
        await expectPayload(answer);
        expect(answer.body).to.include({ kind: 'text', views_total: 3 });
      }
    });

    it('overlooks a Content-Type and a body where none is due (PassPushPosh)', async () => {
      for (const body of [undefined, '', 'null']) {
        const { json } = await api.create();
        expect((await api.send('GET', json, { headers: asJson, body })).body.payload).to.equal('tulip');
        expect((await api.send('DELETE', json, { headers: asJson, body })).body.deleted).to.equal(true);
      }
    });

    it('takes multipart with the pair of credentials (Terraform)', async () => {
      const { account, token } = await createAccount(service.domain, 'terraform@example.com');
      const answer = await api.send('POST', '/p.json', {
        headers: { ...asMultipart, 'x-user-email': account.email, 'x-user-token': token },
        body: multipart({ 'password[payload]': payload, 'password[note]': 'mine' }),
      });
      await expectPayload(answer);
      expect(answer.body).to.include({ note: 'mine' });
      expect(answer.body.html_url).to.be.a('string');
    });

    it('takes Bearer and pair together, and walks the whole way (pwpush-cli)', async () => {
      const { account, token } = await createAccount(service.domain, 'cli@example.com');
      const headers = { ...bearer(token), 'x-user-email': account.email, 'x-user-token': token };
      expect((await api.get('/api/v2/version', headers)).status).to.equal(404);
      const { response, ...created } = await api.create({ payload, expire_after_days: 1 }, headers);
      expect(response.status).to.equal(201);
      const preview = await api.get(`/p/${created.token}/preview.json`, headers);
      expect(preview.body.url).to.equal(created.push.html_url);
      const [entry] = listOf((await api.get('/p/active.json', headers)).json);
      for (const number of ['expire_after_days', 'expire_after_views', 'days_remaining', 'views_remaining']) {
        expect(entry?.[number]).to.be.a('number');
      }
      expect((await api.get(`/p/${created.token}/audit.json`, headers)).body.views).to.have.length(1);
      expect((await api.send('DELETE', created.json, { headers })).body.expired).to.equal(true);
      expect((await api.get('/p/expired.json', headers)).json).to.have.length(1);
    });

    it('refuses a file of the official client with JSON, whatever heads its parts (pwpush-cli push-file)', async () => {
      const body = multipart({
        'file_push[payload]': 'message',
        'file_push[files][]"; filename="a.txt': Buffer.from([0, 255, 10]),
      });
      for (const [who, status] of [
        [{}, 401],
        [ann, 403],
      ] as const) {
        const answer = await api.send('POST', '/f.json', { headers: { ...asMultipart, ...who }, body });
        expect(answer.status).to.equal(status);
        expect(answer.body.error).to.be.a('string');
      }
    });

    it('takes JSON under charset, vendor and odd names of its type', async () => {
      for (const type of [
        'application/json; charset=UTF-8',
        'application/vnd.api+json',
        'Application/JSON',
      ]) {
        const answer = await api.post('/p.json', { password: { payload } }, { 'content-type': type });
        await expectPayload(answer);
      }
    });
  });
});
