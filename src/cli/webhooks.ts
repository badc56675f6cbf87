import type { Command } from 'commander';
import type { WebhookDelivery } from '../domain/index.ts';
import { isoTime, maybeIsoTime } from '../time.ts';
import type { Cli } from './cli.ts';
import { describeTypes, readTypes, toNumber } from './client/command.ts';
import { formatTable, type OutputOptions } from './output.ts';

type AddOptions = OutputOptions & { types?: string[] };

/** `hushpush admin webhook …` */
export function webhookCommands(program: Command, cli: Cli): void {
  const { report } = cli;
  const webhook = program
    .command('webhook')
    .description('Manage the webhooks that receive the events of an account’s pushes.');

  webhook
    .command('add <email> <url>')
    .description('Send events to a URL; the secret that verifies them is shown only once.')
    .option('--types <types...>', 'only these types of events, such as push.viewed')
    .option('--json', 'print {"email","id","url","secret"}')
    .addHelpText('after', '\nExample:\n  hushpush admin webhook add you@example.com https://example.com/hook')
    .action((email: string, url: string, { types, json }: AddOptions) =>
      report(json, async ({ domain: { accounts, webhooks } }) => {
        const account = await accounts.find(email);
        const { id, url: address, secret } = await webhooks.create(account, { url, types });
        return [
          { email: account.email, id, url: address, secret },
          `Created webhook ${id} of ${account.email}. Its secret, shown only once:\n${secret}`,
        ];
      }),
    );

  webhook
    .command('list <email>')
    .description('List the webhooks of an account, and whether they work.')
    .option('--json', 'print an array')
    .action((email: string, { json }: OutputOptions) =>
      report(json, async ({ domain: { accounts, webhooks } }) => {
        const found = await webhooks.list(await accounts.find(email));
        const rows = found.map(({ id, url, types, createdAt, disabledAt, failingSince }) => ({
          id,
          url,
          types: types?.join(' ') ?? null,
          created_at: isoTime(createdAt),
          disabled: disabledAt !== null,
          failing_since: maybeIsoTime(failingSince),
        }));
        return [rows, formatTable(rows, 'The account has no webhooks.')];
      }),
    );

  webhook
    .command('rotate-secret <email> <id>')
    .description('Replace the secret of a webhook; the previous one also signs for a day.')
    .option('--json', 'print {"email","id","secret","previous_secret_until"}')
    .action((email: string, id: string, { json }: OutputOptions) =>
      report(json, async ({ domain: { accounts, webhooks } }) => {
        const account = await accounts.find(email);
        const { secret, previousSecretUntil } = await webhooks.rotateSecret(account, id);
        const until = isoTime(previousSecretUntil);
        return [
          { email: account.email, id, secret, previous_secret_until: until },
          `The new secret of webhook ${id}, shown only once; the previous one also signs until ${until}:\n${secret}`,
        ];
      }),
    );

  webhook
    .command('remove <email> <id>')
    .description('Remove a webhook; its waiting deliveries are dropped.')
    .option('--json', 'print {"email","id","removed"}')
    .action((email: string, id: string, { json }: OutputOptions) =>
      report(json, async ({ domain: { accounts, webhooks } }) => {
        const account = await accounts.find(email);
        await webhooks.remove(account, id);
        return [{ email: account.email, id, removed: true }, `Removed webhook ${id} of ${account.email}.`];
      }),
    );

  webhook
    .command('enable <email> <id>')
    .description('Re-enable a webhook that was disabled because it kept failing.')
    .option('--json', 'print {"email","id","enabled"}')
    .action((email: string, id: string, { json }: OutputOptions) =>
      report(json, async ({ domain: { accounts, webhooks } }) => {
        const account = await accounts.find(email);
        await webhooks.enable(account, id);
        return [{ email: account.email, id, enabled: true }, `Enabled webhook ${id} of ${account.email}.`];
      }),
    );

  typesCommand(webhook, cli);
  webhookDeliveryCommands(webhook, cli);
}

function typesCommand(webhook: Command, { report }: Cli): void {
  webhook
    .command('types <email> <id> <types...>')
    .description('Change which types of events a webhook gets, such as push.viewed, or all.')
    .option('--json', 'print {"email","id","types"}')
    .action((email: string, id: string, types: string[], { json }: OutputOptions) =>
      report(json, async ({ domain: { accounts, webhooks } }) => {
        const account = await accounts.find(email);
        const changed = await webhooks.changeTypes(account, id, { types: readTypes(types) });
        return [
          { email: account.email, id, types: changed.types },
          `Webhook ${id} of ${account.email} gets ${describeTypes(changed.types)}.`,
        ];
      }),
    );
}

/** `hushpush admin webhook deliveries`, `test` and `redeliver` */
function webhookDeliveryCommands(webhook: Command, { report }: Cli): void {
  webhook
    .command('deliveries <email> <id>')
    .description('List the deliveries of a webhook, sent and waiting, newest first, 50 per page.')
    .option('--page <number>', 'the page, from 1', toNumber, 1)
    .option('--json', 'print an array')
    .action((email: string, id: string, { page, json }: OutputOptions & { page: number }) =>
      report(json, async ({ domain: { accounts, webhooks } }) => {
        const found = await webhooks.deliveries(await accounts.find(email), id, page);
        const rows = found.map(deliveryRow);
        return [rows, formatTable(rows, 'The webhook has no deliveries yet.')];
      }),
    );

  webhook
    .command('test <email> <id>')
    .description('Have the service send a test event, once.')
    .option('--json', 'print the delivery')
    .action((email: string, id: string, { json }: OutputOptions) =>
      report(json, async ({ domain: { accounts, webhooks } }) => {
        const delivery = await webhooks.test(await accounts.find(email), id);
        return [deliveryRow(delivery), requested(delivery)];
      }),
    );

  webhook
    .command('redeliver <email> <id> <delivery>')
    .description('Have the service send a delivery of the last week again.')
    .option('--json', 'print the delivery')
    .action((email: string, id: string, deliveryId: string, { json }: OutputOptions) =>
      report(json, async ({ domain: { accounts, webhooks } }) => {
        const delivery = await webhooks.redeliver(await accounts.find(email), id, deliveryId);
        return [deliveryRow(delivery), requested(delivery)];
      }),
    );
}

const deliveryRow = (delivery: WebhookDelivery) => ({
  id: delivery.id,
  event: delivery.event,
  times: delivery.times,
  happened_at: isoTime(delivery.happenedAt),
  state: delivery.state,
  attempts: delivery.attempts,
  last_problem: delivery.lastProblem,
  next_attempt_at: maybeIsoTime(delivery.nextAttemptAt),
});

const requested = ({ id }: WebhookDelivery) =>
  `The service sends ${id} within a minute. What came of it is in hushpush admin webhook deliveries.`;
