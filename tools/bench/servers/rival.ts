import { listenersOn, withChildren } from './processes.ts';
import type { Server } from './server.ts';

/** A running service of another kind: `NAME=URL`, or `NAME=URL,PORT` with the port of its database on this machine. */
export function rivalServer(argument: string, known: string[]): Server {
  const [, name = '', url = '', databasePort] = /^(\w+)=(https?:[^,]+)(?:,(\d+))?$/.exec(argument) ?? [];
  if (!known.includes(name))
    throw new Error(`--rival takes NAME=URL, where NAME is one of ${known.join(', ')}: ${argument}`);
  const { port } = new URL(url);
  const withTheirChildren = (pids: number[]) => [...new Set(pids.flatMap(withChildren))];
  return {
    ...{ name, target: name, url },
    pids: () => withTheirChildren(listenersOn(Number(port || 80))),
    databasePids: () =>
      databasePort === undefined ? [] : withTheirChildren(listenersOn(Number(databasePort))),
    stop: async () => {},
  };
}
