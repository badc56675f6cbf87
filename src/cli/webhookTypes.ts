import type { Command } from 'commander';
import type { Cli } from './cli.ts';
import { type OutputOptions, print } from './output.ts';

/** `hushpush admin webhook types` */
export function webhookTypesCommand(webhook: Command, { withService }: Cli): void {
  webhook
    .command('types <email> <id> <types...>')
    .description('Change which types of events a webhook gets, such as push.viewed, or all.')
    .option('--json', 'print {"email","id","types"}')
    .action(async (email: string, id: string, types: string[], { json }: OutputOptions) => {
      await withService(async ({ domain: { accounts, webhooks } }) => {
        const account = await accounts.find(email);
        const changed = await webhooks.changeTypes(account, id, { types: readTypes(types) });
        print(
          json,
          { email: account.email, id, types: changed.types },
          `Webhook ${id} of ${account.email} gets ${describeTypes(changed.types)}.`,
        );
      });
    });
}

/** The types of events that are named on a command line; null for the word `all`. */
export const readTypes = (types: string[]): string[] | null =>
  types.length === 1 && types[0] === 'all' ? null : types;

/** Types of events in a sentence. */
export const describeTypes = (types: string[] | null): string => types?.join(', ') ?? 'all events';
