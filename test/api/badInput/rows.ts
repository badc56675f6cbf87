import { expect } from 'chai';
import {
  type ApiResponse,
  asJson,
  bearer,
  type Client,
  type CreatedPush,
  createClient,
  type Fields,
  sendRaw,
} from '../../harness/api.ts';
import { createAccount, startService, type TestService } from '../../harness/service.ts';
import { type StallProbe, startStallProbe } from '../../harness/stallProbe.ts';

/** Part of everything that is sent, so that leaks are found. */
export const canary = 'CANARY';
export const missing = 'param is missing or the value is empty or invalid: password';
export const blank = 'payload must not be blank';
export const payloadMax = 1_048_576;
export const unknownToken = '0'.repeat(26);

/** A request and its expected result. In paths, OPEN and LOCKED stand for two live pushes; LOCKED has a passphrase. */
export type Row = {
  name: string;
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  /** Whether the owner of the two pushes sends the request. */
  asOwner?: boolean;
  body?: string | Buffer | (() => string | Buffer);
  /** The bytes of the whole request, if it is not valid HTTP. */
  raw?: string | Buffer;
  status: number;
  error?: string | RegExp;
  /** Fields of the response. */
  answer?: Fields;
  /** How many pushes it creates and audit rows it writes; none by default. No request counts a view or expires a push. */
  makes?: number;
  writes?: number;
};

export let service: TestService;
export let api: Client;
export let probe: StallProbe;
let account: { authorization: string };
export let open: CreatedPush;
export let locked: CreatedPush;

/** The stored data that a refused request must not change. */
async function stock(): Promise<{ pushes: number; views: number; ended: number; written: number }> {
  const [row] = await service.database.select<Record<string, unknown>>(
    `SELECT COUNT(*) AS pushes, SUM(views_used) AS views, COUNT(expired_on) AS ended,
       (SELECT COUNT(*) FROM audit_rows) AS written FROM pushes`,
    {},
  );
  const number = (name: string) => Number(row?.[name]);
  return {
    pushes: number('pushes'),
    views: number('views'),
    ended: number('ended'),
    written: number('written'),
  };
}

function send({
  name,
  method = 'POST',
  path = '/p.json',
  headers = {},
  asOwner,
  body,
  raw,
}: Row): Promise<ApiResponse> {
  const content = typeof body === 'function' ? body() : body;
  return probe.requireNoStall(name, () => {
    if (raw !== undefined) return sendRaw(service.port, raw);
    return api.send(method, path.replace('OPEN', open.token).replace('LOCKED', locked.token), {
      headers: { ...headers, ...(asOwner ? account : {}) },
      body: content,
    });
  });
}

function expectRefusal(row: Row, { status, headers, body, text }: ApiResponse): void {
  if (row.method === 'HEAD') return;
  expect(status).to.be.within(400, 499);
  expect(headers['content-type']).to.equal('application/json; charset=utf-8');
  expect(headers['cache-control']).to.equal('no-store');
  expect(body.error, text).to.be.a('string').that.is.not.empty;
  if (row.error instanceof RegExp) expect(body.error).to.match(row.error);
  else if (row.error !== undefined) expect(body.error).to.equal(row.error);
}

export const json = (value: unknown): Pick<Row, 'headers' | 'body'> => ({
  headers: asJson,
  body: JSON.stringify(value),
});
export const fields = (values: object) => json({ password: { payload: canary, ...values } });
export const made = { status: 201, makes: 1 } as const;

export const goodJson = `{"password":{"payload":"${canary}"}}`;

/** Starts a service with two pushes, and a stall probe, for the tests of a `describe`. */
export function useTwoPushes(): void {
  before(async () => {
    service = await startService();
    probe = await startStallProbe(service);
    api = createClient(service.port);
    const { token } = await createAccount(service.domain, 'owner@example.com');
    account = bearer(token);
    const options = { payload: canary, deletable_by_viewer: false, expire_after_views: 100 };
    open = await api.create(options, account);
    locked = await api.create({ ...options, passphrase: 'open sesame' }, account);
  });

  after(async () => {
    console.log(`    ${probe.report()}`);
    await probe.stop();
    api.close();
    await service.stop();
  });
}

/**
 * Tests the response to each request, its effects on the database, that nothing leaks what was sent, and that others are
 * served meanwhile.
 */
export function describeRows(title: string, rows: Row[]): void {
  describe(title, () => {
    useTwoPushes();
    let stockBefore: Awaited<ReturnType<typeof stock>> | undefined;

    for (const row of rows) {
      it(`responds with ${row.status} to ${row.name}`, async () => {
        const { pushes, views, ended, written } = stockBefore ?? (await stock());
        stockBefore = undefined;
        const loggedBefore = service.logged().length;

        const answer = await send(row);
        expect(answer.status, answer.text.slice(0, 300)).to.equal(row.status);
        if (row.status >= 400) expectRefusal(row, answer);
        if (row.answer !== undefined) expect(answer.body).to.deep.include(row.answer);
        expect(answer.text).to.not.include(canary);
        expect(JSON.stringify(answer.headers)).to.not.include(canary);
        expect(service.logged().slice(loggedBefore)).to.not.include(canary);

        const [after, good] = await Promise.all([stock(), api.get(`/p/${open.token}/preview.json`)]);
        expect(after).to.deep.equal({
          pushes: pushes + (row.makes ?? 0),
          views,
          ended,
          written: written + (row.writes ?? 0),
        });
        expect(good).to.nested.include({ status: 200, 'body.url': open.push.html_url });
        stockBefore = after;
      });
    }
  });
}
