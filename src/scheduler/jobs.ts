import type { Domain, Messengers } from '../domain/index.ts';
import { hourMs, minuteMs, secondMs } from '../time.ts';

/** Something that has to be done again and again, on one process at a time. Doing it more often does no harm. */
export type Job = {
  name: string;
  everyMs: number;
  /** How often each process looks by itself as well, for what cannot wait for a turn. */
  pollMs?: number;
  /** Is to return soon once `isStopping` says so. */
  run(isStopping: () => boolean): Promise<unknown>;
};

/** Everything that hushpush does by itself, each a call of the domain. */
export function buildJobs(
  { pushes, sessions, sweeps, notices, limits, chat, files }: Domain,
  messengers: Messengers,
): Job[] {
  return [
    { name: 'expire-pushes', everyMs: 5 * secondMs, run: sweeps.expireDue },
    {
      name: 'deliver-notices',
      everyMs: 5 * secondMs,
      pollMs: secondMs / 2,
      run: (isStopping) => notices.deliverDue(messengers, isStopping),
    },
    { name: 'remind-unread', everyMs: 30 * secondMs, run: sweeps.remindUnread },
    {
      name: 'purge',
      everyMs: 10 * minuteMs,
      async run(isStopping) {
        await sweeps.purge(isStopping);
        await notices.purge(isStopping);
        await limits.purge(isStopping);
        await chat.purge(isStopping);
        await pushes.purgeNonces(isStopping);
        await sessions.purge(isStopping);
      },
    },
    { name: 'shred-files', everyMs: 15 * secondMs, run: files.shredDue },
    { name: 'reconcile-files', everyMs: 6 * hourMs, run: files.reconcile },
  ];
}
