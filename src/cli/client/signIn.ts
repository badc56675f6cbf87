import { spawn } from 'node:child_process';
import { hostname } from 'node:os';
import { text } from 'node:stream/consumers';
import { type ClientOptions, type PushClient, RefusedError, signInByDevice } from '../../client/client.ts';
import { packageVersion } from '../../runtime/package.ts';
import { print } from '../output.ts';
import {
  canonicalServer,
  connect,
  openClient,
  type ServerOptions,
  tokenOf,
  warnOfPlainText,
} from './connect.ts';
import { browserCommand } from './environment.ts';
import { ClientCommandError, withFullStop } from './failure.ts';
import { profilesFile, readProfiles, writeProfiles } from './profiles.ts';
import { proxiedFetch } from './proxy.ts';
import { askSecret, note, requireTerminal, visible } from './terminal.ts';

type SignInOptions = ServerOptions & {
  profile: string;
  email?: string;
  pasteToken?: true;
  tokenStdin?: true;
  tokenCommand?: string;
};

/** `hushpush sign-in`. Asks for nothing before the server has answered, and stores nothing that it does not accept. */
export async function signIn(address: string, options: SignInOptions): Promise<void> {
  const server = canonicalServer(address);
  warnOfPlainText(server, options);
  const { application_version, features = [] } = await (await openClient({ server })).version();
  const { email, tokenCommand, profile: name } = options;
  const isByBrowser = features.includes('device-sign-in') && !options.tokenStdin && !options.pasteToken;
  const askFor = isByBrowser ? signInByBrowser : readToken;
  const token = tokenCommand === undefined ? await askFor(options, server) : undefined;
  const profile = { server, token, tokenCommand, email };
  await checkToken({ server, email, token: await tokenOf(profile) });
  const { profiles } = await readProfiles();
  await writeProfiles({ current: name, profiles: { ...profiles, [name]: profile } });
  print(
    options.json,
    { server, profile: name },
    visible(`Signed in to ${server} (version ${application_version}).`),
  );
  note(`The profile ${name} is in ${profilesFile}.`, options);
}

/** `hushpush sign-out` */
export async function signOut({ profile: name, json }: ServerOptions & { profile: string }): Promise<void> {
  const { current, profiles } = await readProfiles();
  if (profiles[name] === undefined) throw new Error(`There is no profile ${name}.`);
  const { [name]: removed, ...rest } = profiles;
  const [first = 'default'] = Object.keys(rest);
  await writeProfiles({ current: current === name ? first : current, profiles: rest });
  print(
    json,
    { profile: name, removed: true },
    `Removed the profile ${name}. Revoke its token at ${removed?.server} if nobody else uses it.`,
  );
}

/** `hushpush whoami` */
export async function whoami(options: ServerOptions): Promise<void> {
  const { client, hasToken, source } = await connect(options);
  const version = await client.version();
  if (hasToken) await requireAccepted(client);
  const scope = await client.tokenScope();
  const result = {
    server: client.server,
    software: `${version.edition} ${version.application_version}`,
    signed_in: hasToken,
    scope: scope ?? null,
    source,
  };
  const caller = hasToken ? 'Signed in' : 'Not signed in';
  const rights = scope === undefined ? '' : ` The token has the scope ${scope}.`;
  print(
    options.json,
    result,
    visible(`${caller} to ${result.server} (version ${version.application_version}), by ${source}.${rights}`),
  );
}

/** Opens a page of the server, if that can be. Nothing waits for it. */
function openBrowser(url: string): void {
  const [program, ...args] = browserCommand() ?? [];
  if (program === undefined) return;
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}

/** Shows the code, and opens the page where there is a browser; the page may be opened on any other machine as well. */
async function signInByBrowser(options: SignInOptions, server: string): Promise<string> {
  const throughProxy = await proxiedFetch();
  return signInByDevice({
    server,
    name: `hushpush on ${hostname()}`.slice(0, 100),
    userAgent: `hushpush/${packageVersion()}`,
    ...(throughProxy && { fetch: throughProxy }),
    onCode({ url, completeUrl, code }) {
      process.stderr.write(visible(`Open ${url} in a browser, and type the code ${code}\n`));
      if (process.stderr.isTTY) openBrowser(completeUrl);
      note('Waiting for your answer there. Ctrl-C ends it; --paste-token asks for a token instead.', options);
    },
  });
}

async function readToken({ tokenStdin, ...options }: SignInOptions, server: string): Promise<string> {
  const token = tokenStdin ? await text(process.stdin) : await askToken(server, options);
  if (token.trim() === '') throw new Error('The token is empty. Nothing was stored.');
  return token.trim();
}

function askToken(server: string, options: ServerOptions): Promise<string> {
  requireTerminal('Use --token-stdin or --token-command.');
  note(`The page of your account at ${server} makes API tokens.`, options);
  return askSecret('API token: ');
}

async function checkToken(options: ClientOptions): Promise<void> {
  try {
    await requireAccepted(await openClient(options));
  } catch (error) {
    if (!(error instanceof RefusedError) || error.status !== 401) throw error;
    const reason = withFullStop(error.message);
    throw new ClientCommandError(
      `${options.server} does not accept the token: ${reason} Nothing was stored.`,
      { code: error.code, status: error.status },
      error,
    );
  }
}

/** Throws if the server refuses the token. One that may only create pushes is good, though it may not list them. */
async function requireAccepted({ list }: PushClient): Promise<void> {
  await list()
    .next()
    .catch((error: unknown) => {
      if (!(error instanceof RefusedError) || error.code !== 'forbidden') throw error;
    });
}
