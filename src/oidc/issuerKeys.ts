import type { Agent } from 'node:http';
import type { JSONWebKeySet, LocalJWKSet } from 'jose';
import { maybeUrl } from '../client/url.ts';
import { DomainError, unavailable } from '../domain/index.ts';
import { lookupAll } from '../outgoing/addresses.ts';
import { NoResponseError, NotPublicError } from '../outgoing/noResponse.ts';
import { sendOutgoing } from '../outgoing/request.ts';
import { hourMs, minuteMs, secondMs } from '../time.ts';
import { timeoutSeconds } from './logoutToken.ts';

export type IssuerSettings = {
  /** Issuers that may have private addresses. */
  privateIssuers: string[];
  /** The agent of a proxy for an address, where requests do not go out directly. */
  agentOf?: (url: URL) => Agent | undefined;
};

/** What is known of an issuer. Times are of this process, in milliseconds. */
type Issuer = {
  keys?: { find: LocalJWKSet; readAt: number };
  failure?: DomainError | undefined;
  triedAt: number;
  reading?: Promise<void> | undefined;
};

/** Keys are read again in the background at this age, and before they are used once they are an hour old. */
const freshMs = 10 * minuteMs;
const staleMs = hourMs;
/** Unknown keys make the keys be read again, but not more often. */
const unknownKeyMs = minuteMs;
/** Nobody waits again for an issuer that has just failed. */
const failedMs = 10 * secondMs;
const issuersMax = 100;

/**
 * The public keys of issuers (OpenID Connect Discovery 1.0). Each is asked once for all who wait, for ten seconds at most with its
 * two documents, and not again at once after a failure. Addresses that are not public are refused.
 */
export function createIssuerKeys({ privateIssuers, agentOf }: IssuerSettings) {
  const issuers = new Map<string, Issuer>();

  /** The one that was not asked for in the longest time is forgotten. */
  function remember(name: string): Issuer {
    const issuer = issuers.get(name) ?? { triedAt: Number.NEGATIVE_INFINITY };
    issuers.delete(name);
    issuers.set(name, issuer);
    const [oldest] = issuers.keys();
    if (issuers.size > issuersMax && oldest !== undefined) issuers.delete(oldest);
    return issuer;
  }

  function readOnce(name: string, issuer: Issuer): Promise<void> {
    issuer.triedAt = performance.now();
    issuer.reading ??= readKeys(name)
      .then(
        (find) => {
          issuer.keys = { find, readAt: performance.now() };
          issuer.failure = undefined;
        },
        (error) => {
          issuer.failure = toRefusal(error);
          throw issuer.failure;
        },
      )
      .finally(() => {
        issuer.reading = undefined;
      });
    return issuer.reading;
  }

  async function readKeys(name: string): Promise<LocalJWKSet> {
    const allowPrivate = privateIssuers.includes(name);
    const address = `${name.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const { issuer, jwks_uri: keysUrl } = await fetchObject(address, allowPrivate);
    if (issuer !== name) throw new Error('its metadata name another issuer');
    if (typeof keysUrl !== 'string' || !maybeUrl(keysUrl)) throw new Error('its keys have no address');
    if (!keysUrl.startsWith('https://') && !allowPrivate) throw new Error('its keys have no https address');
    const { createLocalJWKSet } = await import('jose');
    return createLocalJWKSet((await fetchObject(keysUrl, allowPrivate)) as unknown as JSONWebKeySet);
  }

  async function fetchObject(url: string, allowPrivate: boolean): Promise<Record<string, unknown>> {
    const settings = { lookup: lookupAll, allowPrivate, timeoutMs: timeoutSeconds * secondMs };
    const { status, text } = await sendOutgoing(
      { url, headers: { accept: 'application/json' } },
      { ...settings, ...(agentOf && { agentOf }) },
    );
    if (status >= 500 || status === 429) throw new NoResponseError(`answered ${status}`);
    const value: unknown = status === 200 ? JSON.parse(text) : undefined;
    if (typeof value !== 'object' || value === null) throw new Error(`answered ${status}`);
    return value as Record<string, unknown>;
  }

  async function refresh(name: string, issuer: Issuer): Promise<void> {
    const { keys, failure, triedAt } = issuer;
    const now = performance.now();
    const age = keys === undefined ? Number.POSITIVE_INFINITY : now - keys.readAt;
    if (age > staleMs) {
      if (failure !== undefined && now - triedAt < failedMs) throw failure;
      await readOnce(name, issuer);
    } else if (age > freshMs && now - triedAt > unknownKeyMs) readOnce(name, issuer).catch(() => {});
  }

  /** The key of a token. Throws like the library if the issuer has none, and `unavailable` or `forbidden` if it is its fault. */
  async function find(name: string, ...token: Parameters<LocalJWKSet>): Promise<CryptoKey> {
    const issuer = remember(name);
    await refresh(name, issuer);
    const now = performance.now();
    try {
      return await findIn(issuer, token);
    } catch (error) {
      const mayBeNew = codeOf(error) === unknownKey && now - issuer.triedAt > unknownKeyMs;
      if (!mayBeNew) throw error;
    }
    await readOnce(name, issuer);
    return findIn(issuer, token);
  }

  return { find };
}

async function findIn({ keys }: Issuer, token: Parameters<LocalJWKSet>): Promise<CryptoKey> {
  try {
    if (keys === undefined) throw new Error('its keys are not known');
    return await keys.find(...token);
  } catch (error) {
    throw aboutToken.includes(codeOf(error)) ? error : toRefusal(error);
  }
}

const unknownKey = 'ERR_JWKS_NO_MATCHING_KEY';
/** What is the token's fault, and not its issuer's. */
const aboutToken = [unknownKey, 'ERR_JWKS_MULTIPLE_MATCHING_KEYS', 'ERR_JOSE_NOT_SUPPORTED'];

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code);

const toRefusal = (cause: unknown): DomainError =>
  cause instanceof NoResponseError && !(cause instanceof NotPublicError)
    ? unavailable('issuerUnreachable', cause)
    : new DomainError('forbidden', 'issuerUnusable', { cause });
