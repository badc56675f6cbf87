import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What is sent as JSON, or what handles the request. */
export type Answer = object | ((request: IncomingMessage, response: ServerResponse) => void);

export type HostileServer = Awaited<ReturnType<typeof startHostileServer>>;

/** A server in somebody else's hands: it answers whatever a test says, and remembers what it was asked. */
export async function startHostileServer() {
  const requests: { method: string; path: string; authorization: string | undefined; body: string }[] = [];
  let answers: Record<string, Answer> = {};

  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    requests.push({ method, path, authorization: headers.authorization, body: await text(request) });
    const answer = answers[`${method} ${path}`] ?? answers[path];
    if (typeof answer === 'function') return answer(request, response);
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { error: 'not-found' }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    requests,
    /** Answers requests, named like `GET /p/x.json` or by their path, in this way from now on, and forgets what was before. */
    answerWith(given: Record<string, Answer>): void {
      answers = given;
      requests.length = 0;
    },
    /** A push as an honest server answers, with what is forged. */
    push: (forged: object = {}) => ({
      url_token: 'token',
      html_url: `${url}/p/token`,
      json_url: `${url}/p/token.json`,
      expires_at: '2036-01-01T00:00:00.000Z',
      views_remaining: 1,
      views_total: 2,
      expired: false,
      passphrase: null,
      kind: 'text',
      files: [],
      ...forged,
    }),
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
