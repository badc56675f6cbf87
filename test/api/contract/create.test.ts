import { expect } from 'chai';
import { dayMs, minuteMs } from '../../../src/time.ts';
import { asForm, asJson, asMultipart, multipart, times } from '../../harness/api.ts';
import {
  ann,
  api,
  documentedFields,
  expectError,
  ms,
  passwordPusherFields,
  service,
  unknownToken,
  useApi,
} from './api.ts';

describe('POST /p.json', () => {
  useApi();

  it('responds with the twelve fields of Password Pusher first, in their order', async () => {
    const { push } = await api.create();
    expect(Object.keys(push).slice(0, 12)).to.deep.equal(passwordPusherFields);
  });

  it('responds with exactly the documented fields, and not with the payload', async () => {
    const { push } = await api.create({ payload: 'tulip', passphrase: 'p', name: 'n', note: 'o' });
    expect(push).to.have.all.keys(passwordPusherFields.concat(documentedFields));
    expect(JSON.stringify(push)).to.not.include('tulip');
  });

  it('responds with 201 and JSON', async () => {
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

  it('uses the values of the request', async () => {
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

  it('generates a token of 26 Crockford characters, and URLs under the configured base', async () => {
    const { push, token } = await api.create({}, { host: 'evil.test', 'x-forwarded-host': 'evil.test' });
    expect(token).to.match(/^[0-9abcdefghjkmnpqrstvwxyz]{26}$/);
    expect(push).to.include({
      html_url: `http://push.test/p/${token}`,
      json_url: `http://push.test/p/${token}.json`,
    });
  });

  it('generates a different token for each push', async () => {
    const tokens = await times(50, async () => (await api.create()).token);
    expect(new Set(tokens)).to.have.property('size', 50);
  });

  it('returns times in ISO 8601, in UTC, with milliseconds', async () => {
    const before = Date.now();
    const { push } = await api.create({ expire_after_days: 3 });
    expect(ms(push.created_at)).to.be.within(before - 60_000, Date.now() + 60_000);
    expect(ms(push.updated_at)).to.equal(ms(push.created_at));
    expect(ms(push.expires_at) - ms(push.created_at)).to.equal(3 * dayMs);
  });

  it('accepts hours instead of days, and returns whole days', async () => {
    const { push } = await api.create({ expire_after_hours: 25 });
    expect(ms(push.expires_at) - ms(push.created_at)).to.equal(25 * 60 * minuteMs);
    expect(push).to.include({ expire_after_days: 2, days_remaining: 2 });
  });

  it('accepts the numbers that stand for durations at pwpush.com', async () => {
    const [minutes, hours, days] = [minuteMs, 60 * minuteMs, dayMs];
    const lifetimes = [
      ...[15 * minutes, 30 * minutes, 45 * minutes, 1 * hours, 6 * hours, 12 * hours],
      ...[1 * days, 2 * days, 3 * days, 4 * days, 5 * days, 6 * days],
      ...[7 * days, 14 * days, 21 * days, 30 * days, 60 * days, 90 * days],
    ];
    for (const [number, lifetime] of lifetimes.entries()) {
      const { push } = await api.create({ expire_after_duration: String(number) });
      expect(ms(push.expires_at) - ms(push.created_at), String(number)).to.equal(lifetime);
    }
    for (const wrong of [-1, 18, 1.5, 'week', true, []]) {
      const answer = await api.post('/p.json', { password: { payload: 'x', expire_after_duration: wrong } });
      expectError(answer, 422, 'expire_after_duration must be between 0 and 17');
    }
    const both = { payload: 'x', expire_after_days: 1, expire_after_duration: 0 };
    expect((await api.post('/p.json', { password: both })).status).to.equal(422);
  });

  it('takes the kind “password”, which public clients send, as text', async () => {
    const { push, json } = await api.create({ kind: 'password' });
    expect(push.kind).to.equal('text');
    expect((await api.get(json)).body).to.include({ kind: 'text', payload: 'tulip' });
  });

  it('accepts minutes instead of days, at least five', async () => {
    const { push } = await api.create({ expire_after_minutes: '5' });
    expect(ms(push.expires_at) - ms(push.created_at)).to.equal(5 * minuteMs);
    expect(push).to.include({ expire_after_days: 1, days_remaining: 1 });
  });

  it('ignores unknown keys, and keys that only the server sets', async () => {
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
    expect(push).to.have.all.keys(passwordPusherFields.concat(documentedFields));
    expect(push).to.include({ expired: false, expired_on: null, deleted: false, views_remaining: 5 });
    expect(ms(push.expires_at) - ms(push.created_at)).to.equal(7 * dayMs);
  });

  it('ignores the internal names of fields', async () => {
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

  it('stores the note of an account, and drops the note of an anonymous creator', async () => {
    expect((await api.create({ note: 'mine' }, ann)).push.note).to.equal('mine');
    expect((await api.create({ note: 'nobody’s' })).push.note).to.equal(null);
  });

  it('returns the name to its creator, with or without an account', async () => {
    expect((await api.create({ name: 'mine' }, ann)).push.name).to.equal('mine');
    expect((await api.create({ name: 'nobody’s' })).push.name).to.equal('nobody’s');
  });

  it('stores the notice preferences of an account, from JSON and from forms, but none of an anonymous creator', async () => {
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

  it('says that parameters in the address belong in the body, without repeating them', async () => {
    const query = '?password%5Bpayload%5D=tulip&password[expire_after_days]=1';
    const answer = await api.send('POST', `/p.json${query}`, { headers: asForm });
    expectError(answer, 400, 'param is missing or the value is empty or invalid: password');
    expect(answer.body.message).to.match(/^The parameters are in the address\. Send them in the body/);
    expect(answer.text).to.not.include('tulip');
    expect((await api.post('/p.json', {})).body).to.not.have.property('message');
  });

  it('says how to send UTF-8 from Windows PowerShell, which sends another encoding', async () => {
    const body = Buffer.from('{"password":{"payload":"Schlüssel"}}', 'latin1');
    const answer = await api.send('POST', '/p.json', { headers: asJson, body });
    expectError(answer, 400, 'The body is not valid UTF-8.');
    expect(answer.body.message).to.match(/^Send the body in UTF-8\. Windows PowerShell 5\.1 needs/);
  });

  it('treats a blank name, note or passphrase as none', async () => {
    const { push, json } = await api.create({ name: ' ', note: '', passphrase: ' \t' }, ann);
    expect(push).to.include({ name: null, note: null, passphrase: null });
    expect((await api.get(json)).body.payload).to.equal('tulip');
  });

  for (const kind of ['url', 'qr', 'text'] as const) {
    it(`creates pushes of kind ${kind}`, async () => {
      const payload = 'https://example.com/a?b=c#d';
      const { push, json } = await api.create({ kind, payload });
      expect(push.kind).to.equal(kind);
      expect((await api.get(json)).body).to.include({ kind, payload });
    });
  }

  it('requires credentials for files', async () => {
    for (const body of [{ kind: 'file' }, { payload: 'x', files: ['x'] }]) {
      const answer = await api.post('/p.json', { password: body });
      expect(answer.status).to.equal(401);
      expect(answer.body.error).to.be.a('string');
    }
  });

  it('requires credentials for a form that has only files', async () => {
    const file = multipart({ 'password[files][]"; filename="a.txt': 'bytes' });
    expect((await api.send('POST', '/p.json', { headers: asMultipart, body: file })).status).to.equal(401);
    const known = await api.send('POST', '/p.json', { headers: { ...asMultipart, ...ann }, body: file });
    expectError(known, 403, 'File attachments require a subscription.');
  });

  it('accepts no file from an account that is not subscribed', async () => {
    const form = multipart({ 'password[payload]': 'x', 'password[files][]"; filename="a.txt': 'bytes' });
    const answers = [
      await api.send('POST', '/p.json', { headers: { ...asMultipart, ...ann }, body: form }),
      await api.post('/p.json', { password: { kind: 'file', payload: 'x' } }, ann),
      await api.post('/f.json', { file_push: { payload: 'x' } }, ann),
    ];
    for (const answer of answers) expectError(answer, 403, 'File attachments require a subscription.');
  });
});
