import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

/** An event that came, signed as it has to be. `at` is when, on the clock of `performance`. */
export type ReceivedEvent = { id: string; type: string; push: string; at: number };

export type WebhookEndpoint = Awaited<ReturnType<WebhookReceiver['open']>>;
export type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>;

/** The far side of webhooks, for any number of them: each has a path of its own, an ear. */
export async function startWebhookReceiver() {
  const endpoints = new Map<string, (req: IncomingMessage) => Promise<number>>();
  let opened = 0;
  const server = createServer(async (req, res) => {
    const status = await (endpoints.get(req.url ?? '')?.(req) ?? 404);
    res.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  /** An ear that remembers what comes, in its order. `register` makes it a webhook and gives its secret. */
  async function open(register: (url: string) => Promise<string>) {
    const path = `/${++opened}`;
    const endpoint = {
      received: [] as ReceivedEvent[],
      refused: 0,
      /** How it answers from now on: with a status, once that is there. */
      respond: async (_event: ReceivedEvent): Promise<number> => 204,
    };
    const verifier = new Webhook(await register(`http://127.0.0.1:${port}${path}`));
    endpoints.set(path, async (req) => {
      const at = performance.now();
      const body = await text(req);
      try {
        const { type, data } = verifier.verify(body, req.headers as Record<string, string>) as Body;
        const event = { id: String(req.headers['webhook-id']), type, push: data.url_token_sha256, at };
        endpoint.received.push(event);
        return endpoint.respond(event);
      } catch {
        endpoint.refused += 1;
        return 400;
      }
    });
    return endpoint;
  }

  async function close(): Promise<void> {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }

  return { open, close };
}

type Body = { type: string; data: { url_token_sha256: string } };
