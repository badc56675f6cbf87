import { type Command, InvalidArgumentError, Option } from 'commander';
import type { MailKind, NoticePreferences, NoticeSwitch } from '../domain/index.ts';
import { isoTime } from '../time.ts';
import { identityCommands } from './accountIdentities.ts';
import { passwordCommands } from './accountPasswords.ts';
import { toggleCommands } from './accountToggles.ts';
import type { Cli } from './cli.ts';
import { requireConsent } from './consent.ts';
import { readPassword } from './hiddenPrompt.ts';
import { formatTable, type OutputOptions } from './output.ts';

const firstTokenName = 'first token';

type CreateOptions = { passwordStdin?: true; subscribed?: true; admin?: true; json?: true };

/** `hushpush admin account …` */
export function accountCommands(program: Command, cli: Cli): void {
  const account = program.command('account').description('Manage accounts.');
  createCommand(account, cli);
  listCommand(account, cli);
  toggleCommands(account, cli);
  passwordCommands(account, cli);
  identityCommands(account, cli);
  notificationsCommand(account, cli);
  logCommand(account, cli);
  deleteCommand(account, cli);
}

function createCommand(account: Command, { report }: Cli): void {
  account
    .command('create <email>')
    .description('Create an account and its first API token, which is shown only once.')
    .option('--password-stdin', 'read a password for the web from standard input')
    .option('--subscribed', 'allow the account to attach files')
    .option('--admin', 'let the account manage other accounts on the web')
    .option('--json', 'print {"email","token"}')
    .addHelpText('after', '\nExample:\n  hushpush admin account create you@example.com --subscribed --json')
    .action(async (address: string, { passwordStdin, subscribed, admin, json }: CreateOptions) => {
      const password = passwordStdin ? { password: await readPassword({ stdin: true }) } : {};
      await report(json, async ({ domain: { accounts, apiTokens } }) => {
        const created = await accounts.create({
          email: address,
          subscribed: subscribed === true,
          isAdmin: admin === true,
          ...password,
        });
        const { email } = created;
        const token = await apiTokens.issue(created, { name: firstTokenName });
        return [{ email, token }, `Created account ${email}. Its API token, shown only once:\n${token}`];
      });
    });
}

function listCommand(account: Command, { report }: Cli): void {
  account
    .command('list')
    .description('List all accounts.')
    .option('--json', 'print an array')
    .action(({ json }: OutputOptions) =>
      report(json, async ({ domain: { accounts } }) => {
        const rows = (await accounts.list()).map((account) => ({
          email: account.email,
          subscribed: account.subscribed,
          admin: account.isAdmin,
          disabled: account.disabledAt !== null,
          created_at: isoTime(account.createdAt),
        }));
        return [rows, formatTable(rows, 'There are no accounts yet.')];
      }),
    );
}

function logCommand(account: Command, { report }: Cli): void {
  account
    .command('log [account]')
    .description(
      'List what admins and operators did to an account of somebody else, or to all, newest first. An erased account has an id alone.',
    )
    .option('--json', 'print an array')
    .action((account: string | undefined, { json }: OutputOptions) =>
      report(json, async ({ domain: { accounts } }) => {
        const acts = await accounts.acts('operator', account);
        const rows = acts.map(({ createdAt, account, kind, detail, actor }) => ({
          at: isoTime(createdAt),
          account,
          change: kind,
          token: detail,
          by: actor,
        }));
        return [rows, formatTable(rows, 'Nothing is recorded.')];
      }),
    );
}

function deleteCommand(account: Command, { report }: Cli): void {
  account
    .command('delete <email>')
    .description('Delete an account with its tokens, its pushes and their audit logs.')
    .option('--yes', 'do not ask')
    .option('--json', 'print {"email","deleted"}')
    .action((address: string, { json, ...consent }: OutputOptions & { yes?: true }) =>
      report(json, async ({ domain: { accounts } }) => {
        const { email } = await accounts.find(address);
        await requireConsent(
          `This deletes the account ${email} with its tokens, its pushes and their audit logs.`,
          consent,
        );
        await accounts.erase(email, 'operator');
        return [{ email, deleted: true }, `Deleted ${email} and everything it owned.`];
      }),
    );
}

type NotificationsOptions = {
  json?: true;
  viewed?: NoticePreferences['viewed'];
  mail?: MailKind[];
} & Record<string, unknown>;

const viewedOptions: NoticePreferences['viewed'][] = ['first', 'every', 'none'];

/** The other kinds of notices, which are on or off. Help needs them before the domain is loaded. */
const switchDescriptions: Record<NoticeSwitch, string> = {
  expired: 'The push expired, by any limit or by hand',
  failedPassphrase: 'Wrong passphrases',
  reminder: 'The push is about to expire and has not been viewed',
  askedAgain: 'Somebody asks for a new link after the end; enables asking on the page of the push',
};

const noticeSwitches = Object.keys(switchDescriptions) as NoticeSwitch[];
const kindsByMail: MailKind[] = ['viewed', ...noticeSwitches, 'answered'];
const fieldNames = ['viewed', ...noticeSwitches.map((kind) => delimited(kind, '_'))];

/** `hushpush admin account notifications …`: one option for each kind of notice. */
function notificationsCommand(account: Command, { report }: Cli): void {
  const command = account
    .command('notifications <email>')
    .alias('notices')
    .description('Choose the notifications of an account, for pushes that do not choose their own.')
    .addOption(new Option('--viewed <views>', 'Views: the first, every, or none').choices(viewedOptions));
  for (const kind of noticeSwitches) {
    const flags = `--${delimited(kind, '-')} <yes|no>`;
    command.addOption(new Option(flags, switchDescriptions[kind]).choices(['yes', 'no']));
  }
  command
    .addOption(
      new Option(
        '--mail <kinds>',
        `Which come by mail, too: all, none, or some of ${kindsByMail.map((kind) => delimited(kind, '-')).join(',')}`,
      ).argParser(readMailKinds),
    )
    .option('--json', `print {${[...fieldNames, 'mail'].map((name) => `"${name}"`).join(',')}}`)
    .addHelpText(
      'after',
      '\nExample:\n  hushpush admin account notifications you@example.com --viewed first --reminder no',
    )
    .action((email: string, { json, mail, ...options }: NotificationsOptions) =>
      report(json, async ({ domain: { accounts, mailLinks } }) => {
        const account = await accounts.find(email);
        if (mail !== undefined) await mailLinks.chooseMails(account, mail);
        const { viewed, ...switches } = await accounts.setNoticePreferences(account, changesIn(options));
        const named = noticeSwitches.map((kind) => [delimited(kind, '_'), switches[kind]]);
        const row = { viewed, ...Object.fromEntries(named) };
        const byMail =
          (await mailLinks.mailChoiceOf(account))?.kinds.map((kind) => delimited(kind, '_')) ?? [];
        return [{ ...row, mail: byMail }, formatTable([{ ...row, mail: byMail.join(', ') || 'none' }], '')];
      }),
    );
}

/** Throws InvalidArgumentError for what is no list of kinds. */
function readMailKinds(text: string): MailKind[] {
  if (text === 'all') return kindsByMail;
  if (text === 'none') return [];
  return text.split(',').map((name) => {
    const kind = kindsByMail.find((known) => delimited(known, '-') === name.trim().replaceAll('_', '-'));
    if (kind === undefined) throw new InvalidArgumentError(`“${name}” is no kind of notification.`);
    return kind;
  });
}

function changesIn({ viewed, ...options }: NotificationsOptions): Partial<NoticePreferences> {
  const switches = Object.entries(options).map(([kind, value]) => [kind, value === 'yes']);
  return { ...(viewed === undefined ? {} : { viewed }), ...Object.fromEntries(switches) };
}

/** `failedPassphrase` as `failed-passphrase` or `failed_passphrase`. */
function delimited(name: string, delimiter: string): string {
  return name.replace(/[A-Z]/g, (letter) => delimiter + letter.toLowerCase());
}
