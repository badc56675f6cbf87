import { isRecord, RefusedError } from './errors.ts';
import { type ClientOptions, createTransport } from './transport.ts';
import type { GrantedScope } from './wire.ts';

/** What to show: the page to open, and the code to type there. `completeUrl` has the code in it. */
export type DeviceCode = { url: string; completeUrl: string; code: string; expiresInSeconds: number };

type DeviceSignInOptions = Omit<ClientOptions, 'token' | 'email' | 'retryDelaysMs'> & {
  /** How the program calls itself; its owner sees it, and may change it. */
  name: string;
  scope?: GrantedScope | undefined;
  /** Shows the code. */
  onCode: (code: DeviceCode) => void;
  /** Waits between two questions; for tests. */
  wait?: (ms: number) => Promise<void>;
};

type Began = {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  expires_in: number;
  interval: number;
};

const clientId = 'hushpush';
const grant = 'urn:ietf:params:oauth:grant-type:device_code';
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Signs a program in to hushpush by a browser, anywhere (RFC 8628): resolves to an API token once its owner has typed the code and
 * allowed it. Throws a RefusedError with `oauthError`, such as `access_denied` and `expired_token`.
 */
export async function signInByDevice(options: DeviceSignInOptions): Promise<string> {
  const { name, scope, onCode, wait = sleep, ...clientOptions } = options;
  const { call, links } = createTransport(clientOptions);
  const post = <Body>(path: string, isExpected: (body: unknown) => boolean, fields: Record<string, string>) =>
    call<Body>(path, isExpected, {
      method: 'POST',
      body: new URLSearchParams({ client_id: clientId, ...fields }),
    });
  const isBegun = (body: unknown) => isRecord(body) && typeof body.device_code === 'string';
  const begun = await post<Began>('oauth/device_authorization', isBegun, {
    device_name: name,
    ...(scope && { scope }),
  });
  for (const url of [begun.verification_uri, begun.verification_uri_complete]) links.requireOwn(url);
  onCode({
    url: begun.verification_uri,
    completeUrl: begun.verification_uri_complete,
    code: begun.user_code,
    expiresInSeconds: begun.expires_in,
  });
  const isToken = (body: unknown) => isRecord(body) && typeof body.access_token === 'string';
  for (let seconds = Number(begun.interval) || 5; ; ) {
    await wait(seconds * 1_000);
    try {
      const fields = { grant_type: grant, device_code: begun.device_code };
      return (await post<{ access_token: string }>('oauth/token', isToken, fields)).access_token;
    } catch (error) {
      const answer = error instanceof RefusedError ? error.oauthError : undefined;
      if (answer === 'slow_down') seconds += 5;
      else if (answer !== 'authorization_pending') throw error;
    }
  }
}
