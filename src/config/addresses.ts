import type { Config } from './schema.ts';

const wildcards = ['0.0.0.0', '::', '[::]'];

/** Whether only this machine can reach the host. */
export function isLoopback(host: string): boolean {
  return ['localhost', '::1', '[::1]'].includes(host) || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Where people reach the service: BASE_URL, or the address it listens on. */
export function publicUrl(config: Config, port?: number): string {
  return config.BASE_URL ?? localUrl(config, port);
}

/** The address that the service listens on; this machine, if it listens on all addresses. */
export function localUrl({ HOST, PORT }: Config, port = PORT): string {
  const host = wildcards.includes(HOST) ? 'localhost' : HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
