import type { Command } from 'commander';
import type { Finding } from '../../config/checks.ts';
import type { Cli } from '../cli.ts';
import { print } from '../output.ts';

type DoctorOptions = { probe?: true; json?: true };

/** `hushpush doctor`. Exits with 1 when a check fails. */
export function doctorCommand(program: Command, cli: Cli): void {
  program
    .command('doctor')
    .description(
      'Check settings, keys, database, clock, jobs, files and disk, and advise on each problem. Writes nothing.',
    )
    .option('--probe', 'also store a small test object in the file store, and remove it')
    .option('--json', 'print an array of findings')
    .action(async ({ probe, json }: DoctorOptions) => {
      const { examine } = await import('./examine.ts');
      const found = await examine(await cli.config(), cli, { isProbed: probe === true });
      print(json, found, found.map(lineOf).join('\n'));
      if (found.some(({ state }) => state === 'failure')) process.exitCode = 1;
    });
}

function lineOf({ check, state, finding, advice }: Finding): string {
  const mark = { ok: 'ok      ', warning: 'warning ', failure: 'FAILURE ' }[state];
  return `${mark} ${check}: ${finding}${advice === undefined ? '' : `\n          → ${advice}`}`;
}
