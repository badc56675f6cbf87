import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');

/** Where the base image of the Dockerfile has Node.js. */
const nodeInImage = '/usr/local/bin/node';

type Instruction = { name: string; text: string };

/** The instructions of a Dockerfile, in order. Continued lines are joined; comments are left out. */
function parseDockerfile(text: string): Instruction[] {
  return text
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? [];
      return { name, text: rest };
    });
}

/** Says which paths a .dockerignore lets through: the last pattern that matches a path, or a folder above it, decides. */
export function createContextFilter(ignore: string): (path: string) => boolean {
  const patterns = ignore
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isLetThrough: line.startsWith('!'), pattern: expressionOf(line.replace(/^!/, '')) }));
  return (path) => patterns.findLast(({ pattern }) => pattern.test(path))?.isLetThrough ?? true;
}

function expressionOf(pattern: string): RegExp {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*');
  return new RegExp(`^${escaped}(/.*)?$`);
}

export type Replayed = {
  /** The folder that stands for the root of the image. */
  image: string;
  user: string | undefined;
  environment: Record<string, string>;
  healthcheck: string[];
  entrypoint: string[];
};

/**
 * Does in folders what `docker build` does in containers: copies what the Dockerfile copies out of what .dockerignore
 * lets through, and runs the commands, with Node.js and npm of this machine. What installs packages of the base image
 * is left out.
 */
export async function replayDockerfile(file: string, folder: string): Promise<Replayed> {
  const context = join(folder, 'context');
  await copyContext(await readFile(`${file}.dockerignore`, 'utf8'), context);
  const stages: { name: string; image: string }[] = [];
  const settings = new Map<string, string>();
  let workdir = '/';
  for (const { name, text } of parseDockerfile(await readFile(file, 'utf8'))) {
    const image = stages.at(-1)?.image ?? '';
    const inImage = (path: string) => join(image, path.startsWith('/') ? path : join(workdir, path));
    if (name === 'FROM') {
      const [, stage = 'last'] = / AS (\w+)$/.exec(text) ?? [];
      stages.push({ name: stage, image: await openStage(join(folder, stage), text) });
      workdir = '/';
    } else if (name === 'WORKDIR') {
      workdir = text;
      await mkdir(inImage(text), { recursive: true });
    } else if (name === 'COPY') {
      const [, from] = /--from=(\w+)/.exec(text) ?? [];
      const source = from === undefined ? context : stages.find((stage) => stage.name === from)?.image;
      const words = text.split(/\s+/).filter((word) => !word.startsWith('--'));
      await copy(String(source), words.slice(0, -1), String(words.at(-1)), inImage);
    } else if (name === 'RUN') {
      if (!text.startsWith('apt-get '))
        await runIn(inImage('.'), text.replaceAll(' /data', ` ${image}/data`));
    } else {
      settings.set(name, text);
    }
  }
  return {
    image: stages.at(-1)?.image ?? '',
    user: settings.get('USER'),
    environment: Object.fromEntries((settings.get('ENV') ?? '').split(' ').map((pair) => pair.split('='))),
    healthcheck: JSON.parse(/CMD (\[.*\])/.exec(settings.get('HEALTHCHECK') ?? '')?.[1] ?? '[]'),
    entrypoint: JSON.parse(settings.get('ENTRYPOINT') ?? '[]'),
  };
}

async function copyContext(ignore: string, context: string): Promise<void> {
  const isLetThrough = createContextFilter(ignore);
  for (const name of await readdir(root)) {
    if (!isLetThrough(name)) continue;
    const filter = (path: string) => isLetThrough(relative(root, path));
    await cp(join(root, name), join(context, name), { recursive: true, filter });
  }
}

async function openStage(image: string, base: string): Promise<string> {
  if (!base.startsWith('node:')) return image;
  await mkdir(join(image, dirname(nodeInImage)), { recursive: true });
  await symlink(process.execPath, join(image, nodeInImage));
  return image;
}

async function copy(source: string, patterns: string[], target: string, inImage: (path: string) => string) {
  for (const pattern of patterns) {
    const expression = expressionOf(basename(pattern));
    const folder = join(source, dirname(pattern));
    const names = (await readdir(folder)).filter((name) => expression.test(name));
    if (names.length === 0) throw new Error(`COPY finds no ${pattern}`);
    for (const name of names) {
      const to = target.endsWith('/') ? join(inImage(target), name) : inImage(target);
      await cp(join(folder, name), to, { recursive: true, verbatimSymlinks: true });
    }
  }
}

async function runIn(folder: string, command: string): Promise<void> {
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
  };
  await run('/bin/sh', ['-ec', command], { cwd: folder, env }).catch((error) => {
    throw new Error(`RUN ${command} failed:\n${error.stdout}${error.stderr}`);
  });
}
