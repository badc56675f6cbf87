import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createSlackPeople } from '../../../src/bots/slack/people.ts';
import { createWebClient } from '../../../src/bots/slack/restClient.ts';

describe('A name that somebody types in Slack', () => {
  it('means the one member who has it: nobody where there are several, have left, or are bots', async () => {
    const members = [
      { id: 'U1', name: 'ann', profile: { display_name: 'Ann' } },
      { id: 'U2', name: 'ben', profile: { display_name: 'Lee' } },
      { id: 'U3', name: 'eva', profile: { display_name: 'lee' } },
      { id: 'U4', name: 'leon', deleted: true },
      { id: 'U5', name: 'robot', is_bot: true },
    ];
    const server = createServer((_req, res) => {
      res.setHeader('content-type', 'application/json').end(JSON.stringify({ ok: true, members }));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const client = createWebClient({ SLACK_API_URL: apiUrl }, 'xoxb-1');
    const names = ['ANN', 'Lee', 'leon', 'robot', 'nobody'];
    const chatUser = { platform: 'slack' as const, address: 'T1:U9' };
    const people = createSlackPeople({ maybeClient: async () => client });
    const found = await people
      .find(client, { chatUser, workspace: 'T1', idempotencyKey: null }, names)
      .finally(() => server.close());
    expect(found).to.eql(['T1:U1', undefined, undefined, undefined, undefined]);
  });
});
