import type { Command } from 'commander';
import { DomainError } from '../errors.ts';
import { isoTime } from '../time.ts';
import type { Cli } from './cli.ts';
import { formatTable, type OutputOptions } from './output.ts';

/** `hushpush admin jobs …`: the background jobs. */
export function jobCommands(program: Command, { report }: Cli): void {
  const command = program.command('jobs').description('List and run the background jobs.');

  command
    .command('list')
    .description(
      'List the jobs: how often one process runs each, how often every process polls it, and when it last ran.',
    )
    .option('--json', 'print an array')
    .action(({ json }: OutputOptions) =>
      report(json, async (service) => {
        const { jobs } = await service.openAdapters();
        const { jobs: known } = await (await service.openBackend()).repository.queryJobs();
        const rows = jobs.map(({ name, everyMs, pollMs }) => {
          const run = known.find((job) => job.name === name);
          return {
            name,
            every_seconds: everyMs / 1000,
            poll_seconds: pollMs === undefined ? null : pollMs / 1000,
            last_run_at: isoOf(run?.lastRunAt),
            last_finished_at: isoOf(run?.lastFinishedAt),
            next_run_at: isoOf(run?.nextRunAt),
          };
        });
        return [rows, formatTable(rows, 'There are no jobs.')];
      }),
    );

  command
    .command('run <name>')
    .description('Run a job now, even if another process is running it.')
    .option('--json', 'print {"name","ran"}')
    .addHelpText('after', '\nExample:\n  hushpush admin jobs run expire-pushes')
    .action((name: string, { json }: OutputOptions) =>
      report(json, async (service) => {
        const { jobs } = await service.openAdapters();
        const job = jobs.find((each) => each.name === name);
        if (job === undefined) {
          const names = jobs.map((each) => each.name).join(', ');
          throw new DomainError('not_found', 'jobNotFound', { values: { name, names } });
        }
        await job.run(() => false);
        return [{ name, ran: true }, `Ran ${name}.`];
      }),
    );
}

function isoOf(date: Date | string | null | undefined): string | null {
  return date == null ? null : isoTime(new Date(date).getTime());
}
