import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import {
  type ClientOptions,
  createClient,
  type ExchangedToken,
  exchangeToken,
  githubIdentity,
  type PushClient,
  parsePushLink,
} from '../../client/client.ts';
import { packageVersion } from '../../runtime/package.ts';
import { print } from '../output.ts';
import { clientEnvironment, identityEnvironment } from './environment.ts';
import { type Profile, readProfiles } from './profiles.ts';
import { proxiedFetch } from './proxy.ts';
import { note } from './terminal.ts';

/** The options that every command of the client has. */
export type ServerOptions = { server?: string; profile?: string; json?: true; quiet?: true };

/** A client, and where its settings come from. */
export type Connection = { client: PushClient; hasToken: boolean; source: string };

const run = promisify(execFile);

const noServer = () =>
  new Error(
    'There is no server yet. Run hushpush sign-in https://push.example.com, or add --server, or set HUSHPUSH_SERVER.',
  );

/** A client that names this program, and goes through the proxies of the environment. */
export async function openClient(options: ClientOptions): Promise<PushClient> {
  const throughProxy = await proxiedFetch();
  const userAgent = `hushpush/${packageVersion()}`;
  return createClient({ ...options, userAgent, ...(throughProxy && { fetch: throughProxy }) });
}

/**
 * Opens a client: of the server that is asked for, else that of a link, of the environment, or of a profile. A token is
 * sent to the server that it belongs to, and to no other.
 */
export async function connect(options: ServerOptions, link?: string): Promise<Connection> {
  const { name, profile, profiles } = await chosenProfile(options);
  const server = options.server ?? serverOf(link) ?? profile?.server;
  if (server === undefined) throw noServer();
  const candidates = [...(profile ? [profile] : []), ...profiles];
  const known = candidates.find((one) => isSameServer(one.server, server)) ?? { server };
  const token = (await environmentToken(server, options, profile)) ?? (await tokenOf(known));
  const client = await openClient({ server, token, email: known.email });
  warnOfPlainText(client.server, options);
  return { client, hasToken: token !== undefined, source: known === profile ? name : 'the options' };
}

/** `hushpush exchange` */
export async function exchange(options: ServerOptions): Promise<void> {
  if (!hasIdentity())
    throw new Error(
      'There is no identity to exchange. Set HUSHPUSH_IDENTITY_TOKEN or HUSHPUSH_IDENTITY_TOKEN_FILE, or HUSHPUSH_TRUST_RULE in GitHub.',
    );
  const server = options.server ?? (await chosenProfile(options)).profile?.server;
  if (server === undefined) throw noServer();
  const { token, scope, expiresInSeconds } = await exchangeIdentity(server);
  print(options.json, { token, scope, expires_in: expiresInSeconds }, token);
}

const serverOf = (link: string | undefined) => (link ? parsePushLink(link)?.server : undefined);

/**
 * The token of the environment, or the one that its identity is exchanged for. Both belong to the server of the environment, or else
 * to the one that is in use.
 */
async function environmentToken(server: string, options: ServerOptions, profile: Profile | undefined) {
  if (options.profile !== undefined) return undefined;
  const itsServer = clientEnvironment.server ?? options.server ?? profile?.server;
  if (itsServer === undefined || !isSameServer(itsServer, server)) return undefined;
  if (clientEnvironment.token !== undefined || !hasIdentity()) return clientEnvironment.token;
  return (await exchangeIdentity(server)).token;
}

/** The profile that is asked for, else the server of the environment, else the current profile if there is one. */
async function chosenProfile(options: ServerOptions) {
  const { current, profiles } = await readProfiles();
  const others = Object.values(profiles);
  const named = options.profile ?? clientEnvironment.profile;
  if (named !== undefined && profiles[named] === undefined)
    throw new Error(`There is no profile ${named}. Run hushpush sign-in --profile ${named}.`);
  const { server } = clientEnvironment;
  if (named === undefined && server !== undefined)
    return {
      name: 'the environment',
      profile: others.find((one) => isSameServer(one.server, server)) ?? { server },
      profiles: others,
    };
  const name = named ?? current;
  return { name: `the profile ${name}`, profile: profiles[name], profiles: others };
}

/** Warns before something is sent that others can read. */
export function warnOfPlainText(server: string, options: ServerOptions): void {
  const { protocol, hostname } = new URL(server);
  if (protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname))
    note(`Warning: ${server} is not encrypted. Others on the way can read what you send.`, options);
}

/** The token of a profile, from its command if it has one. */
export async function tokenOf({ token, tokenCommand }: Profile): Promise<string | undefined> {
  if (token !== undefined || tokenCommand === undefined) return token;
  try {
    const { stdout } = await run('/bin/sh', ['-c', tokenCommand]);
    return stdout.trim();
  } catch {
    throw new Error(`The command for the token failed: ${tokenCommand}`);
  }
}

const isSameServer = (one: string, other: string) => canonicalServer(one) === canonicalServer(other);

/** The address as the client understands it. */
export const canonicalServer = (server: string) => createClient({ server }).server;

/** Whether the environment says that this program has an identity of its own. */
const hasIdentity = (): boolean =>
  [identityEnvironment.rule, identityEnvironment.token, identityEnvironment.file].some(Boolean);

/** Exchanges the identity that the environment gives to this program for an API token of a server. */
async function exchangeIdentity(server: string): Promise<ExchangedToken> {
  const throughProxy = await proxiedFetch();
  const common = { ...(throughProxy && { fetch: throughProxy }) };
  const { rule } = identityEnvironment;
  const identityToken = await readIdentity(common);
  return exchangeToken({ server, identityToken, rule, userAgent: `hushpush/${packageVersion()}`, ...common });
}

async function readIdentity(common: { fetch?: typeof fetch }): Promise<string> {
  const { rule, token, file, requestUrl, requestToken } = identityEnvironment;
  if (token !== undefined) return token.trim();
  if (file !== undefined) return (await readFile(file, 'utf8')).trim();
  if (rule !== undefined && requestUrl !== undefined && requestToken !== undefined)
    return githubIdentity({ requestUrl, requestToken, rule, ...common });
  throw new Error(
    'HUSHPUSH_TRUST_RULE is set, but this job has no identity. In GitHub, give it the permission id-token: write; elsewhere, set HUSHPUSH_IDENTITY_TOKEN or HUSHPUSH_IDENTITY_TOKEN_FILE.',
  );
}
