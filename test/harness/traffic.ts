import { type ApiResponse, type Client, createClient } from './api.ts';

type Headers = Record<string, string>;

/** A push that is not used up yet, and how often its payload was delivered. */
type OpenPush = { path: string; views: number; delivered: number };

export type TrafficResult = {
  pushes: number;
  requests: number;
  /** Payloads that were delivered, and those that should have been but were not. */
  delivered: number;
  lost: number;
  /** Deliveries beyond the number of views. */
  over: number;
  /** Every response of 500 or above, as `METHOD path status`. */
  failures: string[];
};

const payload = 'tulip';

/**
 * Creates pushes with one to three views, retrieves them to the end, and lists them, until it is stopped. Requests go to any of
 * the ports that `ports` returns at that moment, as through a load balancer; a connection that is refused goes to another. Each
 * has a connection of its own: one that waits may be closed by the server just when it is used again.
 */
export function startTraffic(ports: () => number[], auth: Headers, { workers = 4 } = {}) {
  const clients = new Map<number, Client>();
  const busy = new Map<number, number>();
  const open: OpenPush[] = [];
  const result: TrafficResult = { pushes: 0, requests: 0, delivered: 0, lost: 0, over: 0, failures: [] };
  let isStopping = false;

  async function send(method: string, path: string, headers: Headers, body?: object): Promise<ApiResponse> {
    for (;;) {
      const all = ports();
      const port = all[Math.floor(Math.random() * all.length)] ?? 0;
      const client = clients.get(port) ?? createClient(port, { keepAlive: false });
      clients.set(port, client);
      const sending =
        body === undefined ? client.send(method, path, { headers }) : client.post(path, body, headers);
      busy.set(port, (busy.get(port) ?? 0) + 1);
      const answer = await sending.catch((error: NodeJS.ErrnoException) => error);
      busy.set(port, (busy.get(port) ?? 0) - 1);
      if (answer instanceof Error && answer.code === 'ECONNREFUSED') continue;
      if (answer instanceof Error) throw answer;
      result.requests += 1;
      if (answer.status >= 500) result.failures.push(`${method} ${path} ${answer.status}`);
      return answer;
    }
  }

  async function create(): Promise<void> {
    const isOwned = result.pushes % 3 !== 0;
    const views = 1 + (result.pushes % 3);
    result.pushes += 1;
    const fields = { payload, expire_after_views: views, name: 'garden' };
    const { status, body } = await send('POST', '/p.json', isOwned ? auth : {}, { password: fields });
    if (status === 201) open.push({ path: `/p/${body.url_token}.json`, views, delivered: 0 });
  }

  async function retrieve(push: OpenPush): Promise<void> {
    const { body } = await send('GET', push.path, {});
    if (body.payload === payload) push.delivered += 1;
  }

  /** Retrieves a push once. One that should be used up is retrieved once more, and then dropped. */
  async function advance(): Promise<void> {
    const [push] = open.splice(Math.floor(Math.random() * open.length), 1);
    if (push === undefined) return;
    const isUsedUp = push.delivered >= push.views;
    await retrieve(push);
    if (isUsedUp) settle(push);
    else open.push(push);
  }

  function settle({ views, delivered }: OpenPush): void {
    result.delivered += delivered;
    result.lost += Math.max(0, views - delivered);
    result.over += Math.max(0, delivered - views);
  }

  async function work(): Promise<void> {
    for (let turn = 0; !isStopping; turn++) {
      if (open.length < 40) await create();
      await advance();
      if (turn % 10 === 0) await send('GET', turn % 20 === 0 ? '/p/active.json' : '/p/expired.json', auth);
    }
  }

  const working = Promise.all(Array.from({ length: workers }, work));

  return {
    result,
    /** Whether no request to a port is on its way. */
    isIdle: (port: number) => (busy.get(port) ?? 0) === 0,
    /** Stops, and retrieves what is left to the end. */
    async stop(): Promise<TrafficResult> {
      isStopping = true;
      await working;
      for (const push of open.splice(0)) {
        for (let view = 0; view <= push.views; view++) await retrieve(push);
        settle(push);
      }
      for (const client of clients.values()) client.close();
      return result;
    },
  };
}
