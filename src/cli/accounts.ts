import type { Command } from 'commander';
import type { Domain } from '../domain/index.ts';
import { noticesCommand } from './accountNotices.ts';
import { passwordCommands } from './accountPasswords.ts';
import type { Cli } from './cli.ts';
import { requireConsent } from './consent.ts';
import { readPassword } from './hiddenPrompt.ts';
import { formatTable, iso, print } from './output.ts';

const firstTokenName = 'first token';

type CreateOptions = { passwordStdin?: true; subscribed?: true; admin?: true; json?: true };
type OutputOptions = { json?: true };

/** A command that turns something about an account on or off. */
type Toggle = {
  name: string;
  description: string;
  set(accounts: Domain['accounts'], email: string): Promise<{ email: string }>;
  result: Record<string, boolean>;
  text: string;
  /** Whether it gives an account more rights: then the address should be known to be theirs. */
  givesRights?: true;
};

const toggles: Toggle[] = [
  {
    name: 'subscribe',
    description: 'Allow an account to attach files.',
    set: (accounts, email) => accounts.setSubscribed(email, true),
    result: { subscribed: true },
    text: 'can attach files now',
    givesRights: true,
  },
  {
    name: 'unsubscribe',
    description: 'Stop an account from attaching files.',
    set: (accounts, email) => accounts.setSubscribed(email, false),
    result: { subscribed: false },
    text: 'can no longer attach files',
  },
  {
    name: 'promote',
    description: 'Let an account manage other accounts on the web.',
    set: (accounts, email) => accounts.setAdmin(email, true),
    result: { admin: true },
    text: 'can manage other accounts now',
    givesRights: true,
  },
  {
    name: 'demote',
    description: 'Stop an account from managing other accounts.',
    set: (accounts, email) => accounts.setAdmin(email, false),
    result: { admin: false },
    text: 'can no longer manage other accounts',
  },
  {
    name: 'disable',
    description: 'Lock an account out: its tokens and sessions stop working.',
    set: (accounts, email) => accounts.setDisabled(email, true),
    result: { disabled: true },
    text: 'is disabled',
  },
  {
    name: 'enable',
    description: 'Let a disabled account in again.',
    set: (accounts, email) => accounts.setDisabled(email, false),
    result: { disabled: false },
    text: 'is enabled',
  },
];

/** `hushpush account …` */
export function accountCommands(program: Command, cli: Cli): void {
  const account = program.command('account').description('Manage accounts.');
  createCommand(account, cli);
  listCommand(account, cli);
  for (const toggle of toggles) toggleCommand(account, cli, toggle);
  passwordCommands(account, cli);
  noticesCommand(account, cli);
  deleteCommand(account, cli);
}

function createCommand(account: Command, { withService }: Cli): void {
  account
    .command('create <email>')
    .description('Create an account and its first API token, which is shown only once.')
    .option('--password-stdin', 'read a password for the web from standard input')
    .option('--subscribed', 'allow the account to attach files')
    .option('--admin', 'let the account manage other accounts on the web')
    .option('--json', 'print {"email","token"}')
    .addHelpText('after', '\nExample:\n  hushpush account create you@example.com --subscribed --json')
    .action(async (address: string, { passwordStdin, subscribed, admin, json }: CreateOptions) => {
      const password = passwordStdin ? { password: await readPassword({ stdin: true }) } : {};
      await withService(async ({ domain: { accounts, apiTokens } }) => {
        const created = await accounts.create({
          email: address,
          subscribed: subscribed === true,
          isAdmin: admin === true,
          ...password,
        });
        const { email } = created;
        const token = await apiTokens.create(created, { name: firstTokenName });
        print(json, { email, token }, `Created account ${email}. Its API token, shown only once:\n${token}`);
      });
    });
}

function listCommand(account: Command, { withService }: Cli): void {
  account
    .command('list')
    .description('List all accounts.')
    .option('--json', 'print an array')
    .action(async ({ json }: OutputOptions) => {
      await withService(async ({ domain: { accounts } }) => {
        const rows = (await accounts.list()).map(({ email, subscribed, createdAt }) => ({
          email,
          subscribed,
          created_at: iso(createdAt),
        }));
        print(json, rows, formatTable(rows, 'There are no accounts yet.'));
      });
    });
}

function toggleCommand(account: Command, { withService }: Cli, toggle: Toggle): void {
  const command = account.command(`${toggle.name} <email>`).description(toggle.description);
  if (toggle.givesRights) command.option('--yes', 'do not ask, even if the address is unconfirmed');
  command
    .option('--json', `print {"email","${Object.keys(toggle.result)}"}`)
    .action(async (address: string, { json, ...consent }: OutputOptions & { yes?: true }) => {
      await withService(async ({ domain: { accounts } }) => {
        const { email, signedUp, hasPassword } = await accounts.summary(address);
        if (toggle.givesRights && signedUp) await requireConsent(unconfirmed(email), consent);
        await toggle.set(accounts, email);
        const hint = toggle.name === 'promote' && !hasPassword ? `\n${withoutPassword(email)}` : '';
        print(json, { email, ...toggle.result }, `${email} ${toggle.text}.${hint}`);
      });
    });
}

const unconfirmed = (email: string) =>
  `Whoever has the account ${email} signed up for it, and nobody has confirmed that the address is theirs. To hand it to its owner, use account reset ${email}.`;

const withoutPassword = (email: string) =>
  `It has no password for the web yet: hushpush account invite ${email} makes a link to set one.`;

function deleteCommand(account: Command, { withService }: Cli): void {
  account
    .command('delete <email>')
    .description('Delete an account with its tokens, its pushes and their audit logs.')
    .option('--json', 'print {"email","deleted"}')
    .action(async (address: string, { json }: OutputOptions) => {
      await withService(async ({ domain: { accounts } }) => {
        const { email } = await accounts.erase(address);
        print(json, { email, deleted: true }, `Deleted ${email} and everything it owned.`);
      });
    });
}
