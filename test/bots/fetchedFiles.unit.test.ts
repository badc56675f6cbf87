import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { fetchFiles } from '../../src/bots/discord/attachments.ts';
import { fetchSlackFiles } from '../../src/bots/slack/files.ts';
import { createWebClient } from '../../src/bots/slack/restClient.ts';
import type { ChatCaller, IncomingFile } from '../../src/domain/index.ts';

const reader: ChatCaller = {
  chatUser: { platform: 'slack', address: 'T1:U1' },
  workspace: 'T1',
  idempotencyKey: null,
};
const { signal } = new AbortController();

describe('A file that somebody pushes in a chat', () => {
  let server: Server;
  let url: string;
  /** Where requests arrived, and with which token. */
  let asked: string[];
  /** The address that Slack says a file has. */
  let slackAddress: string;

  before(async () => {
    server = createServer((req, res) => {
      asked.push(`${req.url} ${req.headers.authorization ?? 'without a token'}`);
      if (req.url === '/redirect') return res.writeHead(302, { location: '/elsewhere' }).end('tulip');
      if (req.url === '/refused') return res.writeHead(403).end('tulip');
      if (req.url !== '/files.info') return res.end('tulip');
      const file = { id: 'F1', name: 'a.txt', mimetype: 'text/plain', url_private_download: slackAddress };
      res.setHeader('content-type', 'application/json').end(JSON.stringify({ ok: true, file }));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  beforeEach(() => {
    asked = [];
  });

  after(() => server.close());

  async function contents(files: AsyncIterable<IncomingFile>): Promise<string[]> {
    const found: string[] = [];
    for await (const { stream } of files) found.push((await buffer(stream)).toString());
    return found;
  }

  const outcome = (files: AsyncIterable<IncomingFile>) => contents(files).catch(() => 'refused');

  const ofDiscord = (path: string) =>
    fetchFiles([{ id: '1', filename: 'a.txt', contentType: '', url: url + path }], signal);

  function ofSlack(address: string) {
    slackAddress = address;
    const client = createWebClient({ SLACK_API_URL: `${url}/` }, 'xoxb-1');
    return fetchSlackFiles(client, ['F1'], { reader, signal });
  }

  it('is fetched from Discord without a token, and never from where it redirects', async () => {
    expect(await outcome(ofDiscord('/file'))).to.eql(['tulip']);
    expect(asked).to.eql(['/file without a token']);
    for (const path of ['/redirect', '/refused']) expect(await outcome(ofDiscord(path))).to.equal('refused');
    expect(asked.join()).to.not.include('/elsewhere');
  });

  it('is fetched from Slack with its token, and never from where it redirects', async () => {
    expect(await outcome(ofSlack(`${url}/file`))).to.eql(['tulip']);
    expect(asked).to.include('/file Bearer xoxb-1');
    for (const path of ['/redirect', '/refused'])
      expect(await outcome(ofSlack(url + path))).to.equal('refused');
    expect(asked.join()).to.not.include('/elsewhere');
  });

  it('is not fetched where Slack lists it on another host, which would get the token', async () => {
    const other = url.replace('127.0.0.1', 'localhost');
    for (const address of [`${other}/file`, `${url.replace('127.0.0.1', 'evil-127.0.0.1')}/file`, 'x'])
      expect(await outcome(ofSlack(address)), address).to.equal('refused');
    expect(asked.filter((each) => each.startsWith('/file '))).to.eql([]);
  });
});
