import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { blocksOf } from '../../../test/docs/blocks.ts';
import { findProgram } from '../../../test/harness/debian.ts';
import { until } from '../../../test/harness/until.ts';
import type { Outcome } from '../experiment.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..', '..');

export const imageName = 'hushpush';
export const [nodeInImage, mainInImage] = ['/usr/local/bin/node', '/app/dist/src/main.js'];

/** Runs docker in a folder, by default that of this repository. Returns what it printed. */
export async function docker(args: string[], options: { cwd?: string; env?: Record<string, string> } = {}) {
  const env = { ...process.env, ...options.env };
  const { stdout } = await run('docker', args, { cwd: options.cwd ?? root, env, maxBuffer: 2 ** 26 });
  return stdout.trim();
}

/** Runs a line of a shell in the folder of this repository, such as one of a document. Returns what it printed. */
export async function shell(line: string): Promise<string> {
  const { stdout } = await run('/bin/sh', ['-ec', line], { cwd: root, maxBuffer: 2 ** 26 });
  return stdout.trim();
}

/** The shell blocks under a heading of deploy/README.md, in order. */
export async function readmeBlocks(heading: string): Promise<string[]> {
  const page = await readFile(join(root, 'deploy/README.md'), 'utf8');
  return blocksOf(page)
    .filter((block) => block.language === 'sh' && block.heading === heading)
    .map(({ text }) => text);
}

/** What keeps containers from being run on this machine. */
export async function whyNoDocker(): Promise<string | undefined> {
  if (findProgram('docker') === undefined) return 'there is no docker in PATH';
  const answer = await docker(['info', '--format', '{{.ServerErrors}}']).catch(() => 'failed');
  return answer === '[]' ? undefined : 'docker does not reach its service';
}

export const skipped = (reason: string): Outcome => ({ figures: { skipped: reason }, failures: [] });

/** Builds the image as deploy/README.md says, and returns how many seconds that took. */
export async function buildImage(tag = imageName): Promise<number> {
  const startedAt = performance.now();
  await docker(['build', '--network', 'host', '--file', 'deploy/Dockerfile', '--tag', tag, '.']);
  return Math.round((performance.now() - startedAt) / 1_000);
}

export async function becomesHealthy(container: string): Promise<void> {
  const format = ['--format', '{{.State.Health.Status}}'];
  await until(async () => (await docker(['inspect', ...format, container])) === 'healthy', 120_000);
}

type Request = { url: string; method?: string; headers?: Record<string, string>; body?: unknown };

export type Answer = { status: number; body: Record<string, unknown> };

const client = `
const { url, method, headers, body } = JSON.parse(process.argv[1]);
const json = { 'content-type': 'application/json' };
const answer = await fetch(url, { method, headers: { ...(body && json), ...headers }, body: body && JSON.stringify(body) });
const text = await answer.text();
let parsed = {};
try { parsed = JSON.parse(text); } catch {}
console.log(JSON.stringify({ status: answer.status, body: parsed }));`;

/** What Node.js of the image runs to send a request from within a container. */
export const requestCommand = (request: Request) => [
  '--input-type=module',
  '-e',
  client,
  JSON.stringify(request),
];

/** Collects what does not hold. */
export function createChecks() {
  const failures: string[] = [];
  return {
    failures,
    that(holds: boolean, sentence: string) {
      if (!holds) failures.push(sentence);
    },
  };
}
