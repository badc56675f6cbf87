import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceDatabase } from '../../../test/harness/process.ts';

const everyMs = 500;
/** How late a push may be erased after its end, whatever fails meanwhile. */
const lateMaxMs = 60_000;

type Unerased = { pushes: number; lateMs: number; spent: number; filesLateMs: number };

/** Looks, again and again, at what should be erased and is still there. What ends by its last view or a deletion has no time at all. */
export function watchErasure({ database: { select, dialect } }: Pick<ServiceDatabase, 'database'>) {
  const { now } = dialect;
  const isSpent = '(views_used >= views_max OR deleted)';
  let slowest: Unerased = { pushes: 0, lateMs: 0, spent: 0, filesLateMs: 0 };
  let isStopped = false;

  /** What is still there now. */
  async function look(): Promise<Unerased> {
    const [row] = await select<Record<keyof Unerased, number | null>>(
      `SELECT COUNT(*) AS pushes, MAX(${now} - expires_at) AS lateMs, SUM(CASE WHEN ${isSpent} THEN 1 ELSE 0 END) AS spent,
         (SELECT MAX(${now} - shred_at) FROM files WHERE shred_at BETWEEN 1 AND ${now}) AS filesLateMs
       FROM pushes WHERE payload IS NOT NULL AND (expires_at <= ${now} OR ${isSpent})`,
      {},
    );
    const seen = {
      pushes: Number(row?.pushes),
      lateMs: Number(row?.lateMs ?? 0),
      spent: Number(row?.spent ?? 0),
      filesLateMs: Number(row?.filesLateMs ?? 0),
    };
    slowest = {
      pushes: Math.max(slowest.pushes, seen.pushes),
      lateMs: Math.max(slowest.lateMs, seen.lateMs),
      spent: Math.max(slowest.spent, seen.spent),
      filesLateMs: Math.max(slowest.filesLateMs, seen.filesLateMs),
    };
    return seen;
  }

  async function watch(): Promise<void> {
    while (!isStopped) {
      await look().catch(() => {}); // the database is one of those that fail
      await sleep(everyMs);
    }
  }

  const watching = watch();
  return {
    /** Whether nothing is left to erase, or something is late. */
    async isDecided(): Promise<boolean> {
      const { pushes, filesLateMs } = await look();
      return (pushes === 0 && filesLateMs === 0) || failures().length > 0;
    },
    failures,
    figures: () => ({
      'slowest erasure, s': seconds(slowest.lateMs),
      'slowest erasure of a file, s': seconds(slowest.filesLateMs),
    }),
    async stop(): Promise<void> {
      isStopped = true;
      await watching;
    },
  };

  function failures(): string[] {
    const { lateMs, spent, filesLateMs } = slowest;
    const within = `was still there after ${lateMaxMs / 1000} s`;
    return [
      ...(spent > 0 ? [`${spent} pushes still had a payload after their last view or their deletion`] : []),
      ...(lateMs > lateMaxMs ? [`an expired push ${within}`] : []),
      ...(filesLateMs > lateMaxMs ? [`a file without a reader ${within}`] : []),
    ];
  }
}

const seconds = (ms: number) => (ms / 1000).toFixed(1);
