import { Command, CommanderError, Help } from 'commander';
import type { Config } from '../config.ts';
import { DomainError, exitConfig, SetupError } from '../errors.ts';
import { packageVersion } from '../runtime/package.ts';
import type { Service } from '../service.ts';
import { accountCommands } from './accounts.ts';
import { backupCommand, restoreCommands } from './backup.ts';
import { CancelledError, endAsInterrupted } from './cancelled.ts';
import type { Cli } from './cli.ts';
import { clientCommands } from './client/commands.ts';
import { doctorCommand } from './doctor/doctor.ts';
import { jobCommands } from './jobs.ts';
import { keyCommands } from './keys.ts';
import { mailCommands } from './mail.ts';
import { mattermostCommands } from './mattermost.ts';
import { migrateCommands } from './migrations.ts';
import { endOnOutputError, formatTable, ignoreOutputErrors, type OutputOptions, print } from './output.ts';
import { tokenCommands } from './tokens.ts';
import { trustRuleCommands } from './trustRules.ts';
import { webhookCommands } from './webhooks.ts';

type CliDependencies = {
  openService(config: Config, options?: { readOnly?: boolean }): Promise<Service>;
  start(config: Config): Promise<void>;
  work(config: Config): Promise<void>;
};

const exitUsage = 2;
const wantsJson = process.argv.includes('--json');

/** Runs the command of this process and sets its exit code: 0 for success, 1 for a refusal or failure, those of `client/failure.ts` for what a server said, 2 for wrong usage, 78 for unusable settings, keys or schema, 130 after Ctrl-C at a prompt, 141 when nobody reads its output any more. */
export async function runCommandLine(wiring: CliDependencies): Promise<void> {
  endOnOutputError(printError);
  try {
    await buildProgram(wiring).parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : exitUsage;
      return;
    }
    if (error instanceof CancelledError) endAsInterrupted();
    process.exit(await printFailure(error));
  }
}

/** Returns the exit code. The texts of the service's errors are loaded only for them. */
async function printFailure(error: unknown): Promise<number> {
  const { ClientCommandError } = await import('./client/failure.ts');
  if (error instanceof ClientCommandError) {
    printError(error.message, error.details);
    return error.exitCode;
  }
  printError((await import('./errorText.ts')).errorText(error));
  return error instanceof SetupError ? exitConfig : 1;
}

function printError(error: string, details: object = {}): void {
  process.stderr.write(wantsJson ? `${JSON.stringify({ error, ...details })}\n` : `hushpush: ${error}\n`);
}

/** What a command needs is loaded when it runs, so that help and completion come at once. */
async function loadConfig(): Promise<Config> {
  return (await import('../config.ts')).loadConfig();
}

async function serve(run: (config: Config) => Promise<void>): Promise<void> {
  ignoreOutputErrors();
  await run(await loadConfig());
}

/** Aliases are former names of commands. They work, but help does not show them. */
const help = new Help();
const withoutAliases = {
  subcommandTerm: (command: Command) => help.subcommandTerm(command).replace(/\|\S+/, ''),
  commandUsage: (command: Command) => help.commandUsage(command).replace(/\|\S+/, ''),
};

/** The commands and their options. */
export function buildProgram({ openService, start, work }: CliDependencies): Command {
  const cli: Cli = {
    config: loadConfig,
    async withService(work, { readOnly = false, check = !readOnly } = {}) {
      const service = await openService(await loadConfig(), { readOnly });
      try {
        if (check) await service.check();
        return await work(service);
      } finally {
        await service.close();
      }
    },
    report: (json, work, options) =>
      cli.withService(async (service) => print(json, ...(await work(service))), options),
  };

  const program = new Command('hushpush')
    .description('One-time secrets for Slack, Discord and every Password Pusher client.')
    .version(packageVersion())
    .exitOverride()
    .configureHelp(withoutAliases)
    .configureOutput({ outputError: (text) => printError(text.trim().replace(/^error: /, '')) })
    .showHelpAfterError(wantsJson ? false : '(add --help for usage)')
    .addHelpText('after', helpAfter);

  program.commandsGroup('Secrets, on any server:');
  clientCommands(program);
  program.commandsGroup('The service:');
  program
    .command('start')
    .description('Serve the API and the pages.')
    .option('--json', 'report errors as JSON')
    .addHelpText('after', '\nExample:\n  PORT=8080 BASE_URL=https://push.example.com hushpush start')
    .action(() => serve(start));
  program
    .command('worker')
    .description('Run only the jobs, for web processes with JOBS=off.')
    .option('--json', 'report errors as JSON')
    .action(() => serve(work));
  migrateCommands(program, cli);
  adminCommands(program, cli);
  backupCommand(program, cli);
  restoreCommands(program, cli);
  settingsCommand(program);
  doctorCommand(program, cli);
  return program;
}

/** What works on the database of this service, while other commands work with any server. */
function adminCommands(program: Command, cli: Cli): void {
  const admin = program
    .command('admin')
    .description('Manage accounts, tokens, trust rules, webhooks, keys, jobs, chats and mail.');
  accountCommands(admin, cli);
  tokenCommands(admin, cli);
  trustRuleCommands(admin, cli);
  webhookCommands(admin, cli);
  keyCommands(admin, cli);
  jobCommands(admin, cli);
  discordCommands(admin, cli);
  mattermostCommands(admin, cli);
  mailCommands(admin, cli);
}

const helpAfter = `
Settings of the service come from the environment and from .env in the working folder; .env.example lists them.

Examples:
  hushpush push --server https://push.example.com
  hushpush start
  hushpush admin account create you@example.com --json
  hushpush admin token create you@example.com --name laptop
  hushpush doctor`;

/** `hushpush settings`: what is set, and where. */
function settingsCommand(program: Command): void {
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

/** `hushpush admin discord …` */
function discordCommands(program: Command, { withService }: Cli): void {
  program
    .command('discord')
    .description('Manage the Discord application.')
    .command('register')
    .description('Register the slash commands; the service does so when it starts, if they have changed.')
    .option('--json', 'print {"commands"}')
    .addHelpText('after', '\nExample:\n  hushpush admin discord register')
    .action(async ({ json }: OutputOptions) => {
      await withService(async (service) => {
        const { discord } = (await service.openAdapters()).bots.adapters;
        if (discord?.register === undefined) throw new DomainError('invalid', 'discordOff');
        const commands = await discord.register();
        print(json, { commands }, `Registered ${commands} commands.`);
      });
    });
}
