import { isRecord, RefusedError } from './errors.ts';
import type { Transport } from './transport.ts';
import type { ServerFeature, ServerVersion } from './wire.ts';

const isVersion = (body: unknown) => isRecord(body) && typeof body.api_version === 'string';

/** What a server runs, and what it has beyond Password Pusher's API. */
export function createFeatureReader({ call }: Transport) {
  let known: Promise<string[]> | undefined;

  const version = (options = {}) => call<ServerVersion>('api/v1/version.json', isVersion, options);

  async function read(): Promise<string[]> {
    try {
      return (await version()).features ?? [];
    } catch (error) {
      if (error instanceof RefusedError && error.status < 500) return []; // an old server, or a proxy before it
      throw error;
    }
  }

  /** Asks the server once. */
  async function has(feature: ServerFeature): Promise<boolean> {
    known ??= read();
    try {
      return (await known).includes(feature);
    } catch (error) {
      known = undefined;
      throw error;
    }
  }

  return { version, has };
}
