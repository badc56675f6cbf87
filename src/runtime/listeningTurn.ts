import cluster, { type Worker } from 'node:cluster';
import { withinTime } from '../retry.ts';

type Turn = 'ready' | 'waiting';

const patienceMs = 1_000;
const yourTurn = 'listen';

/**
 * Resolves when this process may listen: once it is ready, so that no client meets a process that cannot serve yet. If
 * that takes longer than a second, as when the database is away, it also resolves while no other process of the
 * service listens, so that somebody responds with 503. Resolves to false if the process will never be ready.
 */
export async function listeningTurn(ready: Promise<boolean>): Promise<boolean> {
  const isReady = (await withinTime(ready, patienceMs))?.value;
  if (!cluster.isWorker) return isReady ?? true;
  if (isReady === undefined) report('waiting');
  const granted = new Promise<true>((resolve) => {
    process.on('message', (message) => message === yourTurn && resolve(true));
  });
  ready.then((value) => value && report('ready'));
  return Promise.race([ready, granted]);
}

function report(turn: Turn): void {
  process.send?.({ turn }, undefined, undefined, () => {});
}

/** Decides for the web processes who listens before it is ready: one of them at most, while none is. */
export function grantListeningTurns(): void {
  const listening = new Set<Worker>();
  const waiting = new Set<Worker>();

  function grant(): void {
    const [first] = waiting;
    if (listening.size > 0 || first === undefined) return;
    waiting.delete(first);
    listening.add(first);
    first.send(yourTurn, () => {});
  }

  cluster.on('message', (worker, { turn }: { turn?: Turn }) => {
    if (turn === 'waiting') waiting.add(worker);
    if (turn === 'ready') {
      waiting.delete(worker);
      listening.add(worker);
    }
    grant();
  });
  cluster.on('exit', (worker) => {
    listening.delete(worker);
    waiting.delete(worker);
    grant();
  });
}
