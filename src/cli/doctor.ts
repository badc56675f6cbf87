import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { type Config, discordSettings, isLoopback, keyFileOf, publicUrl, slackSettings } from '../config.ts';
import { requireMatchingKeys } from '../domain/keyChecks.ts';
import type { Service } from '../service.ts';
import { minuteMs } from '../time.ts';
import type { Cli } from './cli.ts';
import { errorText, print } from './output.ts';

type Finding = { check: string; state: 'ok' | 'warning' | 'failure'; finding: string; advice?: string };

const clockSkewMs = 2_000;
const lateExpiryMs = minuteMs;
const stuckOutboxMs = 300_000;
const lateShreddingMs = 300_000;
const lowDiskBytes = 512 * 1024 * 1024;

/** `hushpush doctor`: looks at everything that has to be right, and says what to do where it is not. */
export function doctorCommand(program: Command, { config, withService }: Cli): void {
  program
    .command('doctor')
    .description('Check settings, keys, database, clock and disk, and say what to do about each finding.')
    .option('--json', 'print an array of findings')
    .action(async ({ json }: { json?: true }) => {
      const settings = config();
      const findings = [
        ...settingFindings(settings),
        ...(await withService((service) => serviceFindings(settings, service), { prepare: false }).catch(
          (error) => [
            {
              check: 'keys',
              state: 'failure' as const,
              finding: errorText(error),
              advice: 'Correct the keys; see SECURITY.md.',
            },
          ],
        )),
        await keyFileFinding(settings),
        await diskFinding(settings),
      ];
      print(json, findings, findings.map(inWords).join('\n'));
      if (findings.some(({ state }) => state === 'failure')) process.exitCode = 1;
    });
}

function inWords({ check, state, finding, advice }: Finding): string {
  const mark = { ok: 'ok      ', warning: 'warning ', failure: 'FAILURE ' }[state];
  return `${mark} ${check}: ${finding}${advice === undefined ? '' : `\n          → ${advice}`}`;
}

function settingFindings(config: Config): Finding[] {
  const url = publicUrl(config);
  const ok = (check: string, finding: string): Finding => ({ check, state: 'ok', finding });
  const warn = (check: string, finding: string, advice: string): Finding => ({
    check,
    state: 'warning',
    finding,
    advice,
  });
  return [
    config.BASE_URL === undefined && !isLoopback(config.HOST)
      ? warn('BASE_URL', `is not set, so links begin with ${url}`, 'Set it to the address that people use.')
      : ok('BASE_URL', `links begin with ${url}`),
    ...(config.BASE_URL?.startsWith('http:') && !isLoopback(new URL(config.BASE_URL).hostname)
      ? [
          warn(
            'TLS',
            'BASE_URL is not https',
            'Put the service behind a proxy that speaks TLS; secrets travel in clear.',
          ),
        ]
      : []),
    config.RATE_LIMITS
      ? ok('RATE_LIMITS', 'are on')
      : warn('RATE_LIMITS', 'are off', 'Unset it: guesses at passphrases are not limited.'),
    config.BASE_URL !== undefined && config.TRUSTED_PROXIES.length === 0
      ? warn(
          'TRUSTED_PROXIES',
          'is empty',
          'Behind a proxy, set it to the proxy’s address; else all visitors share one.',
        )
      : ok('TRUSTED_PROXIES', config.TRUSTED_PROXIES.join(', ') || 'none'),
    ...(slackSettings(config) === undefined ? [] : [chatFinding('Slack', config.SLACK_MODE === 'http')]),
    ...(discordSettings(config) === undefined
      ? []
      : [chatFinding('Discord', config.DISCORD_MODE === 'http')]),
  ];

  function chatFinding(name: string, comesToUs: boolean): Finding {
    if (!comesToUs) return ok(name, 'is used over a web socket');
    if (url.startsWith('https:')) return ok(name, 'is used over HTTP');
    return warn(
      name,
      `comes to https addresses alone, and links begin with ${url}`,
      `Set BASE_URL to an https address that ${name} reaches, or have ${name} used over a web socket.`,
    );
  }
}

async function serviceFindings(
  { DATABASE_URL }: Config,
  { database, migrations, domain, keyring }: Service,
): Promise<Finding[]> {
  try {
    const startedAt = Date.now();
    const skewMs = (await domain.clock()) - (startedAt + Date.now()) / 2;
    const { pending } = await migrations.status();
    const version = await database.version();
    return [
      { check: 'database', state: 'ok', finding: `${version} answers at ${withoutPassword(DATABASE_URL)}` },
      pending.length === 0
        ? { check: 'schema', state: 'ok', finding: 'all migrations are applied' }
        : {
            check: 'schema',
            state: 'warning',
            finding: `pending: ${pending.join(', ')}`,
            advice: 'Run hushpush migrate up, or start the service.',
          },
      Math.abs(skewMs) < clockSkewMs
        ? { check: 'clock', state: 'ok', finding: `differs from the database’s by ${Math.round(skewMs)} ms` }
        : {
            check: 'clock',
            state: 'warning',
            finding: `differs from the database’s by ${Math.round(skewMs / 1000)} s`,
            advice: 'Synchronise both machines by NTP; expiry follows the database’s clock.',
          },
      ...(pending.length === 0
        ? [
            await keyFinding(database, keyring),
            await expiryFinding(domain),
            await outboxFinding(domain),
            await shreddingFinding(domain),
            await filesFinding(domain),
          ]
        : []),
    ];
  } catch (error) {
    const advice = 'Check DATABASE_URL, that the server runs, and that its user may use the database.';
    return [{ check: 'database', state: 'failure', finding: errorText(error), advice }];
  }
}

async function keyFinding(database: Service['database'], keyring: Service['keyring']): Promise<Finding> {
  try {
    await requireMatchingKeys(database, keyring);
    return {
      check: 'keys',
      state: 'ok',
      finding: `master key ${keyring.active.id} is active, of ${keyring.all.size} in all; they fit the database`,
    };
  } catch (error) {
    return {
      check: 'keys',
      state: 'failure',
      finding: errorText(error),
      advice: 'Use the keys that this database was written with.',
    };
  }
}

async function expiryFinding({ sweeps }: Service['domain']): Promise<Finding> {
  const { waiting, overdueMs } = await sweeps.overdue();
  return overdueMs <= lateExpiryMs
    ? { check: 'expiry', state: 'ok', finding: 'no expired push waits to be erased for long' }
    : {
        check: 'expiry',
        state: 'failure',
        finding: `${waiting} expired pushes are not erased, the first for ${Math.round(overdueMs / 1000)} s`,
        advice: 'Run hushpush start without JOBS=off, or hushpush worker; see its log for failing jobs.',
      };
}

async function outboxFinding({ notices }: Service['domain']): Promise<Finding> {
  const { waiting, overdueMs } = await notices.backlog();
  return overdueMs <= stuckOutboxMs
    ? { check: 'outbox', state: 'ok', finding: `${waiting} notices wait` }
    : {
        check: 'outbox',
        state: 'failure',
        finding: `${waiting} notices wait, the first for ${Math.round(overdueMs / 1000)} s too long`,
        advice: 'Run hushpush start without JOBS=off, or hushpush worker; see its log for failing jobs.',
      };
}

async function shreddingFinding({ files }: Service['domain']): Promise<Finding> {
  const { waiting, overdueMs } = await files.overdue();
  return overdueMs <= lateShreddingMs
    ? { check: 'shredding', state: 'ok', finding: 'no file waits to be shredded for long' }
    : {
        check: 'shredding',
        state: 'failure',
        finding: `${waiting} files are not shredded, the first for ${Math.round(overdueMs / 1000)} s`,
        advice: 'Run hushpush start without JOBS=off, or hushpush worker; see its log for failing jobs.',
      };
}

/** Tries the file store, and compares it with the database, name by name. */
async function filesFinding({ files }: Service['domain']): Promise<Finding> {
  const check = 'files';
  try {
    if (files.settings.enabledFor !== 'off') await files.probe();
    const { stored, missing, strays } = await files.inspect();
    if (missing > 0)
      return {
        check,
        state: 'failure',
        finding: `${missing} files of pushes are not in ${files.location}`,
        advice:
          'Check FILES_DIR and FILES_URL, which all processes must share, or restore the files from a backup.',
      };
    if (strays > 0)
      return {
        check,
        state: 'warning',
        finding: `${strays} files in ${files.location} belong to no push`,
        advice: 'Nothing: the job reconcile-files removes them when they are a day old.',
      };
    return { check, state: 'ok', finding: `${stored} files are in ${files.location}` };
  } catch (error) {
    const advice = 'Check FILES_DIR or FILES_URL, and that this user may write there.';
    return { check, state: 'failure', finding: errorText(error), advice };
  }
}

async function keyFileFinding(config: Config): Promise<Finding> {
  if (config.MASTER_KEYS !== undefined)
    return { check: 'key file', state: 'ok', finding: 'the keys come from MASTER_KEYS' };
  const path = keyFileOf(config);
  const mode = await stat(path).then(
    ({ mode }) => mode & 0o777,
    () => undefined,
  );
  if (mode === undefined)
    return {
      check: 'key file',
      state: 'failure',
      finding: `${path} is missing`,
      advice: 'Put it back, or set MASTER_KEYS.',
    };
  return (mode & 0o077) === 0
    ? { check: 'key file', state: 'ok', finding: `${path} is readable by its owner alone` }
    : {
        check: 'key file',
        state: 'failure',
        finding: `${path} is readable by others`,
        advice: `Run chmod 600 ${path}.`,
      };
}

async function diskFinding({ DATABASE_URL }: Config): Promise<Finding> {
  const folder = DATABASE_URL.startsWith('sqlite:')
    ? dirname(DATABASE_URL.slice('sqlite:'.length))
    : process.cwd();
  const disk = await statfs(folder).catch(() => undefined);
  if (disk === undefined)
    return {
      check: 'disk',
      state: 'failure',
      finding: `${folder} is not there`,
      advice: 'Make the folder, or correct DATABASE_URL.',
    };
  const { bavail, bsize } = disk;
  const free = `${Math.round((bavail * bsize) / 1024 ** 2)} MiB free at ${folder}`;
  return bavail * bsize > lowDiskBytes
    ? { check: 'disk', state: 'ok', finding: free }
    : {
        check: 'disk',
        state: 'warning',
        finding: free,
        advice: 'Make room: without it nothing can be pushed or claimed.',
      };
}

function withoutPassword(url: string): string {
  return url.replace(/^(\w+:\/\/[^:@/]*):.*@/, '$1:…@');
}
