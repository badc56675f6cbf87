import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A connection through the proxy: from the client, and on to the target. */
export type ProxiedPair = { client: Socket; target: Socket };

export type ProxyOptions = {
  target?: { host: string; port: number } | undefined;
  isOpen?: boolean;
  /** Called for each connection before it forwards anything. */
  onPair?: (pair: ProxiedPair) => void;
};

export type TcpProxy = Awaited<ReturnType<typeof startProxy>>;

/** A TCP proxy on a free loopback port whose connections can be cut, refused and silenced. */
export async function startProxy({ target, isOpen = true, onPair }: ProxyOptions = {}) {
  const pairs = new Set<ProxiedPair>();
  let isSilent = false;

  const server = createServer((client) => {
    client.on('error', () => {});
    if (!isOpen || target === undefined) {
      client.destroy();
      return;
    }
    const pair = { client, target: connect(target.port, target.host) };
    pairs.add(pair);
    for (const [from, to] of [
      [pair.client, pair.target],
      [pair.target, pair.client],
    ] as const) {
      from.setNoDelay(true);
      from.on('error', () => {}).on('close', () => to.destroy() && pairs.delete(pair));
      from.pipe(to);
      if (isSilent) from.pause();
    }
    onPair?.(pair);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  /** Resets all connections, as a dying peer does. */
  function cut(): void {
    for (const { client, target } of pairs) {
      client.resetAndDestroy();
      target.destroy();
    }
  }

  return {
    port: (server.address() as AddressInfo).port,
    /** Forwards new connections to another address. */
    retarget(next: { host: string; port: number }) {
      target = next;
    },
    open() {
      isOpen = true;
    },
    /** Cuts all connections, and refuses new ones. */
    shut() {
      isOpen = false;
      cut();
    },
    cut,
    /** Holds back what either side sends, without closing anything: the connections are half-open. */
    silence() {
      isSilent = true;
      for (const { client, target } of pairs) for (const socket of [client, target]) socket.pause();
    },
    /** Forwards again, and first what was held back. */
    resume() {
      isSilent = false;
      for (const { client, target } of pairs) for (const socket of [client, target]) socket.resume();
    },
    async close() {
      server.close();
      cut();
      await once(server, 'close');
    },
  };
}

/** A database's address, through a proxy. */
export function proxiedUrl(url: string, { port }: { port: number }): string {
  const proxied = new URL(url);
  proxied.port = String(port);
  return proxied.href;
}
