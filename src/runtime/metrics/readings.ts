import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Gauge, type Registry } from 'prom-client';
import { type Config, databaseFileOf, fileStoreSettings } from '../../config.ts';
import type { Backlog } from '../../domain/index.ts';

/** Values that are read when metrics are requested. */
export type Readings = {
  domain: {
    notices: { backlog(): Promise<Backlog>; waitingSince(ages: number[]): Promise<number[]> };
    restoration: { lastBackupAt(): Promise<number | undefined> };
    sweeps: { overdue(): Promise<Backlog> };
    files: { overdue(): Promise<Backlog> };
    pushes: { waiting(): Record<'create' | 'claim', number> };
    passwordChecks(): Record<'account' | 'passphrase', { waiting: number }>;
  };
  database: { connections(): { open: number; idle: number; waiting: number } };
};

/** Adds gauges that are read from the database for each scrape. A gauge that cannot be read is omitted. */
export function addReadings(registers: Registry[], { domain, database }: Readings): void {
  const outbox = coalesced(domain.notices.backlog);
  const overdue = coalesced(domain.sweeps.overdue);
  const overdueFiles = coalesced(domain.files.overdue);
  const gauge = (name: string, help: string, read: () => Promise<number> | number, ofAll = true) =>
    new Gauge({
      name: `hushpush_${name}`,
      help,
      registers,
      aggregator: ofAll ? 'max' : 'sum',
      async collect() {
        try {
          this.set(await read());
        } catch {
          this.remove();
        }
      },
    });
  gauge('notices_waiting', 'Notices that wait for delivery', async () => (await outbox()).waiting);
  gauge(
    'notices_overdue_seconds',
    'How long the oldest notice has been overdue',
    async () => (await outbox()).overdueMs / 1000,
  );
  gauge(
    'last_backup_timestamp_seconds',
    'When the last backup by hushpush backup was taken; 0 if there was none',
    async () => ((await domain.restoration.lastBackupAt()) ?? 0) / 1000,
  );
  addNoticeAges(registers, domain.notices);
  gauge('pushes_overdue', 'Expired pushes that are not erased yet', async () => (await overdue()).waiting);
  gauge(
    'pushes_overdue_seconds',
    'How long the oldest of them has been expired',
    async () => (await overdue()).overdueMs / 1000,
  );
  gauge(
    'files_overdue',
    'Files that should have been shredded already',
    async () => (await overdueFiles()).waiting,
  );
  gauge(
    'files_overdue_seconds',
    'How long the oldest of them has been overdue',
    async () => (await overdueFiles()).overdueMs / 1000,
  );
  for (const kind of ['account', 'passphrase'] as const) {
    gauge(
      `${kind}_hashes_waiting`,
      `Callers that wait for a hash: ${kind}`,
      () => domain.passwordChecks()[kind].waiting,
      false,
    );
  }
  for (const work of ['create', 'claim'] as const) {
    gauge(
      `${work}_batch_waiting`,
      `Requests that wait for the next batch: ${work}`,
      () => domain.pushes.waiting()[work],
      false,
    );
  }
  for (const state of ['open', 'idle', 'waiting'] as const) {
    gauge(
      `database_connections_${state}`,
      `Connections to the database: ${state}`,
      () => database.connections()[state],
      false,
    );
  }
}

const noticeAgesSeconds = [60, 900, 3_600, 86_400];

/** A notice that fails again and again is never long overdue, because each attempt makes it due later. It only gets old. */
function addNoticeAges(registers: Registry[], notices: Readings['domain']['notices']): void {
  new Gauge({
    name: 'hushpush_notices_waiting_by_age',
    help: 'Notices that wait although they were due, by how many seconds they are older than',
    labelNames: ['older_than'],
    registers,
    aggregator: 'max',
    async collect() {
      this.reset();
      const counts = await notices.waitingSince(noticeAgesSeconds.map((age) => age * 1000)).catch(() => []);
      for (const [index, count] of counts.entries())
        this.set({ older_than: String(noticeAgesSeconds[index]) }, count);
    },
  });
}

/** Shares one reading among all callers while it is running. */
function coalesced<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}

/** Adds the free space of the folders that hold data. One that cannot be read is omitted. */
export function addFreeSpace(registers: Registry[], config: Config): void {
  const file = databaseFileOf(config);
  const files = fileStoreSettings(config);
  const folders = {
    ...(file !== undefined && { database: dirname(file) }),
    ...('folder' in files && { files: files.folder }),
  };
  new Gauge({
    name: 'hushpush_folder_free_bytes',
    help: 'Free space for the embedded database, and for files in a folder',
    labelNames: ['folder'],
    aggregator: 'min',
    registers,
    async collect() {
      this.reset();
      const readings = Object.entries(folders).map(async ([folder, path]) =>
        this.set({ folder }, await freeBytes(path)),
      );
      await Promise.allSettled(readings);
    },
  });
}

/** The free space where a folder is, or will be once something is stored there. */
async function freeBytes(path: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || path === dirname(path)) throw error;
    return freeBytes(dirname(path));
  }
}
