import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether the user declined that tests install packages. */
export const declinesInstallation = process.env.TEST_INSTALL === '0';

/** Whether the tests may install Debian packages: root on Debian, unless TEST_INSTALL=0. */
export const mayInstall =
  !declinesInstallation && process.getuid?.() === 0 && existsSync('/etc/debian_version');

/** While policy-rc.d exits with 101, packages do not start their services. --no-remove keeps what is installed. */
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
apt-get -qq -o DPkg::Lock::Timeout=300 install -y --no-remove --no-install-recommends "$@"
`;

/** Announces and installs Debian packages. The caller checks afterwards whether the programs exist. */
export async function installPackages(names: string[]): Promise<void> {
  if (names.length === 0) return;
  console.log(announcementOf(names));
  const shell = spawn('/bin/sh', ['-c', script, 'install', ...names], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await once(shell, 'exit');
}

function announcementOf(names: string[]): string {
  return `The tests need programs that this machine does not have. Since this is Debian and you are root, they are now
installed: apt-get update, then apt-get install ${names.join(' ')}. No service is started: until the installation
ends, /usr/sbin/policy-rc.d forbids that. To decline, press Ctrl+C and run the tests with TEST_INSTALL=0; what needs
a missing program is then skipped, and the run says so.`;
}

/** The path of a program, searched for in PATH and then in `folders`. */
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
