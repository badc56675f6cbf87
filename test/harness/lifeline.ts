import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Reads what to kill, one line at a time; the end of its input, however this process came to die, is the order. */
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
 * Ties one process (or, by a negative id, one process group) and one folder to the life of this process:
 * when this process ends, even by kill -9, a watching shell stops the one and removes the other.
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
    /** From now on `pid` dies with this process, instead of what was held before. */
    hold(pid: number) {
      shell.stdin.write(`${pid}\n`);
    },
    /** Forgets the held process: its id may soon be somebody else's. */
    release() {
      shell.stdin.write('\n');
    },
    /** Stops what is held, by SIGTERM and after two seconds by SIGKILL, and removes the folder. */
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
