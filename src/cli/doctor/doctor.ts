import type { Command } from 'commander';
import type { Finding } from '../../config/checks.ts';
import type { Cli } from '../cli.ts';
import { print } from '../output.ts';

type DoctorOptions = { probe?: true; mattermost?: string; json?: true };

/** `hushpush doctor`. Exits with 1 when a check fails. */
export function doctorCommand(program: Command, cli: Cli): void {
  program
    .command('doctor')
    .description(
      'Check settings, keys, database, clock, jobs, files and disk, and advise on each problem. Writes nothing.',
    )
    .option('--probe', 'also store a small test object in the file store, and remove it')
    .option(
      '--mattermost <username>',
      'also try with the Mattermost server what hushpush needs, in direct messages to this user, and delete them',
    )
    .option('--json', 'print an array of findings')
    .action(async ({ probe, mattermost, json }: DoctorOptions) => {
      const { examine } = await import('./examine.ts');
      const found = await examine(await cli.config(), cli, {
        isProbed: probe === true,
        mattermostUser: mattermost,
      });
      print(json, found, found.map(lineOf).join('\n'));
      if (found.some(({ state }) => state === 'failure')) process.exitCode = 1;
    });
}

function lineOf({ check, state, finding, advice }: Finding): string {
  const mark = { ok: 'ok      ', warning: 'warning ', failure: 'FAILURE ' }[state];
  return `${mark} ${check}: ${finding}${advice === undefined ? '' : `\n          → ${advice}`}`;
}
