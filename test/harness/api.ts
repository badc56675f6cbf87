import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { urlTokenDigest } from '../../src/crypto/pepper.ts';
import type { TestService } from './service.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A response. `json` is its parsed body if that is JSON; `body` is the same if it is an object, and otherwise empty. */
export type ApiResponse = {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  text: string;
  json: unknown;
  body: Fields;
};

export type SendOptions = {
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer | undefined;
  /** Hangs up. */
  signal?: AbortSignal | undefined;
};

export type Client = ReturnType<typeof createClient>;

const responseTimeoutMs = 300_000;

/**
 * A plain HTTP client. It adds no header but Host, and follows no redirect. A patient one repeats what a busy service
 * turned away before it did anything.
 */
export function createClient(port: number, { connections = 64, isPatient = false, keepAlive = true } = {}) {
  const agent = new Agent({ keepAlive, maxSockets: connections });

  /** Sends a request. Fails when no response comes. */
  async function send(method: string, path: string, options?: SendOptions): Promise<ApiResponse> {
    for (;;) {
      const response = await sendOnce(method, path, options);
      const delaySeconds = Number(response.headers['retry-after']);
      if (!isPatient || response.status !== 503 || !(delaySeconds > 0)) return response;
      await sleep(delaySeconds * 1_000);
    }
  }

  async function sendOnce(
    method: string,
    path: string,
    { headers = {}, body, signal }: SendOptions = {},
  ): Promise<ApiResponse> {
    const isSized = body !== undefined && headers['transfer-encoding'] === undefined;
    const length = isSized ? { 'content-length': Buffer.byteLength(body) } : {};
    return new Promise((resolve, reject) => {
      const req = request({
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: { ...length, ...headers },
        agent,
        signal: AbortSignal.any([AbortSignal.timeout(responseTimeoutMs), ...(signal ? [signal] : [])]),
      });
      req.on('error', reject);
      req.on('response', (res) => {
        buffer(res).then((bytes) => resolve(toApiResponse(res.statusCode ?? 0, res.headers, bytes)), reject);
      });
      req.end(body);
    });
  }

  const get = (path: string, headers: OutgoingHttpHeaders = {}) => send('GET', path, { headers });

  const post = (path: string, content: unknown, headers: OutgoingHttpHeaders = {}) =>
    send('POST', path, { headers: { ...asJson, ...headers }, body: JSON.stringify(content) });

  /** Creates a push. Throws unless the response is 201. */
  async function create(fields: Fields = {}, headers: OutgoingHttpHeaders = {}): Promise<CreatedPush> {
    const response = await post('/p.json', { password: { payload: 'tulip', ...fields } }, headers);
    if (response.status !== 201) throw new Error(`not created: ${response.status} ${response.text}`);
    const token = String(response.body.url_token);
    return { response, push: response.body, token, json: `/p/${token}.json`, page: `/p/${token}` };
  }

  return { send, get, post, create, close: () => agent.destroy() };
}

/** A created push: the response to its creation, and the paths of its JSON and its page. */
export type CreatedPush = { response: ApiResponse; push: Fields; token: string; json: string; page: string };

export const asJson = { 'content-type': 'application/json' };
export const asForm = { 'content-type': 'application/x-www-form-urlencoded' };
export const asMultipart = { 'content-type': 'multipart/form-data; boundary=B' };

/** The Authorization header of an API token. */
export function bearer(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}

/** A multipart/form-data body with the boundary `B`. `headers` are further header lines for each part. */
export function multipart(values: Record<string, string | Buffer>, headers = ''): Buffer {
  const pieces = Object.entries(values).flatMap(([name, value]) => [
    `--B\r\nContent-Disposition: form-data; name="${name}"\r\n${headers}\r\n`,
    value,
    '\r\n',
  ]);
  return Buffer.concat([...pieces, '--B--\r\n'].map((piece) => Buffer.from(piece)));
}

/**
 * Sends raw bytes over a new connection, and returns the first response once the connection closes. The bytes should ask
 * for that (`Connection: close`), unless `closesAfterSending` is set. Status 0 means that there was no response.
 */
export async function sendRaw(
  port: number,
  rawRequest: string | Buffer,
  { closesAfterSending = false } = {},
): Promise<ApiResponse> {
  const socket = connect(port, '127.0.0.1');
  socket.setTimeout(responseTimeoutMs, () => socket.destroy(new Error('no response came')));
  if (closesAfterSending) socket.end(rawRequest);
  else socket.write(rawRequest);
  const bytes = await buffer(socket);
  const end = bytes.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = bytes.subarray(0, Math.max(0, end)).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split(': ');
      return [name.toLowerCase(), value.join(': ')];
    }),
  );
  return toApiResponse(
    Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1] ?? 0),
    headers,
    bytes.subarray(end + 4),
  );
}

/** Runs an action several times at once, and returns all results. */
export function times<T>(count: number, action: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => action(index)));
}

/** Moves the push of a link in time so that it expires in `ms` by the database's clock, or has expired if negative. */
export async function expirePushIn(
  { database, keyring }: Pick<TestService, 'database' | 'keyring'>,
  token: string,
  ms: number,
): Promise<void> {
  const end = `${database.dialect.now} + $ms`;
  const [push] = await database.select<{ id: Buffer }>(
    'SELECT id FROM pushes WHERE token_digest = $digest OR id = (SELECT push_id FROM push_recipients WHERE token_digest = $digest)',
    { digest: urlTokenDigest(keyring, token) },
  );
  if (push === undefined) return;
  await database.transaction(async (tx) => {
    // The clock is read once the row is locked: an UPDATE alone reads it first, and then waits for views
    await tx.select(`SELECT id FROM pushes WHERE id = $id ${database.dialect.forUpdate}`, { id: push.id });
    // MySQL assigns from left to right: created_at reads the old expires_at
    await tx.execute(
      `UPDATE pushes SET created_at = created_at + ${end} - expires_at, expires_at = ${end}, due_at = ${end} WHERE id = $id`,
      { id: push.id, ms },
    );
  });
}

function toApiResponse(status: number, headers: IncomingHttpHeaders, bytes: Buffer): ApiResponse {
  const text = bytes.toString('utf8');
  const json = /^application\/json\b/.test(headers['content-type'] ?? '') ? parse(text) : undefined;
  return { status, headers, bytes, text, json, body: isObject(json) ? json : {} };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
