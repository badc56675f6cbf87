import { expect } from 'chai';
import { dayMs, minuteMs } from '../../../src/time.ts';
import { expirePushIn, times } from '../../harness/api.ts';
import {
  ann,
  api,
  bob,
  documentedFields,
  expectError,
  kindsOf,
  ms,
  passwordPusherFields,
  service,
  unknownToken,
  useApi,
} from './api.ts';

describe('GET /p/TOKEN.json', () => {
  useApi();

  it('returns the push with its payload, and counts the view', async () => {
    const { json, push } = await api.create({ expire_after_views: 3 });
    const { status, body } = await api.get(json);
    expect(status).to.equal(200);
    expect(body).to.have.all.keys([...passwordPusherFields, ...documentedFields, 'payload']);
    expect(Object.keys(body).slice(0, 12)).to.deep.equal(passwordPusherFields);
    const { updated_at, ...unchanged } = push;
    expect(body).to.deep.include({ ...unchanged, payload: 'tulip', views_remaining: 2, expired: false });
    expect(ms(body.updated_at)).to.be.at.least(ms(updated_at));
  });

  it('returns the last view like any other, and expires the push', async () => {
    const created = await api.create({ expire_after_views: 2 }, ann);
    expect((await api.get(created.json)).body).to.include({ views_remaining: 1, expired: false });
    expect((await api.get(created.json)).body).to.include({
      views_remaining: 0,
      expired: false,
      payload: 'tulip',
    });
    const { status, body } = await api.get(created.json);
    expect(status).to.equal(200);
    expect(body).to.have.all.keys([...passwordPusherFields, ...documentedFields, 'payload']);
    expect(body).to.deep.include({ payload: null, expired: true, deleted: false, views_remaining: 0 });
    expect(body).to.deep.include({ files: [], passphrase: null, days_remaining: 0 });
    expect(ms(body.expired_on)).to.be.at.least(ms(created.push.created_at));
    expect(await kindsOf(created)).to.deep.equal(['creation', 'view', 'view', 'failed_view']);
  });

  it('counts the views of the creator', async () => {
    const { json } = await api.create({ expire_after_views: 1 }, ann);
    expect((await api.get(json, ann)).body).to.include({ payload: 'tulip', views_remaining: 0 });
    expect((await api.get(json, ann)).body).to.include({ payload: null, expired: true });
  });

  it('returns a one-view secret to exactly one of forty simultaneous viewers', async () => {
    const { json } = await api.create({ expire_after_views: 1 });
    const answers = await times(40, () => api.get(json));
    expect(answers.filter(({ body }) => body.payload === 'tulip')).to.have.length(1);
    expect(answers.filter(({ body }) => body.expired === true)).to.have.length(39);
  });

  it('returns a push without its payload after its expiry', async () => {
    const created = await api.create({ passphrase: 'open sesame' }, ann);
    await expirePushIn(service, created.token, -1);
    const { status, body } = await api.get(created.json);
    expect(status).to.equal(200);
    expect(body).to.deep.include({ payload: null, expired: true, deleted: false, views_remaining: 5 });
    expect(body).to.deep.include({ files: [], passphrase: null, days_remaining: 0 });
    expect(body.expired_on).to.equal(body.expires_at);
    expect(await kindsOf(created)).to.deep.equal(['creation', 'failed_view']);
  });

  it('rounds the remaining days up', async () => {
    const { json, token } = await api.create();
    await expirePushIn(service, token, dayMs + minuteMs);
    expect((await api.get(json)).body.days_remaining).to.equal(2);
    await expirePushIn(service, token, dayMs - minuteMs);
    expect((await api.get(json)).body).to.include({ days_remaining: 1, expired: false, payload: 'tulip' });
  });

  it('responds with 404 to an unknown token, and to what is not a token', async () => {
    const { token } = await api.create();
    for (const wrong of [unknownToken, 'x', `${token}0`, token.slice(1), token.toUpperCase()]) {
      expectError(await api.get(`/p/${wrong}.json`), 404, 'not-found');
    }
  });

  it('asks for the passphrase in a body of three keys, without counting a view', async () => {
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
    expect(await kindsOf(created)).to.deep.equal(['creation', ...Array(5).fill('failed_passphrase'), 'view']);
  });

  it('says whether the passphrase was missing or wrong, and how to send it', async () => {
    const { token } = await api.create({ passphrase: 'open sesame' });
    const messageOf = async (path: string, headers = {}) => (await api.get(path, headers)).body.message;
    expect(await messageOf(`/p/${token}.json`)).to.equal(
      'This push needs a passphrase. Send it in the header X-Passphrase, or in the query parameter “passphrase”.',
    );
    const wrong = 'The passphrase that you sent is wrong. Capital letters and spaces count.';
    expect(await messageOf(`/p/${token}.json?passphrase=x`)).to.equal(wrong);
    expect(await messageOf(`/p/${token}.json`, { 'x-passphrase': 'x' })).to.equal(wrong);
    expect(await messageOf(`/de/p/${token}.json`)).to.match(/^Dieser Push braucht eine Passphrase\./);
  });

  it('accepts the passphrase in a header, which takes precedence, in UTF-8 and as scripts send it', async () => {
    const { json } = await api.create({ passphrase: 'öffne dich' });
    const utf8 = Buffer.from('öffne dich').toString('latin1');
    for (const header of [utf8, 'öffne dich']) {
      const { body } = await api.get(`${json}?passphrase=wrong`, { 'x-passphrase': header });
      expect(body.payload).to.equal('tulip');
    }
    const { json: emoji } = await api.create({ passphrase: '😀' });
    const bytes = Buffer.from('😀').toString('latin1');
    expect((await api.get(emoji, { 'x-passphrase': bytes })).body.payload).to.equal('tulip');
    expect((await api.get(json, { 'x-passphrase': '' })).status).to.equal(401);
  });

  it('accepts a passphrase of any characters, in any Unicode normalization', async () => {
    const passphrase = 'ü & +%41 "😀"';
    const { json } = await api.create({ passphrase });
    const query = encodeURIComponent(passphrase.normalize('NFD'));
    expect((await api.get(`${json}?passphrase=${query}`)).body.payload).to.equal('tulip');
  });

  it('compares all 1,024 bytes of a passphrase', async () => {
    const passphrase = 'x'.repeat(1024);
    const { json } = await api.create({ passphrase });
    expect((await api.get(`${json}?passphrase=${passphrase.slice(0, -1)}y`)).status).to.equal(401);
    expect((await api.get(`${json}?passphrase=${passphrase}`)).body.payload).to.equal('tulip');
  });

  it('ignores a passphrase that the push does not have', async () => {
    const { json } = await api.create();
    expect((await api.get(`${json}?passphrase=x`)).body.payload).to.equal('tulip');
  });

  it('and all other endpoints never return the passphrase', async () => {
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

  it('returns name and note to the creator only', async () => {
    const { json } = await api.create({ name: 'rose', note: 'thorn' }, ann);
    expect((await api.get(json, ann)).body).to.include({ name: 'rose', note: 'thorn' });
    expect((await api.get(json)).body).to.include({ name: null, note: null });
    expect((await api.get(json, bob)).body).to.include({ name: null, note: null });
  });

  it('does not return the name of a push that has no owner', async () => {
    const { json } = await api.create({ name: 'rose' });
    expect((await api.get(json)).body.name).to.equal(null);
    expect((await api.get(json, ann)).body.name).to.equal(null);
  });

  it('returns every character of a long payload, in the JSON that it would have if it were short', async () => {
    const name = 'rose","payload":"","note":"thorn';
    const inside = [
      'a',
      'ß',
      '🌷',
      '"',
      '\\',
      '\n',
      '\r\n',
      '\t',
      '\0',
      '\u001f',
      '\u007f',
      '\u2028',
      '\ufeff',
    ];
    const { headers: usual } = await api.get((await api.create({}, ann)).json, ann);
    for (const character of inside) {
      const payload = `${'A'.repeat(40_000)}${character}Z`;
      const { json } = await api.create({ payload, name }, ann);
      const { status, text, bytes, headers, body } = await api.get(json, ann);
      expect(status).to.equal(200);
      expect(body.payload === payload, JSON.stringify(character)).to.equal(true);
      expect(body.name).to.equal(name);
      expect(text === JSON.stringify(body)).to.equal(true);
      expect(headers).to.have.all.keys(Object.keys(usual));
      expect(headers).to.include({
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(bytes.length),
      });
    }
  });

  it('responds with JSON regardless of Accept', async () => {
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
