import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { Fields } from './api.ts';
import { endsWithTest } from './endsWithTest.ts';

/** How a token is signed: with which algorithm and key, and which id it names. */
type Signing = { alg?: string; kid?: string | undefined; key?: CryptoKey | Uint8Array };

export type TokenIssuer = Awaited<ReturnType<typeof startTokenIssuer>>;

/** Starts what signs tokens for workloads, with keys of its own, as GitHub, GitLab and clusters do. */
export async function startTokenIssuer() {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keys = new Map<string, CryptoKey>();
  const published: object[] = [];
  const requests = new Map<string, number>();
  const state: { answer?: ((path: string, res: ServerResponse) => boolean) | undefined } = {};

  async function addKey(kid: string, alg = 'RS256'): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    keys.set(kid, privateKey);
    published.push({ ...(await exportJWK(publicKey)), kid, alg, use: 'sig' });
  }
  await addKey('first');

  const documents: Record<string, () => object> = {
    '/.well-known/openid-configuration': () => ({ issuer, jwks_uri: `${issuer}/keys` }),
    '/keys': () => ({ keys: published }),
  };

  server.on('request', ({ url = '' }: IncomingMessage, res: ServerResponse) => {
    requests.set(url, (requests.get(url) ?? 0) + 1);
    if (state.answer?.(url, res)) return;
    const document = documents[url]?.();
    res.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' });
    res.end(JSON.stringify(document ?? {}));
  });

  /** A token with these claims. It has an end, an id and a time, unless they say otherwise. */
  function sign(claims: Fields, { alg = 'RS256', kid = 'first', key }: Signing = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    const all = { iss: issuer, iat: now, exp: now + 300, jti: randomUUID(), ...claims };
    const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    return new SignJWT(given)
      .setProtectedHeader({ alg, kid })
      .sign(key ?? keys.get(kid) ?? keys.get('first') ?? new Uint8Array());
  }

  return {
    issuer,
    sign,
    addKey,
    published,
    requested: (path: string) => requests.get(path) ?? 0,
    /** Lets somebody else answer first from now on; undefined ends that. */
    answer: (answer: typeof state.answer) => {
      state.answer = answer;
    },
    stop: endsWithTest(async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    }),
  };
}
