/** A line of the log as people read it: time of day, level, message, then the rest. */
export function terminalText(line: string): string {
  const { time, level, msg, pid: _pid, hostname: _hostname, ...rest } = JSON.parse(line) as LogEntry;
  const fields = Object.entries(rest).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `${time.slice(11, 19)} ${level.padEnd(5)} ${[msg, ...fields].join(' ')}\n`;
}

type LogEntry = { time: string; level: string; msg: string; pid?: number; hostname?: string };
