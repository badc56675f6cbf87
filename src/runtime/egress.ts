import type { Agent } from 'node:http';
import type { Config } from '../config.ts';
import { minuteMs } from '../time.ts';

/** The agent for requests to an address; undefined where they go out directly. */
export type AgentOf = (url: URL) => Agent | undefined;

/** A proxy elsewhere would reach itself. */
const always = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Sends what this process sends by itself through EGRESS_PROXY, if it is set: from now on all that is fetched, and requests with
 * the agent that this returns. All of it goes through tunnels, so the proxy sees names and addresses, but nothing of TLS.
 */
export async function openEgress({ EGRESS_PROXY: proxy, EGRESS_NO_PROXY }: Config): Promise<AgentOf> {
  if (proxy === undefined) return () => undefined;
  const [{ EnvHttpProxyAgent, setGlobalDispatcher }, { HttpProxyAgent, HttpsProxyAgent }] = await Promise.all(
    [import('undici'), import('hpagent')],
  );
  const direct = [...always, ...EGRESS_NO_PROXY];
  const isDirect = (host: string) => direct.some((name) => host === name || host.endsWith(`.${name}`));
  setGlobalDispatcher(
    new EnvHttpProxyAgent({ httpProxy: proxy, httpsProxy: proxy, noProxy: direct.join(',') }),
  );
  const settings = { proxy, keepAlive: true, timeout: minuteMs };
  const agents: Record<string, Agent> = {
    'http:': new HttpProxyAgent(settings),
    'https:': new HttpsProxyAgent(settings),
  };
  return ({ hostname, protocol }) => (isDirect(hostname) ? undefined : agents[protocol]);
}
