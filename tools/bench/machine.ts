import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';

/** What the whole machine has done since it started, from Linux's /proc: in ticks, over all cores. */
function machineTicks(): { all: number; stolen: number } {
  const [, ...ticks] = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/\s+/) ?? [];
  const counted = ticks.slice(0, 8).map(Number); // the rest is contained in these
  return { all: counted.reduce((sum, each) => sum + each, 0), stolen: counted[7] ?? 0 };
}

/** How busy the machine is with other things: the load before a run, and the time that its host took away since then. */
export function watchMachine() {
  const [load = 0] = loadavg();
  const before = machineTicks();
  return (): string => {
    const after = machineTicks();
    const stolen = (after.stolen - before.stolen) / (after.all - before.all || 1);
    return `load ${load.toFixed(1)} before, ${(100 * stolen).toFixed(1)} % stolen`;
  };
}
