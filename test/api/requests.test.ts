import { expect } from 'chai';
import type { Account, ChatUser } from '../../src/domain/index.ts';
import { bearer, type Client, createClient, type Fields } from '../harness/api.ts';
import { askFor, connectChat, deliverNotices, newChatUser, summarize } from '../harness/chat.ts';
import { isoTime } from '../harness/openApi.ts';
import { createAccount, startService, type TestService } from '../harness/service.ts';

const path = '/api/v1/requests.json';
const unknownId = '0'.repeat(32);

describe('The API of requests', () => {
  let service: TestService;
  let api: Client;
  let ann: { account: Account; headers: { authorization: string }; user: ChatUser };
  let ben: ChatUser;

  before(async () => {
    service = await startService();
    api = createClient(service.port);
  });

  after(async () => {
    api.close();
    await service.stop();
  });

  beforeEach(async () => {
    const { account, token } = await createAccount(service.domain);
    ann = { account, headers: bearer(token), user: newChatUser('T1') };
    ben = newChatUser('T1');
    await connectChat(service.domain, ann.user, { account });
    await deliverNotices(service.domain);
  });

  const nameOf = ({ platform, address }: ChatUser) => `${platform}:${address}`;
  const ask = (request: Fields, headers = ann.headers) => api.post(path, { request }, headers);
  const cancel = (id: unknown, headers = ann.headers) => api.send('DELETE', `${path}?id=${id}`, { headers });
  const list = async () => (await api.get(path, ann.headers)).body as { received: Fields[]; sent: Fields[] };

  it('asks somebody in a chat for a secret, as the user whom the account is connected to', async () => {
    const { status, body } = await ask({ from: nameOf(ben), reason: ' the VPN ' });
    expect(status).to.equal(201);
    const { requests, ...request } = body;
    expect(requests).to.deep.equal([request]);
    const { id, created_at, expires_at, ...rest } = request;
    expect(rest).to.deep.equal({
      group_id: id,
      requester: nameOf(ann.user),
      provider: nameOf(ben),
      reason: 'the VPN',
      state: 'open',
    });
    expect(id).to.match(/^[0-9a-f]{32}$/);
    for (const time of [created_at, expires_at]) expect(time).to.match(isoTime);
    expect(summarize(await deliverNotices(service.domain, [ann.user, ben]))).to.deep.equal([
      `${ben.address} requested`,
    ]);
    await service.domain.chat.requests.decline(String(id), ben);
    expect(summarize(await deliverNotices(service.domain, [ann.user]))).to.deep.equal([
      `${ann.user.address} declined`,
    ]);
    expect((await list()).sent).to.deep.equal([{ ...request, state: 'declined', other_name: null }]);
  });

  it('asks several people at once, until a due time', async () => {
    const carol = newChatUser('T1');
    const from = [ben, carol, ben].map(nameOf);
    const { status, body } = await ask({ from, reason: 'the VPN', due_in_minutes: 90 });
    expect(status).to.equal(201);
    const requests = body.requests as Fields[];
    expect(requests.map(({ provider, group_id }) => [provider, group_id])).to.deep.equal([
      [nameOf(ben), body.id],
      [nameOf(carol), body.id],
    ]);
    for (const { created_at, expires_at } of requests)
      expect(Date.parse(String(expires_at)) - Date.parse(String(created_at))).to.equal(90 * 60_000);
    expect(summarize(await deliverNotices(service.domain, [ann.user, ben, carol]))).to.have.members([
      `${ben.address} requested`,
      `${carol.address} requested`,
    ]);
    await cancel(requests[1]?.id);
    expect((await list()).sent.map(({ state }) => state)).to.have.members(['open', 'cancelled']);
  });

  it('takes a form, and two weeks where nothing is said about the due time', async () => {
    const form = new URLSearchParams({ 'request[from]': nameOf(ben), 'request[due_in_minutes]': '' });
    const headers = { ...ann.headers, 'content-type': 'application/x-www-form-urlencoded' };
    const { status, body } = await api.send('POST', path, { headers, body: String(form) });
    expect(status).to.equal(201);
    const { created_at, expires_at } = body;
    expect(Date.parse(String(expires_at)) - Date.parse(String(created_at))).to.equal(14 * 86_400_000);
  });

  it('lists what the account was asked for, and cancels what it asked for', async () => {
    const { id } = await askFor(service.domain, ben, ann.user);
    expect((await list()).received.map((request) => request.id)).to.deep.equal([id]);
    expect((await cancel(id)).status).to.equal(404); // it is Ben’s
    const { body } = await ask({ from: nameOf(ben) });
    const cancelled = await cancel(body.id);
    expect(cancelled.status).to.equal(200);
    const { requests: _, ...request } = body;
    expect(cancelled.body).to.deep.equal({ ...request, state: 'cancelled' });
    for (const ended of [body.id, unknownId, 'x']) expect((await cancel(ended)).status).to.equal(404);
    expect((await list()).sent.map(({ state }) => state)).to.deep.equal(['cancelled']);
  });

  it('asks only in a workspace that the account is connected to', async () => {
    const stranger = await createAccount(service.domain);
    for (const [from, headers] of [
      [nameOf(ben), bearer(stranger.token)],
      ['slack:T2:U1', ann.headers],
      ['discord:123456789012345678', ann.headers],
    ] as const) {
      const { status, body } = await ask({ from }, headers);
      expect(status, from).to.equal(403);
      expect(body.error).to.match(/^Your account is not connected to that chat\./);
    }
    const onDiscord = { platform: 'discord', address: '223456789012345678' } as const;
    await connectChat(service.domain, onDiscord, { account: ann.account });
    const { body } = await ask({ from: 'discord:123456789012345678' });
    expect(body.requester).to.equal(nameOf(onDiscord));
    expect((await api.post(path, { request: {} })).status).to.equal(401);
  });

  it('names what is wrong with a request', async () => {
    for (const from of [
      undefined,
      7,
      'Ben',
      'slack:U1',
      'slack:T1:B1',
      'slack:T1:U1:U2',
      'discord:1',
      'x:1:2',
      [nameOf(ben), 'Carol'],
    ])
      expect((await ask({ from })).body.fields, String(from)).to.deep.equal({
        from: ['must be slack:TEAM:USER or discord:USER or mattermost:USER, with the ids of the chat'],
      });
    const problemsOf = async (from: unknown[]) => (await ask({ from })).body.fields;
    expect((await ask({ from: nameOf(ann.user) })).body.fields).to.deep.equal({ from: ['is you'] });
    expect(await problemsOf([nameOf(ben), nameOf(ann.user)])).to.deep.equal({ from: ['is you'] });
    expect(await problemsOf([])).to.deep.equal({ from: ['must not be blank'] });
    expect(await problemsOf([nameOf(ben), 'slack:T2:U1'])).to.deep.equal({
      from: ['must all be in one workspace, or all in Discord'],
    });
    const many = Array.from({ length: 26 }, () => nameOf(newChatUser('T1')));
    expect(await problemsOf(many)).to.deep.equal({ from: ['must be at most 25'] });
    for (const due_in_minutes of [9, 20_161, 1.5, 'soon'])
      expect((await ask({ from: nameOf(ben), due_in_minutes })).body.fields).to.deep.equal({
        due_in_minutes: ['must be between 10 and 20160'],
      });
    const tooLong = await ask({ from: nameOf(ben), reason: 'x'.repeat(501) });
    expect(tooLong.status).to.equal(422);
    expect(tooLong.body.fields).to.have.all.keys('reason');
    expect((await api.post(path, { from: nameOf(ben) }, ann.headers)).status).to.equal(400);
    expect((await list()).sent).to.deep.equal([]);
  });

  it('counts against the limit of the commands of its chat user', async () => {
    const limited = await startService({ ...service.shared, RATE_LIMITS: 'on', LIMIT_COMMANDS: '1/1h' });
    const client = createClient(limited.port);
    const request = { from: nameOf(ben) };
    const statuses = [];
    for (let tries = 0; tries < 2; tries++)
      statuses.push((await client.post(path, { request }, ann.headers)).status);
    client.close();
    await limited.stop();
    expect(statuses).to.deep.equal([201, 429]);
  });
});
