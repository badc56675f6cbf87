import type { Command } from 'commander';
import type { WebhookDelivery } from '../domain/index.ts';
import { isoTime, maybeIsoTime } from '../time.ts';
import type { Cli } from './cli.ts';
import { toNumber } from './client/command.ts';
import { formatTable, type OutputOptions, print } from './output.ts';

/** `hushpush admin webhook deliveries`, `test` and `redeliver` */
export function webhookDeliveryCommands(webhook: Command, { withService }: Cli): void {
  webhook
    .command('deliveries <email> <id>')
    .description('List the deliveries of a webhook, sent and waiting, newest first, 50 per page.')
    .option('--page <number>', 'the page, from 1', toNumber, 1)
    .option('--json', 'print an array')
    .action(async (email: string, id: string, { page, json }: OutputOptions & { page: number }) => {
      await withService(async ({ domain: { accounts, webhooks } }) => {
        const found = await webhooks.deliveries(await accounts.find(email), id, page);
        const rows = found.map(deliveryRow);
        print(json, rows, formatTable(rows, 'The webhook has no deliveries yet.'));
      });
    });

  webhook
    .command('test <email> <id>')
    .description('Have the service send a test event, once.')
    .option('--json', 'print the delivery')
    .action(async (email: string, id: string, { json }: OutputOptions) => {
      await withService(async ({ domain: { accounts, webhooks } }) => {
        const delivery = await webhooks.test(await accounts.find(email), id);
        print(json, deliveryRow(delivery), requested(delivery));
      });
    });

  webhook
    .command('redeliver <email> <id> <delivery>')
    .description('Have the service send a delivery of the last week again.')
    .option('--json', 'print the delivery')
    .action(async (email: string, id: string, deliveryId: string, { json }: OutputOptions) => {
      await withService(async ({ domain: { accounts, webhooks } }) => {
        const delivery = await webhooks.redeliver(await accounts.find(email), id, deliveryId);
        print(json, deliveryRow(delivery), requested(delivery));
      });
    });
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
