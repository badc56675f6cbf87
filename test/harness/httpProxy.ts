import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export type HttpProxy = Awaited<ReturnType<typeof startHttpProxy>>;

/**
 * A proxy as companies have one: CONNECT opens a tunnel, and what is not encrypted is forwarded. Whatever host it is asked
 * for, it goes to this machine, so that a name proves that nobody else resolved it. It may want credentials, as `name:password`.
 */
export async function startHttpProxy({ credentials }: { credentials?: string } = {}) {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const wanted = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
  const isRefused = (headers: { 'proxy-authorization'?: string | undefined }) =>
    wanted !== undefined && headers['proxy-authorization'] !== wanted;

  const server = createServer((req, res) => {
    asked.push(`${req.method} ${req.url}`);
    if (isRefused(req.headers)) return res.writeHead(407).end();
    const { port, pathname, search } = new URL(req.url ?? '');
    const { 'proxy-authorization': _, ...headers } = req.headers;
    const onward = { host: '127.0.0.1', port, path: pathname + search, method: req.method, headers };
    return req.pipe(
      request(onward, (from) => {
        res.writeHead(from.statusCode ?? 502, from.headers);
        from.pipe(res);
      }),
    );
  });
  server.on('connect', (req, client: Socket) => {
    asked.push(`CONNECT ${req.url}`);
    client.on('error', () => {});
    if (isRefused(req.headers)) return client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const target = connect(Number(req.url?.split(':').pop()), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(target).pipe(client);
    });
    target.on('error', () => client.destroy());
    return sockets.add(client).add(target);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    /** What it was asked for, such as `CONNECT push.test:443`. */
    asked,
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
