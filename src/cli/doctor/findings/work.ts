import { failure, ok, warning } from './checkResult.ts';

const jobsAdvice =
  'Run hushpush worker, or hushpush start without JOBS=off; look for failing jobs in its log.';

type Damaged = { count: number; since: string; ids: string[] };
type Late = { count: number; seconds: number };

/** What the jobs, the files and the disk show. Code → what a check says. */
export const workFindings = {
  // jobs
  jobsRun: ({ at }: { at: string }) => ok('jobs', `last ran at ${at}`),
  jobsNotYet: () => ok('jobs', 'have not run yet'),
  jobsNotRun: ({ at }: { at: string | null }) =>
    failure(
      'jobs',
      at === null
        ? 'JOBS is off, and no process has ever run them'
        : `JOBS is off, and they last ran at ${at}`,
      'Run hushpush worker, or unset JOBS.',
    ),
  expiryInTime: () => ok('expiry', 'expired pushes are erased in time'),
  expiryLate: ({ count, seconds }: Late) =>
    failure('expiry', `${count} expired pushes are not erased, the oldest for ${seconds} s`, jobsAdvice),
  outboxInTime: ({ count }: { count: number }) => ok('outbox', `${count} notices are waiting`),
  outboxLate: ({ count, seconds }: Late) =>
    failure('outbox', `${count} notices are waiting, the oldest overdue for ${seconds} s`, jobsAdvice),
  shreddingInTime: () => ok('shredding', 'files of expired pushes are shredded in time'),
  shreddingLate: ({ count, seconds }: Late) =>
    failure('shredding', `${count} files are not shredded, the oldest for ${seconds} s`, jobsAdvice),

  // pushes
  pushesIntact: () => ok('pushes', 'no viewer has found a damaged one'),
  pushesDamaged: ({ count, since, ids }: Damaged) =>
    failure(
      'pushes',
      `${count} live ${count === 1 ? 'push is' : 'pushes are'} damaged and cannot be decrypted, as viewers have found since ${since}: ${ids.join(', ')}`,
      'Look for what damaged the database, and restore the column payload or files_key of these rows of the table pushes from a backup, or have the pushes created again. No view of them was counted.',
    ),

  // files and disk
  filesComplete: ({ count, location }: { count: number; location: string }) =>
    ok('files', `${count} files in ${location}`),
  filesMissing: ({ count, location }: { count: number; location: string }) =>
    failure(
      'files',
      `${count} files are missing from ${location}`,
      'Check FILES_DIR and FILES_URL, which all processes must share, or restore the files from a backup.',
    ),
  filesStray: ({ count, location }: { count: number; location: string }) =>
    warning(
      'files',
      `${count} files in ${location} belong to no push`,
      'Do nothing: the job reconcile-files removes them when they are a day old.',
    ),
  filesFail: ({ error }: { error: string }) =>
    failure('files', error, 'Check FILES_DIR or FILES_URL, and that this user may write there.'),
  filesNotWritable: ({ folder }: { folder: string }) =>
    failure('files', `${folder} is not writable`, 'Allow this user to write there, or set FILES_DIR.'),
  diskRoomy: ({ mib, folder }: { mib: number; folder: string }) => ok('disk', `${mib} MiB free at ${folder}`),
  diskLow: ({ mib, folder }: { mib: number; folder: string }) =>
    warning(
      'disk',
      `${mib} MiB free at ${folder}`,
      'Free some space: on a full disk nothing can be pushed or revealed.',
    ),
};
