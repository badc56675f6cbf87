import type { Command } from 'commander';
import { DomainError } from '../domain/index.ts';
import type { Cli } from './cli.ts';
import { formatTable, iso, print } from './output.ts';

type Output = { json?: true };

/** `hushpush jobs …`: what the service does by itself. */
export function jobCommands(program: Command, { withService }: Cli): void {
  const command = program.command('jobs').description('See and run what the service does by itself.');

  command
    .command('list')
    .description('List the jobs: how often each runs, and how its last run on any process went.')
    .option('--json', 'print an array')
    .action(async ({ json }: Output) => {
      await withService(async ({ jobs, backend }) => {
        const { jobs: known } = await backend.repository.queryJobs();
        const rows = jobs.map(({ name, everyMs }) => {
          const run = known.find((job) => job.name === name);
          return {
            name,
            every_seconds: everyMs / 1000,
            last_run_at: isoOf(run?.lastRunAt),
            last_finished_at: isoOf(run?.lastFinishedAt),
            next_run_at: isoOf(run?.nextRunAt),
          };
        });
        print(json, rows, formatTable(rows, 'There are no jobs.'));
      });
    });

  command
    .command('run <name>')
    .description('Run a job once, here and now, whoever else runs it.')
    .option('--json', 'print {"name","ran"}')
    .addHelpText('after', '\nExample:\n  hushpush jobs run expire-pushes')
    .action(async (name: string, { json }: Output) => {
      await withService(async ({ jobs }) => {
        const job = jobs.find((each) => each.name === name);
        if (job === undefined) {
          const names = jobs.map((each) => each.name).join(', ');
          throw new DomainError('not_found', 'jobNotFound', { values: { name, names } });
        }
        await job.run(() => false);
        print(json, { name, ran: true }, `${name} has run.`);
      });
    });
}

function isoOf(date: Date | string | null | undefined): string | null {
  return date == null ? null : iso(new Date(date).getTime());
}
