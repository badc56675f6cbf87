import { text } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import { type NoticePreferences, viewedOptions } from '../domain/index.ts';
import type { Cli } from './cli.ts';
import { formatTable, iso, print } from './output.ts';

const firstTokenName = 'first token';

type Create = { passwordStdin?: true; subscribed?: true; admin?: true; json?: true };
type Notices = {
  viewed?: NoticePreferences['viewed'];
  expired?: 'yes' | 'no';
  failedPassphrase?: 'yes' | 'no';
  reminder?: 'yes' | 'no';
  askedAgain?: 'yes' | 'no';
  json?: true;
};
type Output = { json?: true };

/** `hushpush account …`: who owns pushes. */
export function accountCommands(program: Command, { withService }: Cli): void {
  const account = program.command('account').description('Manage the accounts that own pushes.');

  account
    .command('create <email>')
    .description('Make an account, and a first API token for it, which is shown this once.')
    .option('--password-stdin', 'read a password for the web from standard input')
    .option('--subscribed', 'allow the account to attach files')
    .option('--admin', 'let the account manage the others on the web')
    .option('--json', 'print {"email","token"}')
    .addHelpText('after', '\nExample:\n  hushpush account create you@example.com --subscribed --json')
    .action(async (email: string, { passwordStdin, subscribed, admin, json }: Create) => {
      const password = passwordStdin ? { password: (await text(process.stdin)).replace(/\r?\n$/, '') } : {};
      await withService(async ({ domain: { accounts, apiTokens } }) => {
        const account = await accounts.create({
          email,
          subscribed: subscribed === true,
          isAdmin: admin === true,
          ...password,
        });
        const token = await apiTokens.create(account, { name: firstTokenName });
        print(
          json,
          { email: account.email, token },
          `Account ${account.email} is made. Its API token, shown this once:\n${token}`,
        );
      });
    });

  account
    .command('list')
    .description('List all accounts.')
    .option('--json', 'print an array')
    .action(async ({ json }: Output) => {
      await withService(async ({ domain: { accounts } }) => {
        const rows = (await accounts.list()).map(({ email, subscribed, createdAt }) => ({
          email,
          subscribed,
          created_at: iso(createdAt),
        }));
        print(json, rows, formatTable(rows, 'There are no accounts yet.'));
      });
    });

  for (const [name, subscribed, words] of [
    ['subscribe', true, 'may attach files'],
    ['unsubscribe', false, 'may not attach files'],
  ] as const) {
    account
      .command(`${name} <email>`)
      .description(`Say that an account ${words}.`)
      .option('--json', 'print {"email","subscribed"}')
      .action(async (email: string, { json }: Output) => {
        await withService(async ({ domain: { accounts } }) => {
          const account = await accounts.setSubscribed(email, subscribed);
          print(json, { email: account.email, subscribed }, `${account.email} ${words} now.`);
        });
      });
  }

  for (const [name, isAdmin, words] of [
    ['promote', true, 'may manage the other accounts'],
    ['demote', false, 'may not manage the other accounts'],
  ] as const) {
    account
      .command(`${name} <email>`)
      .description(`Say that an account ${words} on the web.`)
      .option('--json', 'print {"email","admin"}')
      .action(async (email: string, { json }: Output) => {
        await withService(async ({ domain: { accounts } }) => {
          const account = await accounts.setAdmin(email, isAdmin);
          print(json, { email: account.email, admin: isAdmin }, `${account.email} ${words} now.`);
        });
      });
  }

  for (const [name, isDisabled, words] of [
    ['disable', true, 'is shut out with its tokens and browsers'],
    ['enable', false, 'is let in'],
  ] as const) {
    account
      .command(`${name} <email>`)
      .description(`Say that an account ${words}.`)
      .option('--json', 'print {"email","disabled"}')
      .action(async (email: string, { json }: Output) => {
        await withService(async ({ domain: { accounts } }) => {
          const account = await accounts.setDisabled(email, isDisabled);
          print(json, { email: account.email, disabled: isDisabled }, `${account.email} ${words} now.`);
        });
      });
  }

  account
    .command('notices <email>')
    .description('Say what an account is told of pushes that do not say so themselves.')
    .addOption(new Option('--viewed <views>', 'of views').choices(viewedOptions))
    .addOption(new Option('--expired <yes|no>', 'of their end').choices(['yes', 'no']))
    .addOption(new Option('--failed-passphrase <yes|no>', 'of wrong passphrases').choices(['yes', 'no']))
    .addOption(new Option('--reminder <yes|no>', 'that they expire soon, unseen').choices(['yes', 'no']))
    .addOption(
      new Option('--asked-again <yes|no>', 'who asks for them after their end, and let them ask').choices([
        'yes',
        'no',
      ]),
    )
    .option('--json', 'print {"viewed","expired","failed_passphrase","reminder","asked_again"}')
    .addHelpText(
      'after',
      '\nExample:\n  hushpush account notices you@example.com --viewed first --reminder no',
    )
    .action(async (email: string, { json, viewed, ...words }: Notices) => {
      await withService(async ({ domain: { accounts } }) => {
        const flags = Object.entries(words).map(([name, word]) => [name, word === 'yes']);
        const choice = await accounts.setNoticePreferences(await accounts.find(email), {
          ...(viewed === undefined ? {} : { viewed }),
          ...Object.fromEntries(flags),
        });
        const { failedPassphrase, expired, reminder, askedAgain } = choice;
        const row = {
          viewed: choice.viewed,
          expired,
          failed_passphrase: failedPassphrase,
          reminder,
          asked_again: askedAgain,
        };
        print(json, row, formatTable([row], ''));
      });
    });

  account
    .command('delete <email>')
    .description('Erase an account with its tokens, its pushes and their logs.')
    .option('--json', 'print {"email","deleted"}')
    .action(async (email: string, { json }: Output) => {
      await withService(async ({ domain: { accounts } }) => {
        const account = await accounts.erase(email);
        print(
          json,
          { email: account.email, deleted: true },
          `${account.email} and all that it owned are erased.`,
        );
      });
    });
}
