import type { Command } from 'commander';
import { DomainError } from '../errors.ts';
import type { Service } from '../service.ts';
import type { Cli, Report } from './cli.ts';
import { requireConsent } from './consent.ts';
import { readPassword } from './hiddenPrompt.ts';
import type { OutputOptions } from './output.ts';

type InviteOptions = OutputOptions & { subscribed?: true; admin?: true; mail?: true };

/** `hushpush admin account password`, `invite`, `reset` and `remove-factors`. */
export function passwordCommands(account: Command, { report }: Cli): void {
  account
    .command('password <email>')
    .description('Set the password of an account, and sign out all its browsers.')
    .option('--stdin', 'read the password from standard input')
    .option('--json', 'print {"email","password_set"}')
    .action(async (address: string, { stdin, json }: OutputOptions & { stdin?: true }) => {
      const password = await readPassword({ stdin });
      await report(json, async ({ domain: { passwordLinks, signIn } }) => {
        const { email } = await passwordLinks.setPassword(address, password);
        const done = signIn.allowsPasswords
          ? `${email} can sign in with the new password.`
          : `${email} has the new password, but PASSWORD_SIGN_IN is off. For a link that signs in once: hushpush admin account reset ${email}`;
        return [{ email, password_set: true }, done];
      });
    });

  account
    .command('invite <email>')
    .description(
      'Create a link that sets the first password of an account; it works once, for a day. Creates the account if needed.',
    )
    .option('--subscribed', 'allow a new account to attach files')
    .option('--admin', 'let a new account manage other accounts on the web')
    .option('--mail', 'mail the link to the address, where mail is on, and print none')
    .option('--json', 'print {"email","link"}')
    .action(async (address: string, { subscribed, admin, mail, json }: InviteOptions) => {
      await report(json, async (service) => {
        if (mail && !service.domain.mailLinks.isOn) throw new DomainError('forbidden', 'mailOff');
        await createIfNew(service, address, { isSubscribed: subscribed === true, isAdmin: admin === true });
        return mail ? mailLink(service, address) : createLink(service, address, 'invite');
      });
    });

  account
    .command('reset <email>')
    .description('Create a link that sets a new password; it works once, for half an hour.')
    .option('--json', 'print {"email","link"}')
    .action(async (address: string, { json }: OutputOptions) => {
      await report(json, (service) => createLink(service, address, 'reset'));
    });

  account
    .command('remove-factors <email>')
    .description(
      'Remove the second factors of an account whose owner has lost them, and sign out all its browsers. The account is told.',
    )
    .option('--yes', 'do not ask')
    .option('--json', 'print {"email","factors_removed"}')
    .action((address: string, { json, ...consent }: OutputOptions & { yes?: true }) =>
      report(json, async ({ domain: { accounts, factors } }) => {
        const { email } = await accounts.find(address);
        await requireConsent(`A password alone will sign in to ${email}. Be sure who asks for it.`, consent);
        await factors.removeAll(email, 'operator');
        return [{ email, factors_removed: true }, `${email} signs in without a second factor now.`];
      }),
    );
}

type NewAccount = { isSubscribed: boolean; isAdmin: boolean };

async function createIfNew(
  { domain: { accounts } }: Service,
  email: string,
  { isSubscribed, isAdmin }: NewAccount,
): Promise<void> {
  if (!(await accounts.exists(email)))
    return void (await accounts.create({ email, subscribed: isSubscribed, isAdmin }));
  if (isSubscribed || isAdmin)
    throw new Error(
      'The account exists already. Change it with hushpush admin account subscribe and promote.',
    );
}

async function mailLink({ domain }: Service, address: string): Promise<Report> {
  await domain.passwordLinks.mailInvitation(address, 'en', 'operator');
  const { email } = await domain.accounts.find(address);
  return [{ email, mailed: true }, `The service mails a link to ${email}. It works once, within a day.`];
}

async function createLink(
  { domain: { accounts, passwordLinks }, links }: Service,
  address: string,
  purpose: 'invite' | 'reset',
): Promise<Report> {
  const token = await passwordLinks.create(address, purpose, 'operator');
  const { email } = await accounts.find(address);
  const link = links.oneTime(purpose, token);
  const life = purpose === 'invite' ? 'within a day' : 'within half an hour';
  return [{ email, link }, `Hand this link to ${email}. It works once, ${life}:\n${link}`];
}
