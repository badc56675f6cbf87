import type { Command } from 'commander';
import { formatTable, type OutputOptions, print } from './output.ts';

/** `hushpush settings`: what is set, and where. */
export function settingsCommand(program: Command): void {
  program
    .command('settings')
    .description('List the settings that are set and where each comes from, with secrets masked.')
    .option('--json', 'print an array')
    .action(async ({ json }: OutputOptions) => {
      const { listSettings } = await import('../config.ts');
      const rows = listSettings();
      print(json, rows, formatTable(rows, 'Nothing is set: all settings have their defaults.'));
    });
}
