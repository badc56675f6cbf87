import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { ensureBuilt, mainFile } from './build.ts';
import { endsWithTest } from './endsWithTest.ts';
import { freePort } from './mariadb.ts';
import { untilLater } from './until.ts';

type Settings = Readonly<Record<string, string>>;

/**
 * `settings` override those of the folder. `preload` is JavaScript that runs before the program. What reads the output
 * of an `isUnread` program has left before it starts.
 */
type RunOptions = { settings?: Settings; input?: string; preload?: string; isUnread?: boolean };

/** How a process ended, and its output. */
export type ProcessResult = { code: number | null; signal: string | null; stdout: string; stderr: string };

export type Folder = Awaited<ReturnType<typeof openFolder>>;

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The command that runs TypeScript with Node. */
export const nodeCommand = [process.execPath, '--import', import.meta.resolve('tsx')];
/** The only variables that a process of a test inherits. */
const inherited = {
  PATH: process.env.PATH ?? '',
  TMPDIR: tmpdir(),
  TSX_TSCONFIG_PATH: join(root, 'tsconfig.json'),
};

/** Creates a working folder for processes of the service. They get no settings but those passed here. */
export async function openFolder(settings: Settings = {}) {
  const path = await mkdtemp(join(tmpdir(), 'folder-'));
  const children = new Set<ChildProcess>();

  /** Starts any program in the folder. */
  function launch(
    [program = '', ...args]: string[],
    { settings: extraSettings = {}, input, isUnread = false }: RunOptions = {},
  ) {
    const child = spawn(program, args, { cwd: path, env: { ...inherited, ...settings, ...extraSettings } });
    children.add(child);
    child.stdin.on('error', () => {}); // a program may end before it reads its input
    child.stdin.end(input);
    if (isUnread) child.stdout.destroy();
    const ended = resultOf(child).finally(() => children.delete(child));
    return { child, ended };
  }

  /** Starts the program. */
  function launchMain(args: string[], options: RunOptions = {}) {
    ensureBuilt();
    const before = options.preload === undefined ? [] : ['--import', toModuleUrl(options.preload)];
    return launch([process.execPath, ...before, mainFile, ...args], options);
  }

  /** Runs a command until it ends. */
  function run(commandLine: string, options: RunOptions = {}): Promise<ProcessResult> {
    return launchMain(splitCommand(commandLine), options).ended;
  }

  /**
   * Runs several commands in one process, because loading the program takes most of the time. Returns the output of
   * each. The first command that fails ends them all. Arguments with spaces need a list.
   */
  async function runAll(
    commands: (string | string[])[],
    options: RunOptions = {},
  ): Promise<Map<string, string>> {
    ensureBuilt();
    const program = `
      for (const [index, command] of process.argv.slice(1).entries()) {
        process.argv = [process.argv[0], ...JSON.parse(command)];
        process.stdout.write('\\0');
        await import(${JSON.stringify(mainFile)} + '?' + index);
      }`;
    const lists = commands.map((command) => (typeof command === 'string' ? splitCommand(command) : command));
    const args = lists.map((list) => JSON.stringify(list));
    const command = [process.execPath, '--input-type=module', '-e', program, '--', ...args];
    const { code, stdout, stderr } = await launch(command, options).ended;
    if (code !== 0 || stderr !== '') throw new Error(`not all of the commands succeeded: ${stdout}${stderr}`);
    const printed = stdout.split('\0').slice(1);
    return new Map(lists.map((list, index) => [list.join(' '), printed[index] ?? '']));
  }

  /** Starts the service on a free port. It listens then, but may not be ready. */
  async function start(options: RunOptions = {}) {
    const { child, ended } = launchMain(['start'], {
      ...options,
      settings: { PORT: String(await freePort()), ...options.settings },
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    const loggedPort = () =>
      Number(/"url":"http:\/\/127\.0\.0\.1:(\d+)"[^}]*"msg":"listening"/.exec(output)?.[1]);
    await untilLater(() => loggedPort() > 0 || !children.has(child));
    const port = loggedPort();
    if (!port) throw new Error(`the service does not listen: ${JSON.stringify(await ended)}`);
    const url = `http://127.0.0.1:${port}`;
    return {
      port,
      url,
      pid: Number(child.pid),
      output: () => output,
      ended,
      kill: (signal: NodeJS.Signals) => child.kill(signal),
      /** Waits until the service is ready. */
      ready: () => untilLater(async () => (await fetch(`${url}/readyz`)).ok),
      /** Stops the service, and returns how it ended. */
      async stop(): Promise<ProcessResult> {
        child.kill('SIGTERM');
        return ended;
      },
    };
  }

  /** Kills running processes, and removes the folder. */
  const remove = endsWithTest(async () => {
    for (const child of children) child.kill('SIGKILL');
    await untilLater(() => children.size === 0);
    await rm(path, { recursive: true, force: true });
  });

  return { path, launch, launchMain, run, runAll, start, remove };
}

function splitCommand(command: string): string[] {
  return command === '' ? [] : command.split(' ');
}

function toModuleUrl(code: string): string {
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

async function resultOf(child: ChildProcess): Promise<ProcessResult> {
  const [stdout, stderr, [code, signal]] = await Promise.all([
    child.stdout === null || child.stdout.destroyed ? '' : text(child.stdout),
    child.stderr === null ? '' : text(child.stderr),
    once(child, 'close') as Promise<[number | null, string | null]>,
  ]);
  return { code, signal, stdout, stderr };
}
