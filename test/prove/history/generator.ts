import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiResponse, asMultipart, expirePushIn, type SendOptions, times } from '../../harness/api.ts';
import { downloadPath, filePart, filesOf, multipartForm } from '../../harness/files.ts';
import { someClient } from '../../harness/service.ts';
import type { Cluster, ClusterWeb } from './cluster.ts';
import { createRandom, type Random } from './random.ts';
import type { Owner } from './receivers.ts';
import type { HistoryRecord, Operation, OperationKind, RecordedPush } from './record.ts';

type Dependencies = { cluster: Cluster; owners: Owner[]; record: HistoryRecord; seed: number };

/** What happens to a push besides its readers. */
type Event = 'delete' | 'expire' | 'extend' | 'nothing';

type Plan = {
  viewsMax: number;
  readers: number;
  passphrase: string | undefined;
  hasFile: boolean;
  owner: Owner | undefined;
  event: Event;
};

const viewCounts = [1, 1, 2, 3, 5, 10];
const readersPerView = 10;
/** A passphrase check takes long, so fewer readers try one. */
const passphraseReadersMax = 6;
/** The readers of a push come at random within this time for each of them, so that they meet but do not starve. */
const spreadMsPerReader = 10;
const fileContent = Buffer.from('the content of the file');

/** Creates pushes, reads each with many readers at once on all processes, and records what they saw. */
export function createGenerator({ cluster, owners, record, seed }: Dependencies) {
  function planOf(random: Random): Plan {
    const owner = random.chance(0.5) ? random.pick(owners) : undefined;
    const viewsMax = random.pick(viewCounts);
    const passphrase = random.chance(0.15) ? 'open sesame' : undefined;
    const events: Event[] = ['delete', 'expire', 'nothing', 'nothing', owner ? 'extend' : 'nothing'];
    return {
      viewsMax,
      readers: passphrase === undefined ? readersPerView * viewsMax : passphraseReadersMax,
      passphrase,
      hasFile: random.chance(0.1),
      owner,
      event: random.pick(events),
    };
  }

  /** Runs pushes one after the other until it is stopped. Each number gives the same plan for the same seed. */
  async function work(isStopped: () => boolean): Promise<void> {
    while (!isStopped()) {
      const number = record.nextNumber();
      const random = createRandom(seed * 1_000_003 + number);
      const plan = planOf(random);
      const push = await create(number, plan, random);
      if (push === undefined) await sleep(50);
      else await use(push, plan, random);
    }
  }

  async function create(number: number, plan: Plan, random: Random): Promise<RecordedPush | undefined> {
    const { viewsMax, passphrase, hasFile, owner } = plan;
    const payload = `payload ${number}`;
    const fields = { payload, expire_after_views: viewsMax, ...(passphrase && { passphrase }) };
    const headers = owner?.headers ?? {};
    const { response } = await request('create', number, random, '/p.json', {
      method: 'POST',
      ...(hasFile ? asForm(fields, headers) : asJsonBody(fields, headers)),
    });
    if (response?.status !== 201) return undefined;
    const token = String(response.body.url_token);
    const push = { number, token, payload, viewsMax, passphrase, hasFile, isOwned: owner !== undefined };
    record.pushes.push(push);
    return push;
  }

  async function use(push: RecordedPush, { readers, owner, event }: Plan, random: Random): Promise<void> {
    const guesses = push.passphrase === undefined ? 0 : random.integer(0, 2);
    // Drawn before anything runs, so that they do not depend on the order in which responses arrive.
    const starts = Array.from({ length: readers + guesses + 1 }, () => ({
      afterMs: random.integer(0, readers * spreadMsPerReader),
      random: createRandom(random.integer(0, 2 ** 31)),
    }));
    await times(starts.length, async (index) => {
      const { afterMs, random } = starts[index] ?? { afterMs: 0, random: createRandom(0) };
      await sleep(afterMs);
      if (index < readers) await retrieve(push, random);
      else if (index < readers + guesses) await guess(push, random);
      else await act(event, push, owner, random);
    });
  }

  async function act(event: Event, push: RecordedPush, owner: Owner | undefined, random: Random) {
    if (event === 'delete') await request('delete', push.number, random, jsonOf(push), { method: 'DELETE' });
    if (event === 'expire')
      await directly('expire', push, async () => {
        await expirePushIn(cluster.store, push.token, 0);
        return {};
      });
    if (event === 'extend' && owner !== undefined)
      await directly('extend', push, async () => {
        const caller = { account: owner.account, client: someClient };
        const { expiresAt } = await cluster.domain.pushes.extend(push.token, caller);
        return { expiresAt: Number(expiresAt) };
      });
  }

  /** Returns whether there may be more to retrieve. */
  async function retrieve(push: RecordedPush, random: Random): Promise<boolean> {
    const query = push.passphrase === undefined ? '' : `?passphrase=${encodeURIComponent(push.passphrase)}`;
    const { operation, response, web } = await request(
      'retrieve',
      push.number,
      random,
      `${jsonOf(push)}${query}`,
    );
    if (response?.status !== 200) return operation.outcome === 'unknown';
    if (typeof response.body.payload !== 'string') return false;
    operation.payload = response.body.payload;
    for (const file of filesOf(response.body)) await download(push, web, downloadPath(file), random);
    return true;
  }

  async function download(push: RecordedPush, web: ClusterWeb, path: string, random: Random): Promise<void> {
    const { operation, response } = await request('download', push.number, random, path, {}, web);
    if (response?.status === 200 && !response.bytes.equals(fileContent)) operation.defect = 'another content';
  }

  async function guess(push: RecordedPush, random: Random): Promise<void> {
    const { operation, response } = await request(
      'guess',
      push.number,
      random,
      `${jsonOf(push)}?passphrase=wrong`,
    );
    if (typeof response?.body.payload === 'string') operation.defect = 'the payload for a wrong passphrase';
  }

  /** Sends a request to a random process, and records it. */
  async function request(
    kind: OperationKind,
    push: number,
    random: Random,
    path: string,
    { method = 'GET', headers = {}, body }: SendOptions & { method?: string } = {},
    web = random.pick(cluster.webs),
  ) {
    const operation = begin(kind, push, web.name);
    const response = await web.client
      .send(method, path, { body, headers: { ...headers, 'user-agent': operation.agent } })
      .catch((error: Error) => {
        operation.error = error.message;
        return undefined;
      });
    end(operation, response);
    return { operation, response, web };
  }

  /** Does something without a service process, as another process would. */
  async function directly(
    kind: OperationKind,
    push: RecordedPush,
    action: () => Promise<Pick<Operation, 'expiresAt'>>,
  ): Promise<void> {
    const operation = begin(kind, push.number, 'prove');
    try {
      Object.assign(operation, await action());
      operation.outcome = 'ok';
    } catch (error) {
      operation.error = String(error);
    }
    operation.endedAt = Date.now();
  }

  function begin(kind: OperationKind, push: number, process: string): Operation {
    const operation: Operation = {
      kind,
      push,
      agent: record.nextAgent(kind),
      process,
      startedAt: Date.now(),
      endedAt: Number.POSITIVE_INFINITY,
      outcome: 'unknown',
      status: 0,
    };
    record.operations.push(operation);
    return operation;
  }

  /** Retrieves whatever can still be retrieved. */
  async function drain(concurrency: number): Promise<void> {
    const random = createRandom(seed);
    const remaining = [...record.pushes];
    await times(concurrency, async () => {
      for (let push = remaining.pop(); push !== undefined; push = remaining.pop())
        while (await retrieve(push, random));
    });
  }

  return { work, drain };
}

function end(operation: Operation, response: ApiResponse | undefined): void {
  operation.endedAt = Date.now();
  operation.status = response?.status ?? 0;
  if (response?.status === 503 && response.headers['retry-after'] === undefined)
    operation.defect = '503 without Retry-After';
  if (response === undefined || response.status === 503) operation.outcome = 'unknown';
  else operation.outcome = response.status < 300 ? 'ok' : 'refused';
}

const jsonOf = ({ token }: RecordedPush) => `/p/${token}.json`;

function asJsonBody(fields: Record<string, unknown>, headers: object): SendOptions {
  return {
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ password: fields }),
  };
}

function asForm(fields: Record<string, unknown>, headers: object): SendOptions {
  const parts = Object.entries(fields).map(([name, value]) => ({
    name: `password[${name}]`,
    content: String(value),
  }));
  return {
    headers: { ...headers, ...asMultipart },
    body: multipartForm([...parts, filePart('note.txt', fileContent)]),
  };
}
