import type { Command } from 'commander';
import { exitConfig } from '../errors.ts';
import type { Cli } from './cli.ts';
import { requireConsent } from './consent.ts';
import type { OutputOptions } from './output.ts';
import { requireNoProcesses } from './processes.ts';

type DownOptions = OutputOptions & { to?: string; yes?: true };

/** `hushpush migrate …`. The service applies pending migrations when it starts. */
export function migrateCommands(program: Command, { report }: Cli): void {
  const migrate = program.command('migrate').description('Migrate the database schema.');
  const names = (list: string[]) =>
    list.length === 0 ? ' none' : list.map((name) => `\n  ${name}`).join('');

  migrate
    .command('up')
    .description('Apply pending migrations. Other processes that try at the same time wait.')
    .option('--json', 'print {"applied"}')
    .action(({ json }: OutputOptions) =>
      report(
        json,
        async ({ migrations }) => {
          const applied = await migrations.up();
          return [
            { applied },
            applied.length === 0 ? 'No migrations are pending.' : `Applied:${names(applied)}`,
          ];
        },
        { check: false },
      ),
    );

  migrate
    .command('down')
    .description('Revert the newest migration, with all data in its tables.')
    .option('--to <name>', 'revert this migration and all later ones; 0 for all')
    .option('--yes', 'do not ask')
    .option('--json', 'print {"reverted"}')
    .addHelpText('after', '\nStop all processes and make a backup first.')
    .action(({ to, json, ...options }: DownOptions) =>
      report(
        json,
        async ({ migrations, domain: { processes } }) => {
          await requireNoProcesses(processes);
          const first = to === '0' ? 0 : to;
          const affected = await migrations.revertible(first);
          if (affected.length > 0)
            await requireConsent(`This deletes the data of ${affected.join(', ')}.`, options);
          const reverted = await migrations.down(first);
          return [
            { reverted },
            reverted.length === 0 ? 'No migrations are applied.' : `Reverted:${names(reverted)}`,
          ];
        },
        { check: false },
      ),
    );

  migrate
    .command('status')
    .description('List applied and pending migrations, and those of a newer version, and check the schema.')
    .option('--json', 'print {"applied","pending","newer","problem"}')
    .action(({ json }: OutputOptions) =>
      report(
        json,
        async ({ migrations }) => {
          const status = await migrations.status();
          const problem = (await migrations.problem()) ?? null;
          const { applied, pending, newer } = status;
          const rest = newer.length === 0 ? '' : `\nOf a newer version:${names(newer)}`;
          const list = `Applied:${names(applied)}\nPending:${names(pending)}${rest}`;
          if (problem !== null) process.exitCode = exitConfig;
          return [{ ...status, problem }, problem === null ? list : `${list}\n${problem}`];
        },
        { check: false },
      ),
    );
}
