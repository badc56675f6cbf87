import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { urlTokenDigest } from '../../src/crypto/pepper.ts';
import { type Client, createClient, sendRaw, times } from '../harness/api.ts';
import { startService, type TestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';

const readers = 40;

describe('A retrieval whose client hangs up', () => {
  let service: TestService;
  let client: Client;
  /** The server's ends of the connections of a test. */
  const accepted = new Set<Socket>();
  const onAccepted = (message: unknown) => accepted.add((message as { socket: Socket }).socket);

  before(async () => {
    service = await startService();
    client = createClient(service.port);
    subscribe('net.server.socket', onAccepted);
  });

  after(async () => {
    unsubscribe('net.server.socket', onAccepted);
    client.close();
    await service.stop();
  });

  const requestFor = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: push.test\r\n${more}\r\n`;

  /** Sends a request, and keeps what arrives. */
  async function read(path: string) {
    const socket = connect(service.port, '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    let received = '';
    socket.on('data', (bytes) => {
      received += bytes;
    });
    socket.write(requestFor(path));
    return { socket, received: () => received };
  }

  const viewsOf = async (token: string) => {
    const digest = urlTokenDigest(service.keyring, token);
    const [row] = await service.database.select<{ views: number }>(
      'SELECT views_used AS views FROM pushes WHERE token_digest = $digest',
      { digest },
    );
    return Number(row?.views);
  };

  /** How many retrievals have ended, whoever heard of it. */
  const ended = () => service.logged().match(/"route":"[^"]*token[^"]*"[^\n]*"request"/g)?.length ?? 0;

  /** Holds a push until the function that it returns is called. */
  async function hold(token: string): Promise<() => Promise<void>> {
    const digest = urlTokenDigest(service.keyring, token);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isHeld = false;
    const holding = service.database.transaction(async (tx) => {
      await tx.execute('UPDATE pushes SET updated_at = updated_at WHERE token_digest = $digest', { digest });
      isHeld = true;
      await released;
    });
    await until(() => isHeld);
    return async () => {
      release();
      await holding;
    };
  }

  it('uses no view if it waited for the database meanwhile', async () => {
    const { token, json } = await client.create({ expire_after_views: 60 });
    const before = ended();
    const release = await hold(token);
    accepted.clear();
    const opened = await times(readers, () => read(json));
    await sleep(300);
    for (const { socket } of opened) socket.destroy();
    await until(() => [...accepted].filter(({ destroyed }) => destroyed).length === readers);
    await release();
    await until(() => ended() === before + readers);
    expect(await viewsOf(token)).to.equal(0);
    expect((await client.get(json)).body.payload).to.equal('tulip');
  });

  it('uses no view if it hangs up at once, unless the view was being written', async () => {
    const { token, json } = await client.create({ expire_after_views: 60 });
    const before = ended();
    const opened = await times(readers, async () => {
      const reader = await read(json);
      await sleep(2);
      reader.socket.destroy();
      return reader;
    });
    await until(() => ended() === before + readers);
    const delivered = opened.filter(({ received }) => received().includes('tulip')).length;
    const views = await viewsOf(token);
    expect(views).to.be.at.most(delivered + 2);
  });

  it('uses no view if it only closes its own direction, as it gets no response', async () => {
    const { token, json } = await client.create({ expire_after_views: 60 });
    const before = ended();
    const release = await hold(token);
    const responding = sendRaw(service.port, requestFor(json), { closesAfterSending: true });
    await sleep(300);
    await release();
    expect((await responding).status).to.equal(0);
    await until(() => ended() === before + 1);
    expect(await viewsOf(token)).to.equal(0);
  });

  it('uses views for all requests of a connection that stays', async () => {
    const { token, json } = await client.create({ expire_after_views: 60 });
    const requests = requestFor(json) + requestFor(json, 'Connection: close\r\n');
    const { text } = await sendRaw(service.port, requests);
    expect(text.match(/"payload":"tulip"/g)).to.have.length(2);
    expect(await viewsOf(token)).to.equal(2);
  });

  it('uses no view for the requests of a connection that is gone', async () => {
    const { token, json } = await client.create({ expire_after_views: 60 });
    const before = ended();
    const release = await hold(token);
    accepted.clear();
    const { socket } = await read(json);
    socket.write(requestFor(json));
    await sleep(300);
    socket.destroy();
    await until(() => [...accepted].every(({ destroyed }) => destroyed));
    await release();
    await until(() => ended() === before + 2);
    expect(await viewsOf(token)).to.equal(0);
  });
});
