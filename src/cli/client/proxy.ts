import type { Dispatcher } from 'undici';
import { maybeUrl } from '../../client/url.ts';
import { proxyEnvironment } from './environment.ts';

/** A proxy: where it is, and what it wants to know. */
export type Proxy = { url: URL; credentials: string | undefined };

type ProxySettings = Partial<Record<'http' | 'https' | 'no', string | undefined>>;

const usualPorts: Record<string, string> = { 'http:': '80', 'https:': '443' };

/**
 * A `fetch` that goes through the proxies of the environment; undefined if it names none. They are those of curl and most
 * other programs: HTTPS_PROXY, HTTP_PROXY and NO_PROXY, or the same in lower case, which comes first.
 */
export async function proxiedFetch(): Promise<typeof fetch | undefined> {
  const { http, https } = proxyEnvironment;
  if (!http && !https) return undefined;
  const { ProxyAgent } = await import('undici');
  const agents = new Map<string, Dispatcher>();

  function agentOf({ url, credentials }: Proxy): Dispatcher {
    const agent =
      agents.get(url.href) ??
      // Many proxies tunnel to port 443 alone, so what is not encrypted is not sent through a tunnel.
      new ProxyAgent({ uri: url.href, proxyTunnel: false, ...(credentials && { token: credentials }) });
    agents.set(url.href, agent);
    return agent;
  }

  return async (address, init) => {
    const target = new URL(address instanceof Request ? address.url : address);
    const proxy = proxyOf(target, proxyEnvironment);
    if (proxy === undefined) return fetch(address, init);
    const options = { ...init, dispatcher: agentOf(proxy) };
    return fetch(address, options as RequestInit).catch((error: unknown) => {
      throw named(error, proxy);
    });
  };
}

/** The proxy for an address; undefined if it is reached without one, as this machine always is. */
export function proxyOf(target: URL, { http, https, no = '' }: ProxySettings): Proxy | undefined {
  const [name, text] =
    target.protocol === 'https:' ? (['HTTPS_PROXY', https] as const) : (['HTTP_PROXY', http] as const);
  if (!text || isLoopback(target.hostname) || isExcepted(target, no)) return undefined;
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = maybeUrl(address);
  if (url === undefined || !(url.protocol in usualPorts) || url.hostname === '')
    throw new Error(`${name} must be the address of an HTTP proxy, such as http://proxy.example.com:3128.`);
  const { username, password } = url;
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  [url.username, url.password] = ['', ''];
  return {
    url,
    credentials: username ? `Basic ${Buffer.from(plain).toString('base64')}` : undefined,
  };
}

/** Whether NO_PROXY names a host: by itself, by a domain that it is in, with its port or without, or by `*` for all. */
function isExcepted(target: URL, no: string): boolean {
  const host = withoutBrackets(target.hostname);
  const port = target.port || usualPorts[target.protocol];
  return no
    .toLowerCase()
    .split(/[,\s]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      const [, name = entry, itsPort] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [];
      if (itsPort !== undefined && itsPort !== port) return false;
      const domain = withoutBrackets(name.replace(/^\*?\./, ''));
      return domain === '*' || host === domain || host.endsWith(`.${domain}`);
    });
}

const withoutBrackets = (host: string) => host.replace(/^\[|\]$/g, '');

/** A proxy elsewhere would reach itself. */
const isLoopback = (host: string) => /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(host);

/** Says that it was the proxy that did not answer, or did not want to. */
function named(error: unknown, { url }: Proxy): unknown {
  const { name, cause } = error as Error & { cause?: { code?: unknown; message?: string; cause?: unknown } };
  if (name !== 'TypeError' || cause === undefined) return error;
  const tunnel = (cause.cause ?? cause) as { message?: string };
  const [, status] = /^Proxy response \((\d+)\)/.exec(tunnel.message ?? '') ?? [];
  const reason =
    status === undefined
      ? `${cause.code || cause.message}, through the proxy ${url.host}`
      : `the proxy ${url.host} answered ${status}`;
  return new TypeError('fetch failed', { cause: new Error(reason, { cause }) });
}
