import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Reads the pid to kill, one per line. Kills the last one when its input ends, however this process died. */
const watchdogScript = `
trap '' HUP INT TERM
folder=$1 held=
while read -r line; do held=$line; done
if [ -n "$held" ]; then
  kill -s TERM -- "$held"
  tenths=0
  while [ $tenths -lt 20 ] && kill -s 0 -- "$held"; do sleep 0.1; tenths=$((tenths + 1)); done
  kill -s KILL -- "$held"
fi
for attempt in 1 2 3 4 5; do rm -rf -- "$folder" && break; sleep 0.5; done
`;

const open = new Set<Lifeline>();

type Lifeline = ReturnType<typeof createLifeline>;

/**
 * Ties a process (or a process group, by a negative pid) and a folder to this process. When this process ends, even by
 * SIGKILL, a shell kills the process and removes the folder.
 */
export function createLifeline(folder: string) {
  const shell = spawn('/bin/sh', ['-c', watchdogScript, 'lifeline', folder], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.stdin.on('error', () => {});
  const exited = once(shell, 'exit');

  const lifeline = {
    /** Ties `pid` to this process, instead of the one before. */
    hold(pid: number) {
      shell.stdin.write(`${pid}\n`);
    },
    /** Releases the process: its pid may soon be reused. */
    release() {
      shell.stdin.write('\n');
    },
    /** Stops the process with SIGTERM, and after two seconds with SIGKILL. Removes the folder. */
    async cut() {
      open.delete(lifeline);
      shell.stdin.end();
      await exited;
    },
  };
  open.add(lifeline);
  return lifeline;
}

/** Cuts every lifeline of this process. */
export async function cutLifelines() {
  await Promise.all([...open].map((lifeline) => lifeline.cut()));
}
