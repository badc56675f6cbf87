import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

// From Linux's /proc. On other systems there are no figures.

/** User and system time of processes in microseconds, in ticks of 10 ms. */
export function cpuMicros(pids: number[]): number {
  const ticksOf = (pid: number) => {
    const fields = procFile(pid, 'stat').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  };
  return pids.reduce((sum, pid) => sum + ticksOf(pid), 0) * 10_000;
}

export function residentMiB(pids: number[]): number {
  const kib = pids.map((pid) => Number(/VmRSS:\s+(\d+)/.exec(procFile(pid, 'status'))?.[1] ?? 0));
  return Math.round(kib.reduce((sum, each) => sum + each, 0) / 1024);
}

/** Memory of processes, of which they share what they have in common. */
export function proportionalMiB(pids: number[]): number {
  const kib = pids.map((pid) => Number(/Pss:\s+(\d+)/.exec(procFile(pid, 'smaps_rollup'))?.[1] ?? 0));
  return Math.round(kib.reduce((sum, each) => sum + each, 0) / 1024);
}

/** A process and its children. */
export function withChildren(pid: number): number[] {
  return [pid, ...procFile(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number)];
}

/** The processes of this machine that listen on a port. */
export function listenersOn(port: number): number[] {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  const lines = [procFile('net', 'tcp'), procFile('net', 'tcp6')].join('\n').split('\n');
  const inodes = lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => state === '0A' && local?.endsWith(`:${hexPort}`))
    .map((fields) => `socket:[${fields[9]}]`);
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => openFiles(pid).some((file) => inodes.includes(file))).map(Number);
}

function openFiles(pid: string): string[] {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).map((name) => readlinkSync(`${folder}/${name}`));
  } catch {
    return []; // ended meanwhile, or another user's
  }
}

function procFile(folder: number | string, name: string): string {
  try {
    return readFileSync(`/proc/${folder}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
