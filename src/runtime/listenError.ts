import { ConfigError } from '../errors.ts';

type Address = { host: string; port: number; setting: 'PORT' | 'WORKER_PORT' };

/** Says what to set when an address cannot be listened on. A port that is taken may soon be free; the rest never works. */
export function explainListenError(error: NodeJS.ErrnoException, { host, port, setting }: Address): Error {
  if (error.code === 'EADDRINUSE')
    return new Error(
      `Port ${port} of ${host} is in use. Stop the program that uses it, or set ${setting} to another port.`,
    );
  if (error.code === 'EACCES')
    return new ConfigError(`This user may not listen on port ${port}. Set ${setting} to a port above 1023.`);
  if (['EADDRNOTAVAIL', 'ENOTFOUND'].includes(error.code ?? ''))
    return new ConfigError(
      `${host} is not an address of this machine. Set HOST to one, or to 0.0.0.0 for all.`,
    );
  return error;
}
