import type { Command } from 'commander';
import { isoTime } from '../time.ts';
import type { Cli } from './cli.ts';
import { requireConsent } from './consent.ts';
import { formatTable, type OutputOptions } from './output.ts';

/** `hushpush admin account identities` and `disconnect`. */
export function identityCommands(account: Command, { report }: Cli): void {
  account
    .command('identities <email>')
    .description('List who an account is at identity providers, and when each last signed in.')
    .option('--json', 'print an array')
    .action((email: string, { json }: OutputOptions) =>
      report(json, async ({ domain: { accounts, singleSignOn } }) => {
        const found = await singleSignOn.identitiesOf(await accounts.find(email));
        const rows = found.map(({ label, createdAt, lastUsedAt, ...identity }) => ({
          ...identity,
          provider: label,
          created_at: isoTime(createdAt),
          last_used_at: isoTime(lastUsedAt),
        }));
        return [rows, formatTable(rows, 'No identity provider signs in to the account.')];
      }),
    );

  account
    .command('disconnect <email> <identity>')
    .description('Remove an identity by its id, and end the sessions that it began. The account is told.')
    .option('--yes', 'do not ask')
    .option('--json', 'print {"email","identity","disconnected"}')
    .action((address: string, identity: string, { json, ...consent }: OutputOptions & { yes?: true }) =>
      report(json, async ({ domain: { accounts, singleSignOn } }) => {
        const found = await accounts.find(address);
        const { email } = found;
        await requireConsent(
          `It no longer signs in to ${email}. If nothing else does, a link does so once: hushpush admin account reset ${email}.`,
          consent,
        );
        await singleSignOn.disconnectByOperator(found, identity);
        return [{ email, identity, disconnected: true }, `The identity no longer signs in to ${email}.`];
      }),
    );
}
