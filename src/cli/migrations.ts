import type { Command } from 'commander';
import type { Cli } from './cli.ts';
import { print } from './output.ts';

type Output = { json?: true };

/** `hushpush migrate …`: the schema of the database. The service migrates upwards by itself when it starts. */
export function migrateCommands(program: Command, { withService }: Cli): void {
  const migrate = program.command('migrate').description('Change the schema of the database.');
  const names = (list: string[]) => list.map((name) => `\n  ${name}`).join('');

  migrate
    .command('up')
    .description('Apply what is pending. One process does; others wait for it.')
    .option('--json', 'print {"applied"}')
    .action(async ({ json }: Output) => {
      await withService(
        async ({ migrations }) => {
          const applied = await migrations.up();
          print(
            json,
            { applied },
            applied.length === 0 ? 'Nothing is pending.' : `Applied:${names(applied)}`,
          );
        },
        { prepare: false },
      );
    });

  migrate
    .command('down')
    .description('Take back the newest migration, with all that its tables hold.')
    .option('--to <name>', 'take back this one and all after it; 0 for all')
    .option('--json', 'print {"reverted"}')
    .action(async ({ to, json }: Output & { to?: string }) => {
      await withService(
        async ({ migrations }) => {
          const reverted = await migrations.down(to === '0' ? 0 : to);
          print(
            json,
            { reverted },
            reverted.length === 0 ? 'Nothing was applied.' : `Taken back:${names(reverted)}`,
          );
        },
        { prepare: false },
      );
    });

  migrate
    .command('status')
    .description('Say which migrations are applied and which are pending.')
    .option('--json', 'print {"applied","pending"}')
    .action(async ({ json }: Output) => {
      await withService(
        async ({ migrations }) => {
          const status = await migrations.status();
          print(json, status, `Applied:${names(status.applied)}\nPending:${names(status.pending)}`);
        },
        { prepare: false },
      );
    });
}
