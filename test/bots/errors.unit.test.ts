import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { expect } from 'chai';
import { DiscordAPIError, HTTPError } from 'discord.js';
import { explainDiscordError } from '../../src/bots/discord/errors.ts';
import { toLoggable } from '../../src/bots/failure.ts';
import { explainSlackError } from '../../src/bots/slack/errors.ts';
import { createWebClient } from '../../src/bots/slack/restClient.ts';

const link = 'https://push.test/p/0123456789abcdefghjkmnpqrs';

describe('An error of a chat that is logged', () => {
  it('has neither what was sent to Discord nor where, since that has links and tokens', () => {
    const url = 'https://discord.com/api/v10/webhooks/1/interaction-token/messages/@original';
    const body = { files: undefined, json: { content: link } };
    const said = { code: 50_007, message: `Cannot send ${link}` };
    for (const error of [
      new DiscordAPIError(said, said.code, 400, 'PATCH', url, body),
      new HTTPError(502, link, 'PATCH', url, body),
    ]) {
      expect(inspect(error, { depth: 9 })).to.include(link); // or this would show nothing
      expect(inspect(toLoggable(error, 'Discord', explainDiscordError), { depth: 9 })).to.not.match(
        /0123456789|interaction-token/,
      );
    }
  });

  it('has neither what was sent to Slack nor what it said of it', async () => {
    const answer = { ok: false, error: 'channel_not_found', response_metadata: { messages: [link] } };
    const server = createServer((_req, res) => {
      res.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const slack = createWebClient({ SLACK_API_URL: `http://127.0.0.1:${port}/` }, 'xoxb-secret');
    const refused = await slack.chat.postMessage({ channel: 'C1', text: link }).catch((error) => error);
    server.close();
    expect(inspect(refused, { depth: 9 })).to.include(link);
    expect(inspect(toLoggable(refused, 'Slack', explainSlackError), { depth: 9 }))
      .to.include('channel_not_found')
      .and.not.include(link);
  });
});
