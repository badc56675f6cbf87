import type { Config } from './schema.ts';

const wildcards = ['0.0.0.0', '::', '[::]'];

/** Where people reach the service: BASE_URL, or the address it listens on. */
export function publicUrl(config: Config): string {
  return config.BASE_URL ?? localUrl(config, config.PORT);
}

/** The address of a port that is listened on; this machine, if that is all addresses. */
export function localUrl({ HOST }: Config, port: number): string {
  const host = wildcards.includes(HOST) ? 'localhost' : HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
