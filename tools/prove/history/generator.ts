import { setTimeout as sleep } from 'node:timers/promises';
import {
  asForm,
  asJson,
  asMultipart,
  expirePushIn,
  type SendOptions,
  times,
} from '../../../test/harness/api.ts';
import { filePart, multipartForm } from '../../../test/harness/files.ts';
import { createForms, sameOrigin } from '../../../test/harness/forms.ts';
import type { Cluster } from './cluster.ts';
import { contentOf, createDownloads } from './files.ts';
import { type Event, hangUpOf, type Plan, planOf } from './plan.ts';
import { createRandom, type Random } from './random.ts';
import type { Owner } from './receivers.ts';
import type { HistoryRecord, RecordedPush } from './record.ts';
import { createRequests } from './requests.ts';

type Dependencies = { cluster: Cluster; owners: Owner[]; record: HistoryRecord; seed: number };

/** How pushes and their readers arrive: how many pushes are created at once, and how far apart the readers of each are. */
type Arrival = { pushes: number; msPerReader: number };

/** Readers who meet but do not starve, readers of a push all at once, and pushes all at once with all of their readers. */
const arrivals: Arrival[] = [
  { pushes: 1, msPerReader: 10 },
  { pushes: 1, msPerReader: 10 },
  { pushes: 1, msPerReader: 0 },
  { pushes: 8, msPerReader: 0 },
];

/** How long a client with a key tries again. The copy of a view lives for a minute. */
const patienceMs = 55_000;

const lifetime = { value: '30d', ms: 30 * 86_400_000 };

/** Creates pushes, reads each with many readers at once on all processes, and records what they saw. */
export function createGenerator({ cluster, owners, record, seed }: Dependencies) {
  const requests = createRequests({ cluster, record });
  const { request, directly } = requests;
  const downloads = createDownloads(requests);

  /** A new push. Each number gives the same plan for the same seed. */
  function next() {
    const number = record.nextNumber();
    const random = createRandom(seed * 1_000_003 + number);
    return { number, random, plan: planOf(random, owners) };
  }

  /** Runs pushes, one or a burst of them at a time, until it is stopped. */
  async function work(isStopped: () => boolean): Promise<void> {
    while (!isStopped()) {
      const first = next();
      const { pushes, msPerReader } = first.random.pick(arrivals);
      const burst = [first, ...Array.from({ length: pushes - 1 }, next)];
      const created = await Promise.all(burst.map(create));
      await times(burst.length, async (index) => {
        const [planned, push] = [burst[index], created[index]];
        if (planned === undefined || push === undefined) return sleep(200);
        await use(push, planned.plan, planned.random, msPerReader);
      });
    }
  }

  async function create({ number, plan, random }: ReturnType<typeof next>) {
    const { viewsMax, passphrase, files, padding, owner } = plan;
    const payload = `payload ${number}${padding}`;
    const fields = { payload, expire_after_views: viewsMax, ...(passphrase && { passphrase }) };
    const { response } = await request('create', number, random, '/p.json', {
      method: 'POST',
      ...(files > 0 ? formOf(number, fields, files) : jsonOf(fields)),
      headers: { ...(files > 0 ? asMultipart : asJson), ...owner?.headers },
    });
    if (response?.status !== 201) return undefined;
    const token = String(response.body.url_token);
    const push = { number, token, payload, viewsMax, passphrase, files, isOwned: owner !== undefined };
    record.pushes.push(push);
    return push;
  }

  async function use(push: RecordedPush, plan: Plan, random: Random, msPerReader: number): Promise<void> {
    const { readers, byPage, owner, event } = plan;
    const guesses = push.passphrase === undefined ? 0 : random.integer(0, 2);
    // Drawn before anything runs, so that they do not depend on the order in which responses arrive.
    const starts = Array.from({ length: readers + guesses + 1 }, () => ({
      afterMs: random.integer(0, readers * msPerReader),
      random: createRandom(random.integer(0, 2 ** 31)),
    }));
    await times(starts.length, async (index) => {
      const { afterMs, random } = starts[index] ?? { afterMs: 0, random: createRandom(0) };
      if (afterMs > 0) await sleep(afterMs);
      if (index < readers) await open(push, byPage, random);
      else if (index < readers + guesses) await guess(push, random);
      else await act(event, push, owner, random);
    });
  }

  async function act(event: Event, push: RecordedPush, owner: Owner | undefined, random: Random) {
    if (event === 'delete') await request('delete', push.number, random, pathOf(push), { method: 'DELETE' });
    // The shortest lifetime that the API accepts is five minutes.
    if (event === 'expire')
      await directly('expire', push.number, () => expirePushIn(cluster.store, push.token, 0));
    if (event === 'extend' && owner !== undefined) await extend(push, owner, random);
  }

  async function extend({ number, token }: RecordedPush, { form }: Owner, random: Random): Promise<void> {
    const body = String(new URLSearchParams({ ...form.fields, lifetime: lifetime.value }));
    const { operation } = await request('extend', number, random, `/pushes/${token}/extend`, {
      method: 'POST',
      headers: { ...asForm, ...sameOrigin, ...form.headers },
      body,
    });
    operation.expiresAt = operation.startedAt + lifetime.ms;
  }

  /** Opens a push through the API or by its page, and may hang up at any moment. */
  async function open(push: RecordedPush, byPage: boolean, random: Random): Promise<void> {
    const hangUpAfterMs = hangUpOf(random);
    if (byPage) await retrieveByPage(push, random, hangUpAfterMs);
    else if (random.chance(0.4)) await retrieveUnderKey(push, random, hangUpAfterMs);
    else await retrieve(push, random, { hangUpAfterMs });
  }

  /** Tries again under the same key until there is an answer, and sometimes once more. */
  async function retrieveUnderKey(push: RecordedPush, random: Random, hangUpAfterMs?: number): Promise<void> {
    const key = record.nextKey();
    const deadline = Date.now() + patienceMs;
    const isDoubled = random.chance(0.4); // both are on their way while views are left
    const [first] = await Promise.all([
      retrieve(push, random, { key, hangUpAfterMs }),
      isDoubled ? retrieve(push, createRandom(random.integer(0, 2 ** 31)), { key }) : undefined,
    ]);
    let answered = first;
    while (answered === 'unknown' && Date.now() < deadline) {
      await sleep(random.integer(20, 400));
      answered = await retrieve(push, random, { key });
    }
    if (random.chance(0.3)) await retrieve(push, random, { key });
  }

  async function retrieveByPage(
    { token, number, payload }: RecordedPush,
    random: Random,
    hangUpAfterMs?: number,
  ) {
    const page = `/p/${token}`;
    const form = await createForms(cluster.domain, random.pick(cluster.webs).client)
      .loadForm(page)
      .catch(() => undefined);
    if (form?.fields.nonce === undefined) return; // it has ended, or the process has
    const { operation, response } = await request('retrieve', number, random, page, {
      method: 'POST',
      headers: { ...asForm, ...sameOrigin, ...form.headers },
      body: String(new URLSearchParams({ ...form.fields, held: 'yes' })),
      hangUpAfterMs,
    });
    operation.isByPage = true;
    if (response?.status !== 200) return;
    const shown = response.text.replace(/<[^>]*>/g, ''); // long texts are in pieces
    operation.payload = shown.includes(payload) ? payload : 'another page';
    operation.files = 0;
  }

  async function retrieve(
    push: RecordedPush,
    random: Random,
    options: { hangUpAfterMs?: number | undefined; key?: string } = {},
  ): Promise<'secret' | 'nothing' | 'unknown'> {
    const query = push.passphrase === undefined ? '' : `?passphrase=${encodeURIComponent(push.passphrase)}`;
    const path = `${pathOf(push)}${query}`;
    const { operation, response } = await request('retrieve', push.number, random, path, options);
    if (response?.status !== 200) return operation.outcome === 'unknown' ? 'unknown' : 'nothing';
    if (typeof response.body.payload !== 'string') return 'nothing';
    operation.payload = response.body.payload;
    await downloads.receive(push, operation, response.body, random);
    return 'secret';
  }

  async function guess(push: RecordedPush, random: Random): Promise<void> {
    const path = `${pathOf(push)}?passphrase=wrong`;
    const { operation, response } = await request('guess', push.number, random, path);
    if (typeof response?.body.payload === 'string') operation.defect = 'the payload for a wrong passphrase';
  }

  /** Retrieves whatever can still be retrieved, and downloads all files again. */
  async function drain(concurrency: number): Promise<void> {
    const random = createRandom(seed);
    const remaining = [...record.pushes];
    await times(concurrency, async () => {
      for (let push = remaining.pop(); push !== undefined; push = remaining.pop())
        while ((await retrieve(push, random)) !== 'nothing');
    });
    await downloads.repeat(random);
  }

  return { work, drain };
}

const pathOf = ({ token }: RecordedPush) => `/p/${token}.json`;

const jsonOf = (fields: object): SendOptions => ({ body: JSON.stringify({ password: fields }) });

function formOf(push: number, fields: object, files: number): SendOptions {
  const texts = Object.entries(fields).map(([name, value]) => ({
    name: `password[${name}]`,
    content: String(value),
  }));
  const parts = Array.from({ length: files }, (_, index) =>
    filePart(`note ${index}.txt`, contentOf(push, index)),
  );
  return { body: multipartForm([...texts, ...parts]) };
}
