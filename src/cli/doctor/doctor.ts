import type { Command } from 'commander';
import type { Config } from '../../config.ts';
import type { Service } from '../../service.ts';
import type { Cli } from '../cli.ts';
import { errorText, print } from '../output.ts';
import { checkClock, checkDatabase, checkSchema } from './database.ts';
import { checkDisk } from './disk.ts';
import { checkFiles } from './files.ts';
import { type Finding, failure } from './finding.ts';
import { checkJobs } from './jobs.ts';
import { checkKeyFile, checkKeys } from './keys.ts';
import { checkSettings } from './settings.ts';

/** `hushpush doctor`. Exits with 1 when a check fails. */
export function doctorCommand(program: Command, { config, withService }: Cli): void {
  program
    .command('doctor')
    .description('Check settings, keys, database, clock, jobs, files and disk, and advise on each problem.')
    .option('--json', 'print an array of findings')
    .action(async ({ json }: { json?: true }) => {
      const settings = config();
      const checks = withService((service) => checkService(settings, service), { prepare: false });
      const findings = [
        ...checkSettings(settings),
        ...(await checks.catch((error) => [
          failure('keys', errorText(error), 'Correct the keys; see SECURITY.md.'),
        ])),
        await checkKeyFile(settings),
        await checkDisk(settings),
      ];
      print(json, findings, findings.map(lineOf).join('\n'));
      if (findings.some(({ state }) => state === 'failure')) process.exitCode = 1;
    });
}

/** Everything that needs the database. Without its tables, only the first checks make sense. */
async function checkService(config: Config, service: Service): Promise<Finding[]> {
  try {
    const schema = await checkSchema(service);
    const found = [await checkDatabase(config, service), schema, await checkClock(service)];
    if (schema.state !== 'ok') return found;
    return [...found, await checkKeys(service), ...(await checkJobs(service)), await checkFiles(service)];
  } catch (error) {
    const advice = 'Check DATABASE_URL, that the server runs, and that its user may use the database.';
    return [failure('database', errorText(error), advice)];
  }
}

function lineOf({ check, state, finding, advice }: Finding): string {
  const mark = { ok: 'ok      ', warning: 'warning ', failure: 'FAILURE ' }[state];
  return `${mark} ${check}: ${finding}${advice === undefined ? '' : `\n          → ${advice}`}`;
}
