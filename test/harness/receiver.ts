import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

/**
 * An event with a valid signature. `push` is the SHA-256 of its url token, and `at` is when it came, by
 * `performance.now()`.
 */
export type ReceivedEvent = {
  id: string;
  type: string;
  push: string;
  viewsUsed: number;
  times: number;
  data: object;
  at: number;
};

export type WebhookEndpoint = Awaited<ReturnType<WebhookReceiver['open']>>;
export type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>;

/** Receives webhooks. Each endpoint has its own path. */
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

  /** Opens an endpoint that records its events in order. `register` creates the webhook and returns its secret. */
  async function open(register: (url: string) => Promise<string>) {
    const path = `/${++opened}`;
    const endpoint = {
      received: [] as ReceivedEvent[],
      refused: 0,
      /** Returns the status to respond with. Tests replace it. */
      respond: async (_event: ReceivedEvent): Promise<number> => 204,
    };
    const verifier = new Webhook(await register(`http://127.0.0.1:${port}${path}`));
    endpoints.set(path, async (req) => {
      const at = performance.now();
      const body = await text(req);
      try {
        const { type, data } = verifier.verify(body, req.headers as Record<string, string>) as Body;
        const { url_token_sha256: push, views_used: viewsUsed, times } = data;
        const event = { id: String(req.headers['webhook-id']), type, push, viewsUsed, times, data, at };
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

type Body = { type: string; data: { url_token_sha256: string; views_used: number; times: number } };
