import { spawnSync } from 'node:child_process';
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { readConfig } from '../../src/config.ts';
import { newKey } from '../../src/crypto/keyring.ts';
import { mainFile } from '../harness/build.ts';
import { type Folder, openFolder } from '../harness/cli.ts';
import { findProgram } from '../harness/debian.ts';

const root = join(import.meta.dirname, '..', '..');

/** What a page needs before its first block. */
export type Preparation = {
  /** Commands of hushpush that run first. */
  commands?: string[] | undefined;
  /** What commands read from standard input, by their first words. */
  inputs?: Record<string, string> | undefined;
  /** Files that the page names as the reader's own. */
  files?: string[] | undefined;
};

/** The addresses that pages give to the service. */
const serviceAddresses = /http:\/\/127\.0\.0\.1:5100|https:\/\/push\.example\.com/g;

/** What a reader puts in place of “…” and the like, where not every text will do. */
const samples: Record<string, string> = {
  SLACK_APP_TOKEN: 'xapp-1',
  SLACK_BOT_TOKEN: 'xoxb-1',
  DISCORD_APPLICATION_ID: '123456789012345678',
  DISCORD_PUBLIC_KEY: '0123456789abcdef'.repeat(4),
  SLACK_SIGNING_SECRET: '0123456789abcdef'.repeat(2),
  DISCORD_TOKEN: 'MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.0123456789abcdefghijklmnopqrstuvwxyzAB',
};

/** Whether all that a block has is settings. */
export const isSettings = (text: string) => /^([A-Z_]+=.*\n)+$/.test(text);

/** The options with which a command does not ask at a terminal, by the words that it begins with. */
const unasked: Record<string, string> = {
  'hushpush sign-in': '--token-stdin',
  'hushpush push --attach': '-file passphrase',
  'npx hushpush admin account password': '--stdin',
  'npx hushpush restore': '--yes',
};

const wordsFor = (entries: Record<string, string>, command: string) =>
  Object.entries(entries).find(([words]) => command.startsWith(words))?.[1] ?? '';

/** A command with its options for scripts, before the comment at its end. */
function withoutQuestions(command: string): string {
  const [, words = command, comment = ''] = /^(.*?)( +#.*)$/s.exec(command) ?? [];
  const options = wordsFor(unasked, command);
  return `${words}${options.startsWith('-file') ? '' : ' '}${options}${comment}`;
}

/** The commands of a block of a shell, with lines that belong together in one. Comments alone are none. */
export function commandsOf(text: string): string[] {
  const commands: string[] = [];
  let open = '';
  for (const line of text.split('\n')) {
    open = open === '' ? line : `${open}\n${line}`;
    if (open.trim() === '' || open.startsWith('#')) open = '';
    else if (!open.endsWith('\\') && isComplete(open)) {
      commands.push(open);
      open = '';
    }
  }
  return commands;
}

const isComplete = (command: string) => spawnSync('/bin/sh', ['-nc', command]).status === 0;

/**
 * A fresh folder in which a page is followed from top to bottom, as its reader would: with a service of its own, the
 * programs that it names, and what earlier commands returned in place of TOKEN and the like.
 */
export async function openPage({ commands = [], inputs = {}, files = [] }: Preparation = {}) {
  const folder = await openFolder({ RATE_LIMITS: 'off' });
  await writePrograms(folder.path);
  for (const name of files) await writeFile(join(folder.path, name), 'tulip');
  /** What stands for a word that only the reader knows. */
  const values = new Map<string, string>();
  let service: Awaited<ReturnType<Folder['start']>> | undefined;
  let hasStarted = false;
  let isPrepared = false;

  async function start() {
    await stop();
    hasStarted = true;
    service = await folder.start();
    await service.ready();
  }

  async function stop() {
    await service?.stop();
    service = undefined;
  }

  function learn(printed: string) {
    for (const [name, pattern] of Object.entries(learnt)) {
      const [, value] = pattern.exec(printed)?.filter((group) => group !== undefined) ?? [];
      const stays = isPrepared || name === 'TOKEN';
      if (value !== undefined && !(stays && values.has(name))) values.set(name, value);
    }
  }

  /** A text of the page with what this folder has in place of what the reader has. */
  const filled = (text: string) =>
    text
      .replace(serviceAddresses, service?.url ?? 'http://127.0.0.1:1')
      .replace(
        /(\/p\/|activity |extend |expire )TOKEN/g,
        (_, before) => `${before}${values.get('URL_TOKEN')}`,
      )
      .replace(/\b(?:TOKEN|URL_TOKEN|SHA256|GRANT)\b/g, (name) => values.get(name) ?? name);

  async function launch(text: string, input: string): Promise<void> {
    const settings = { PATH: `${folder.path}/bin:${process.env.PATH}`, HOME: folder.path };
    const result = await folder.launch(['/bin/sh', '-euc', text], { settings, input }).ended;
    if (result.code !== 0)
      throw new Error(`${text}\nended with ${result.code}:\n${result.stdout}${result.stderr}`);
    learn(result.stdout);
  }

  /** Runs a command as a shell does. Throws an error that shows it, with what it printed, unless it succeeds. */
  async function run(command: string): Promise<void> {
    if (/ start( *#.*)?$/.test(command)) return start();
    if (!hasStarted) await start();
    if (/ restore |migrate down|service stopped/.test(command)) await stop();
    if (command.includes('in the new place')) await rm(join(folder.path, 'data'), { recursive: true });
    // What is downloaded would replace what was uploaded, which curl refuses.
    const text = command.replace('curl -OJ', 'cd bin && curl -OJ');
    await launch(filled(withoutQuestions(text)), filled(wordsFor(inputs, command)));
  }

  for (const command of commands) await run(command);
  isPrepared = commands.length > 0;

  /** Settings of earlier blocks stay. */
  const environment: NodeJS.ProcessEnv = {};

  return {
    run,
    /** Throws an error unless hushpush accepts the settings of a block. */
    set(text: string) {
      Object.assign(environment, parseEnv(text.replaceAll('BASE64', newKey()).replace('BUCKET', 'tulips')));
      for (const [name, value] of Object.entries(environment))
        if (value?.endsWith('…')) environment[name] = samples[name] ?? 'tulip';
      readConfig(environment);
    },
    /** Runs JavaScript of the page as a module beside the installed package. */
    async runModule(text: string) {
      if (!hasStarted) await start();
      const needsClient = !text.includes('const client =') && text.includes('client.');
      const module = needsClient ? text.replace('\n\n', `\n\n${newClient}\n`) : text;
      await writeFile(join(folder.path, 'snippet.mjs'), filled(module));
      await launch(`HUSHPUSH_TOKEN=${values.get('TOKEN')} ${process.execPath} snippet.mjs`, '');
    },
    async close() {
      await stop();
      await folder.remove();
    },
  };
}

const newClient =
  "const client = createClient({ server: 'https://push.example.com', token: process.env.HUSHPUSH_TOKEN });";

/** What a reader takes from the output of one command for the next ones. */
const learnt: Record<string, RegExp> = {
  URL_TOKEN: /"url_token":"([^"]+)"|\/p\/([\w-]+)$/m,
  SHA256: /"url_token_sha256":"([^"]+)"/,
  GRANT: /\/download\/([^/"]+)\/1"/,
  TOKEN: /"token":"([^"]+)"|^([\w-]{40,})$/m,
};

/** What the reader has installed: hushpush, and a curl that fails when a server refuses. */
async function writePrograms(folder: string): Promise<void> {
  const curl = findProgram('curl');
  const main = `exec '${process.execPath}' '${mainFile}'`;
  const programs = {
    curl: `exec ${curl} --silent --show-error --fail-with-body "$@"`,
    hushpush: `${main} "$@"`,
    npx: `test "$1" = hushpush; shift; ${main} "$@"`,
    uuidgen: `exec '${process.execPath}' -p 'crypto.randomUUID()'`,
  };
  await mkdir(join(folder, 'bin'));
  for (const [name, text] of Object.entries(programs)) {
    await writeFile(join(folder, 'bin', name), `#!/bin/sh -e\n${text}\n`);
    await chmod(join(folder, 'bin', name), 0o755);
  }
  await mkdir(join(folder, 'node_modules'));
  await symlink(root, join(folder, 'node_modules/hushpush'));
  await symlink(join(root, 'node_modules/undici'), join(folder, 'node_modules/undici'));
}
