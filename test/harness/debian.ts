import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether this process may install Debian's packages. */
export const canInstall = process.getuid?.() === 0 && existsSync('/etc/debian_version');

/** While policy-rc.d says 101, Debian's packages start no service of their own. --no-remove spares what is there. */
const script = `
policy=/usr/sbin/policy-rc.d
before=$policy.before-hushpush
restore() { if [ -e $before ]; then mv $before $policy; else rm -f $policy; fi; }
trap restore EXIT
trap 'exit 1' HUP INT TERM
if [ -e $policy ]; then mv $policy $before; fi
printf '#!/bin/sh\\nexit 101\\n' > $policy && chmod +x $policy
export DEBIAN_FRONTEND=noninteractive
apt-get -qq update
apt-get -qq -o DPkg::Lock::Timeout=300 install -y --no-remove --no-install-recommends "$1"
`;

/** Installs a package of Debian. Whether that worked shows in what is there afterwards. */
export async function installPackage(name: string): Promise<void> {
  console.log(`Installing ${name}, which the tests need …`);
  const shell = spawn('/bin/sh', ['-c', script, 'install', name], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await once(shell, 'exit');
}

/** The path of a program, looked for in PATH and then in `folders`. */
export function findProgram(name: string, folders: readonly string[] = []): string | undefined {
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...path, ...folders].map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
