import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Fields } from '../../../test/harness/api.ts';

// What the documented APIs of other services do, for a secret that can be read once. A request that they would refuse is
// refused here.

type Reply = { status: number; body: unknown; closes?: boolean };
type Api = (request: { path: string; method: string; headers: Fields; body: unknown }) => Reply | undefined;

/** Serves an API, records the secrets that it stores, and gives each out once. */
export type RivalApi = (stored: Map<string, unknown>) => Api;

const notFound: Reply = { status: 404, body: { error: 'not found' } };
const idOf = (stored: Map<string, unknown>) => `secret${stored.size + 1}`;

/** Stores a secret, and returns its id. */
function store(stored: Map<string, unknown>, secret: unknown): string {
  const id = idOf(stored);
  stored.set(id, secret);
  return id;
}

function take(stored: Map<string, unknown>, id = ''): unknown {
  const secret = stored.get(id);
  stored.set(id, undefined);
  return secret;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const lifetimeOf = (value: unknown) => Number.isInteger(value) && Number(value) > 0;

/** https://github.com/pglombardi/PasswordPusher, /api/v1 */
const passwordPusher: RivalApi = (stored) => {
  const views = new Map<string, number>();
  return ({ method, path, body }) => {
    if (method === 'POST' && path === '/p.json') {
      const { password } = body as { password?: { payload?: unknown; expire_after_views?: number } };
      if (!isText(password?.payload)) return { status: 422, body: { error: 'payload is missing' } };
      const token = store(stored, password.payload);
      views.set(token, Number(password.expire_after_views));
      return { status: 201, body: { url_token: token, expired: false } };
    }
    const token = /^\/p\/(\w+)\.json$/.exec(path)?.[1];
    if (method !== 'GET' || token === undefined) return undefined;
    const left = views.get(token) ?? 0;
    views.set(token, left - 1);
    return { status: 200, body: { url_token: token, payload: left > 0 ? stored.get(token) : null } };
  };
};

/** https://docs.onetimesecret.com/en/rest-api/v2/ */
const oneTimeSecret: RivalApi =
  (stored) =>
  ({ method, path, body }) => {
    if (method !== 'POST') return undefined;
    if (path === '/api/v2/guest/secret/conceal') {
      const { secret } = body as { secret?: Fields };
      if (!isText(secret?.secret) || secret.kind !== 'conceal' || !lifetimeOf(secret.ttl))
        return { status: 422, body: { message: 'You did not provide anything to share' } };
      const identifier = store(stored, secret.secret);
      return { status: 200, body: { success: true, record: { secret: { identifier, key: identifier } } } };
    }
    const id = /^\/api\/v2\/guest\/secret\/(\w+)\/reveal$/.exec(path)?.[1];
    if (id === undefined) return undefined;
    if ((body as Fields).continue !== 'true') return { status: 200, body: { record: { identifier: id } } };
    const value = take(stored, id);
    return value === undefined
      ? notFound
      : { status: 200, body: { record: { identifier: id, secret_value: value } } };
  };

/** https://github.com/jhaals/yopass */
const yopass: RivalApi =
  (stored) =>
  ({ method, path, body }) => {
    if (method === 'POST' && path === '/create/secret') {
      const { message, expiration, one_time } = body as Fields;
      const isArmored = /^-----BEGIN PGP MESSAGE-----\n\n[\w+/=\n]+\n-----END PGP MESSAGE-----\n$/.test(
        String(message),
      );
      if (!isArmored || ![3600, 86_400, 604_800].includes(Number(expiration)) || one_time !== true)
        return { status: 400, body: { message: 'Message must be PGP encrypted' } };
      return { status: 200, body: { message: store(stored, message) } };
    }
    const key = /^\/secret\/(\w+)$/.exec(path)?.[1];
    if (method !== 'GET' || key === undefined) return undefined;
    const message = take(stored, key);
    return message === undefined
      ? notFound
      : { status: 200, body: { expiration: 604_800, message, one_time: true } };
  };

/** https://github.com/HemmeligOrg/Hemmelig.app, /api/openapi.json */
const hemmelig: RivalApi =
  (stored) =>
  ({ method, path, body }) => {
    if (method !== 'POST') return undefined;
    if (path === '/api/secrets') {
      const { secret, salt, expiresAt, views } = body as Fields;
      const isBytes = typeof secret === 'object' && Object.values(secret ?? {}).every(Number.isInteger);
      if (!isBytes || !isText(salt) || !lifetimeOf(expiresAt) || !lifetimeOf(views))
        return { status: 400, body: { success: false } };
      return { status: 201, body: { id: store(stored, secret) } };
    }
    const id = /^\/api\/secrets\/(\w+)$/.exec(path)?.[1];
    const secret = take(stored, id);
    return secret === undefined ? notFound : { status: 200, body: { id, secret, views: 0 } };
  };

/** https://github.com/CorentinTh/enclosed */
const enclosed: RivalApi =
  (stored) =>
  ({ method, path, body }) => {
    if (method === 'POST' && path === '/api/notes') {
      const { payload, ttlInSeconds, deleteAfterReading, encryptionAlgorithm, serializationFormat } =
        body as Fields;
      const isKnown = encryptionAlgorithm === 'aes-256-gcm' && serializationFormat === 'cbor-array';
      if (!isText(payload) || !lifetimeOf(ttlInSeconds) || deleteAfterReading !== true || !isKnown)
        return { status: 400, body: { error: { code: 'server.invalid_request.body' } } };
      return { status: 200, body: { noteId: store(stored, payload) } };
    }
    const id = /^\/api\/notes\/(\w+)$/.exec(path)?.[1];
    if (method !== 'GET' || id === undefined) return undefined;
    const payload = take(stored, id);
    return payload === undefined ? notFound : { status: 200, body: { note: { payload } } };
  };

/** https://github.com/pinterest/snappass, API version 2 */
const snapPass: RivalApi =
  (stored) =>
  ({ method, path, body }) => {
    if (method === 'POST' && path === '/api/v2/passwords') {
      const { password, ttl } = body as Fields;
      if (!isText(password) || !lifetimeOf(ttl)) return { status: 400, body: { title: 'invalid' } };
      return { status: 200, body: { token: `${store(stored, password)}~key=`, ttl } };
    }
    const token = /^\/api\/v2\/passwords\/(\w+)~key%3D$/.exec(path)?.[1];
    if (method !== 'GET' || token === undefined) return undefined;
    const password = take(stored, token);
    return password === undefined ? notFound : { status: 200, body: { password } };
  };

/** https://github.com/PrivateBin/PrivateBin/wiki/API. PHP servers may close the connection after each response. */
const privateBin: RivalApi =
  (stored) =>
  ({ method, path, headers, body }) => {
    const failure = { status: 200, body: { status: 1, message: 'Invalid data.' }, closes: true };
    if (headers['x-requested-with'] !== 'JSONHttpRequest') return failure;
    if (method === 'POST' && path === '/') {
      const { v, adata, ct, meta, ...others } = body as { adata?: unknown[]; meta?: Fields } & Fields;
      const cipher = adata?.[0] as unknown[] | undefined;
      const isValid = v === 2 && cipher?.length === 8 && isText(ct) && isText(meta?.expire);
      if (!isValid || Object.keys(others).length > 0) return failure;
      const id = store(stored, ct);
      return { status: 200, body: { status: 0, id, url: `/?${id}`, deletetoken: 'x' }, closes: true };
    }
    const id = /^\/\?pasteid=(\w+)$/.exec(path)?.[1];
    const ct = take(stored, id);
    return ct === undefined ? failure : { status: 200, body: { status: 0, id, v: 2, ct }, closes: true };
  };

/** By the names that `--rival` takes. */
export const rivalApis: Record<string, RivalApi> = {
  passwordpusher: passwordPusher,
  onetimesecret: oneTimeSecret,
  yopass,
  hemmelig,
  enclosed,
  snappass: snapPass,
  privatebin: privateBin,
};

/** A server with such an API, not yet listening. */
export function createRivalServer(api: Api) {
  return createServer(async (req, res) => {
    const { method = '', url: path = '', headers } = req;
    const received = await text(req);
    const body = received === '' ? undefined : JSON.parse(received);
    const reply = api({ method, path, headers, body }) ?? { status: 405, body: { method, path } };
    res.writeHead(reply.status, {
      'content-type': 'application/json',
      ...(reply.closes && { connection: 'close' }),
    });
    res.write(JSON.stringify(reply.body).slice(0, 1)); // in chunks, as many servers do
    res.end(JSON.stringify(reply.body).slice(1));
  });
}
