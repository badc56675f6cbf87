import type { Command } from 'commander';
import { lazily, serverCommand, toNumber } from './command.ts';

/** `hushpush webhook …`: the webhooks of the account, on any server with hushpush. */
export function clientWebhookCommands(program: Command): void {
  const webhook = program
    .command('webhook')
    .description('Manage the webhooks that receive the events of your pushes; on hushpush only.');
  const load = () => import('./webhooks.ts');

  serverCommand(webhook, 'list', 'print an array of webhooks')
    .description('List your webhooks, and whether they work.')
    .action(lazily(async () => (await load()).listWebhooks));
  serverCommand(webhook, 'add <url>', 'print the webhook object of the API, with its secret')
    .description('Send events to a URL; the secret that verifies them is shown only once.')
    .option('--types <types...>', 'only these types of events, such as push.viewed')
    .addHelpText('after', '\nExample:\n  hushpush webhook add https://example.com/hook --types push.viewed')
    .action(lazily(async () => (await load()).addWebhook));
  serverCommand(webhook, 'types <id> <types...>', 'print the webhook object of the API')
    .description('Change which types of events it gets, such as push.viewed, or all.')
    .action(lazily(async () => (await load()).changeTypes));
  serverCommand(webhook, 'remove <id>', 'print {"id","removed"}')
    .description('Remove a webhook; its waiting deliveries are dropped.')
    .action(lazily(async () => (await load()).removeWebhook));
  serverCommand(webhook, 'test <id>', 'print the delivery')
    .description('Send a test event, once.')
    .action(lazily(async () => (await load()).testWebhook));
  serverCommand(webhook, 'deliveries <id>', 'print an array of deliveries')
    .description('List what was sent in the last week, and what waits, newest first.')
    .option('--limit <number>', 'how many to list', toNumber, deliveriesLimit)
    .action(lazily(async () => (await load()).listDeliveries));
  serverCommand(webhook, 'redeliver <id> <delivery>', 'print the delivery')
    .description('Send a delivery of the last week again.')
    .action(lazily(async () => (await load()).redeliver));
  serverCommand(webhook, 'rotate-secret <id>', 'print {"id","secret","previous_secret_until"}')
    .description('Replace the secret; the previous one also signs for a day.')
    .action(lazily(async () => (await load()).rotateSecret));
}

const deliveriesLimit = 50;
