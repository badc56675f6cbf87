import { type Command, InvalidArgumentError } from 'commander';
import type { Cli } from './cli.ts';
import { formatTable, iso, print } from './output.ts';

type OutputOptions = { json?: true };

/** `hushpush admin webhook …` */
export function webhookCommands(program: Command, { withService }: Cli): void {
  const webhook = program
    .command('webhook')
    .description('Manage the webhooks that receive the events of an account’s pushes.');

  webhook
    .command('add <email> <url>')
    .description('Send events to a URL; the secret that verifies them is shown only once.')
    .option('--json', 'print {"email","id","url","secret"}')
    .addHelpText('after', '\nExample:\n  hushpush admin webhook add you@example.com https://example.com/hook')
    .action(async (email: string, url: string, { json }: OutputOptions) => {
      await withService(async ({ domain: { accounts, webhooks } }) => {
        const account = await accounts.find(email);
        const { id, url: address, secret } = await webhooks.create(account, { url });
        print(
          json,
          { email: account.email, id, url: address, secret },
          `Created webhook ${id} of ${account.email}. Its secret, shown only once:\n${secret}`,
        );
      });
    });

  webhook
    .command('list <email>')
    .description('List the webhooks of an account, and whether they work.')
    .option('--json', 'print an array')
    .action(async (email: string, { json }: OutputOptions) => {
      await withService(async ({ domain: { accounts, webhooks } }) => {
        const found = await webhooks.list(await accounts.find(email));
        const rows = found.map(({ id, url, createdAt, disabledAt, failingSince }) => ({
          id,
          url,
          created_at: iso(createdAt),
          disabled: disabledAt !== null,
          failing_since: iso(failingSince),
        }));
        print(json, rows, formatTable(rows, 'The account has no webhooks.'));
      });
    });

  webhook
    .command('remove <email> <id>')
    .description('Remove a webhook; its waiting deliveries are dropped.')
    .option('--json', 'print {"email","id","removed"}')
    .action(async (email: string, id: string, { json }: OutputOptions) => {
      await withService(async ({ domain: { accounts, webhooks } }) => {
        const account = await accounts.find(email);
        await webhooks.remove(account, id);
        print(
          json,
          { email: account.email, id, removed: true },
          `Removed webhook ${id} of ${account.email}.`,
        );
      });
    });

  webhook
    .command('enable <email> <id>')
    .description('Re-enable a webhook that was disabled because it kept failing.')
    .option('--json', 'print {"email","id","enabled"}')
    .action(async (email: string, id: string, { json }: OutputOptions) => {
      await withService(async ({ domain: { accounts, webhooks } }) => {
        const account = await accounts.find(email);
        await webhooks.enable(account, id);
        print(
          json,
          { email: account.email, id, enabled: true },
          `Enabled webhook ${id} of ${account.email}.`,
        );
      });
    });

  webhook
    .command('deliveries <email> <id>')
    .description('List the deliveries of a webhook, sent and waiting, newest first, 50 per page.')
    .option('--page <number>', 'the page, from 1', pageNumber, 1)
    .option('--json', 'print an array')
    .action(async (email: string, id: string, { page, json }: OutputOptions & { page: number }) => {
      await withService(async ({ domain: { accounts, webhooks } }) => {
        const found = await webhooks.deliveries(await accounts.find(email), id, page);
        const rows = found.map((delivery) => ({
          id: delivery.id,
          event: delivery.event,
          times: delivery.times,
          happened_at: iso(delivery.happenedAt),
          state: delivery.state,
          attempts: delivery.attempts,
          last_problem: delivery.lastProblem,
          next_attempt_at: iso(delivery.nextAttemptAt),
        }));
        print(json, rows, formatTable(rows, 'The webhook has no deliveries yet.'));
      });
    });
}

function pageNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(text);
}
