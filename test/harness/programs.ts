import type { Context } from 'mocha';
import { findProgram } from './debian.ts';

/** Programs of others that run the examples in deploy/, by the Debian package that has them. */
const exampleTools = {
  prometheus: 'promtool',
  nginx: 'nginx',
  haproxy: 'haproxy',
  caddy: 'caddy',
  systemd: 'systemd-analyze',
};

const folders = ['/usr/sbin', '/sbin'];

/** The Debian packages whose program this machine does not have. */
export const missingTools = () =>
  Object.entries(exampleTools)
    .filter(([, program]) => findProgram(program, folders) === undefined)
    .map(([name]) => name);

/** The path of a program. Skips the test, or the suite, where this machine does not have it. */
export function requireProgram(context: Context, name: string): string {
  return findProgram(name, folders) ?? context.skip();
}
