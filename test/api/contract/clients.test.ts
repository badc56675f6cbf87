import { expect } from 'chai';
import {
  type ApiResponse,
  asForm,
  asJson,
  asMultipart,
  bearer,
  multipart,
  sendRaw,
} from '../../harness/api.ts';
import { createAccount } from '../../harness/service.ts';
import { ann, api, listOf, service, useApi } from './api.ts';

describe('The JSON API', () => {
  useApi();

  const payload = 'a+b c&d=e%41 ü😀"';
  const encoded = encodeURIComponent(payload);

  async function expectPayload({ status, body }: ApiResponse): Promise<void> {
    expect(status).to.equal(201);
    expect((await api.get(`/p/${body.url_token}.json`)).body.payload).to.equal(payload);
  }

  it('accepts a form without Content-Type, User-Agent and Accept (Rust CLI, whittj)', async () => {
    for (const name of ['password[payload]', 'password%5Bpayload%5D']) {
      const body = `${name}=${encoded}&password[expire_after_views]=2`;
      const head = `Host: x\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}`;
      await expectPayload(await sendRaw(service.port, `POST /p.json HTTP/1.1\r\n${head}\r\n\r\n${body}`));
    }
  });

  it('accepts a form with every option as browsers encode it (extensions, PHP)', async () => {
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

  it('accepts parts with a Content-Type as text (PassPushPosh)', async () => {
    const values = { 'password[payload]': payload, 'password[expire_after_views]': '3' };
    for (const type of ['text/plain; charset=utf-8', 'text/plain']) {
      const body = multipart(values, `Content-Type: ${type}\r\n`);
      const answer = await api.send('POST', '/p.json', { headers: asMultipart, body });
      await expectPayload(answer);
      expect(answer.body).to.include({ kind: 'text', views_total: 3 });
    }
  });

  it('ignores an unexpected Content-Type and body (PassPushPosh)', async () => {
    for (const body of [undefined, '', 'null']) {
      const { json } = await api.create();
      expect((await api.send('GET', json, { headers: asJson, body })).body.payload).to.equal('tulip');
      expect((await api.send('DELETE', json, { headers: asJson, body })).body.deleted).to.equal(true);
    }
  });

  it('accepts multipart bodies with X-User-Email and X-User-Token (Terraform)', async () => {
    const { account, token } = await createAccount(service.domain, 'terraform@example.com');
    const answer = await api.send('POST', '/p.json', {
      headers: { ...asMultipart, 'x-user-email': account.email, 'x-user-token': token },
      body: multipart({ 'password[payload]': payload, 'password[note]': 'mine' }),
    });
    await expectPayload(answer);
    expect(answer.body).to.include({ note: 'mine' });
    expect(answer.body.html_url).to.be.a('string');
  });

  it('supports a whole session with a bearer token and X-User headers together (pwpush-cli)', async () => {
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

  it('refuses a file of the official client with JSON, regardless of the headers of its parts (pwpush-cli push-file)', async () => {
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

  it('accepts JSON with a charset, and under vendor types', async () => {
    for (const type of ['application/json; charset=UTF-8', 'application/vnd.api+json', 'Application/JSON']) {
      const answer = await api.post('/p.json', { password: { payload } }, { 'content-type': type });
      await expectPayload(answer);
    }
  });
});
