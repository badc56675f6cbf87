import { type Command, InvalidArgumentError } from 'commander';
import type { Cli } from './cli.ts';
import { formatTable, iso, print } from './output.ts';

type Output = { json?: true };

/** `hushpush webhook …`: where an account wants events of its pushes sent to. */
export function webhookCommands(program: Command, { withService }: Cli): void {
  const webhook = program
    .command('webhook')
    .description('Manage where events of an account’s pushes are sent.');

  webhook
    .command('add <email> <url>')
    .description('Send events to an address from now on; the secret that verifies them is shown this once.')
    .option('--json', 'print {"email","id","url","secret"}')
    .addHelpText('after', '\nExample:\n  hushpush webhook add you@example.com https://example.com/hook')
    .action(async (email: string, url: string, { json }: Output) => {
      await withService(async ({ domain: { accounts, webhooks } }) => {
        const account = await accounts.find(email);
        const { id, url: address, secret } = await webhooks.create(account, { url });
        print(
          json,
          { email: account.email, id, url: address, secret },
          `Webhook ${id} of ${account.email} is made. Its secret, shown this once:\n${secret}`,
        );
      });
    });

  webhook
    .command('list <email>')
    .description('List the webhooks of an account, and whether they work.')
    .option('--json', 'print an array')
    .action(async (email: string, { json }: Output) => {
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
    .description('Forget a webhook; what waits for it is not sent any more.')
    .option('--json', 'print {"email","id","removed"}')
    .action(async (email: string, id: string, { json }: Output) => {
      await withService(async ({ domain: { accounts, webhooks } }) => {
        const account = await accounts.find(email);
        await webhooks.remove(account, id);
        print(
          json,
          { email: account.email, id, removed: true },
          `Webhook ${id} of ${account.email} is removed.`,
        );
      });
    });

  webhook
    .command('enable <email> <id>')
    .description('Send to a webhook again that was disabled because it kept failing.')
    .option('--json', 'print {"email","id","enabled"}')
    .action(async (email: string, id: string, { json }: Output) => {
      await withService(async ({ domain: { accounts, webhooks } }) => {
        const account = await accounts.find(email);
        await webhooks.enable(account, id);
        print(
          json,
          { email: account.email, id, enabled: true },
          `Webhook ${id} of ${account.email} is enabled.`,
        );
      });
    });

  webhook
    .command('deliveries <email> <id>')
    .description('List what was sent to a webhook and what waits for it, 50 a page, the newest first.')
    .option('--page <number>', 'which page, from 1', pageNumber, 1)
    .option('--json', 'print an array')
    .action(async (email: string, id: string, { page, json }: Output & { page: number }) => {
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
        print(json, rows, formatTable(rows, 'Nothing was sent to the webhook yet.'));
      });
    });
}

function pageNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(text);
}
