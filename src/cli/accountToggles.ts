import type { Command } from 'commander';
import type { Domain } from '../domain/index.ts';
import type { Cli } from './cli.ts';
import { requireConsent } from './consent.ts';
import type { OutputOptions } from './output.ts';

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
    set: (accounts, email) => accounts.setSubscribed(email, true, 'operator'),
    result: { subscribed: true },
    text: 'can attach files now',
    givesRights: true,
  },
  {
    name: 'unsubscribe',
    description: 'Stop an account from attaching files.',
    set: (accounts, email) => accounts.setSubscribed(email, false, 'operator'),
    result: { subscribed: false },
    text: 'can no longer attach files',
  },
  {
    name: 'promote',
    description: 'Let an account manage other accounts on the web.',
    set: (accounts, email) => accounts.setAdmin(email, true, 'operator'),
    result: { admin: true },
    text: 'can manage other accounts now',
    givesRights: true,
  },
  {
    name: 'demote',
    description: 'Stop an account from managing other accounts.',
    set: (accounts, email) => accounts.setAdmin(email, false, 'operator'),
    result: { admin: false },
    text: 'can no longer manage other accounts',
  },
  {
    name: 'disable',
    description: 'Lock an account out: its tokens and sessions stop working.',
    set: (accounts, email) => accounts.setDisabled(email, true, 'operator'),
    result: { disabled: true },
    text: 'is disabled',
  },
  {
    name: 'enable',
    description: 'Let a disabled account in again.',
    set: (accounts, email) => accounts.setDisabled(email, false, 'operator'),
    result: { disabled: false },
    text: 'is enabled',
  },
];

/** The commands that turn something about an account on or off. */
export function toggleCommands(account: Command, cli: Cli): void {
  for (const toggle of toggles) toggleCommand(account, cli, toggle);
}

function toggleCommand(account: Command, { report }: Cli, toggle: Toggle): void {
  const command = account.command(`${toggle.name} <email>`).description(toggle.description);
  if (toggle.givesRights) command.option('--yes', 'do not ask, even if the address is unconfirmed');
  command
    .option('--json', `print {"email","${Object.keys(toggle.result)}"}`)
    .action((address: string, { json, ...consent }: OutputOptions & { yes?: true }) =>
      report(json, async ({ domain: { accounts } }) => {
        const { email, signedUp, hasPassword } = await accounts.summary(address);
        if (toggle.givesRights && signedUp) await requireConsent(unconfirmed(email), consent);
        await toggle.set(accounts, email);
        const hint = toggle.name === 'promote' && !hasPassword ? `\n${withoutPassword(email)}` : '';
        return [{ email, ...toggle.result }, `${email} ${toggle.text}.${hint}`];
      }),
    );
}

const unconfirmed = (email: string) =>
  `The account ${email} was created by signing up, and its address is unconfirmed: anyone can sign up with any address. To hand the account to the owner of the address, use hushpush admin account reset ${email}.`;

const withoutPassword = (email: string) =>
  `It has no password for the web yet: hushpush admin account invite ${email} makes a link to set one.`;
