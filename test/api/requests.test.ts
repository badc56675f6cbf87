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
    const { id, created_at, expires_at, ...rest } = body;
    expect(rest).to.deep.equal({
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
    expect((await list()).sent).to.deep.equal([{ ...body, state: 'declined', other_name: null }]);
  });

  it('lists what the account was asked for, and cancels what it asked for', async () => {
    const { id } = await askFor(service.domain, ben, ann.user);
    expect((await list()).received.map((request) => request.id)).to.deep.equal([id]);
    expect((await cancel(id)).status).to.equal(404); // it is Ben’s
    const { body } = await ask({ from: nameOf(ben) });
    const cancelled = await cancel(body.id);
    expect(cancelled.status).to.equal(200);
    expect(cancelled.body).to.deep.equal({ ...body, state: 'cancelled' });
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
    ])
      expect((await ask({ from })).body.fields, String(from)).to.deep.equal({
        from: ['must be slack:TEAM:USER or discord:USER, with the ids of the chat'],
      });
    expect((await ask({ from: nameOf(ann.user) })).body.fields).to.deep.equal({ from: ['is you'] });
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
