import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** What the environment says about the server to use. */
export const clientEnvironment = {
  server: process.env.HUSHPUSH_SERVER || undefined,
  token: process.env.HUSHPUSH_TOKEN || undefined,
  profile: process.env.HUSHPUSH_PROFILE || undefined,
};

const { env } = process;

/** Who this program is, as others say it in tokens; a job of GitHub asks for one. */
export const identityEnvironment = {
  rule: env.HUSHPUSH_TRUST_RULE || undefined,
  token: env.HUSHPUSH_IDENTITY_TOKEN || undefined,
  file: env.HUSHPUSH_IDENTITY_TOKEN_FILE || undefined,
  requestUrl: env.ACTIONS_ID_TOKEN_REQUEST_URL || undefined,
  requestToken: env.ACTIONS_ID_TOKEN_REQUEST_TOKEN || undefined,
};

/** The proxies that lead out of this network, and the hosts that need none; lower case comes first, as for curl. */
export const proxyEnvironment = {
  http: env.http_proxy ?? env.HTTP_PROXY,
  https: env.https_proxy ?? env.HTTPS_PROXY,
  no: env.no_proxy ?? env.NO_PROXY,
};

/** The folder of the user's settings, by the rules of the XDG Base Directory Specification. */
export const settingsFolder = join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'hushpush');

/** Whether there is a display server to copy to. */
export const displays = {
  wayland: process.env.WAYLAND_DISPLAY !== undefined,
  x11: process.env.DISPLAY !== undefined,
};

/** The command that opens a page, if this machine has a browser to show. */
export const browserCommand = (): string[] | undefined => {
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['explorer'];
  return (displays.wayland || displays.x11) && isInstalled('xdg-open') ? ['xdg-open'] : undefined;
};

/** Whether the shell would find a program. */
export const isInstalled = (program: string) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
