import { type Command, Option } from 'commander';
import { lazily, serverCommand, toNumber } from './command.ts';

const listLimit = 50;

/** The commands for what only hushpush has: requests for secrets, webhooks, and the account itself. */
export function hushpushCommands(program: Command): void {
  requestCommands(program);
  clientWebhookCommands(program);
  accountCommand(program);
}

/** `hushpush request`, `hushpush requests`, `hushpush cancel`, `hushpush answers` and `hushpush answer` */
function requestCommands(program: Command): void {
  serverCommand(program, 'request [from...]', 'print the request object of the API, with all that were sent')
    .description(
      'Ask people in Slack or Discord for a secret, as yourself there, or anybody by a link; on hushpush only.',
    )
    .option('--reason <text>', 'what it is for; they see it')
    .option('--link <title>', 'create a link instead, by which anybody answers without an account')
    .option('--to <address...>', 'mail the link to e-mail addresses; with --link')
    .option('--note <text>', 'what else they should know; with --link')
    .option(
      '--answers <number>',
      'how many answers the link takes; 1 by default, or as many as --to has',
      toNumber,
    )
    .addOption(new Option('--accepts <kind>', 'what they can send').choices(['text', 'files', 'both']))
    .option('--allow-name', 'they may say who they are; with --link')
    .option('--passphrase', 'ask for a passphrase that they must enter; with --link')
    .option('--passphrase-file <file>', 'take it from the first line of a file')
    .option('--no-seal', 'let the server encrypt the answers, which it could then read; with --link')
    .option('--opening-passphrase', 'ask for a passphrase that opens sealed answers, instead of a link')
    .option('--opening-passphrase-file <file>', 'take it from the first line of a file')
    .option('--days <number>', 'how many days they have to answer', toNumber)
    .option('--hours <number>', 'how many hours they have', toNumber)
    .option('--minutes <number>', 'how many minutes they have', toNumber)
    .addHelpText('after', requestExamples)
    .action(lazily(async () => (await import('./requests.ts')).request));
  serverCommand(program, 'requests', 'print {"received","sent","links"}')
    .description('List what you asked for, and what others ask you for; on hushpush only.')
    .action(lazily(async () => (await import('./requests.ts')).requests));
  serverCommand(program, 'cancel <ids...>', 'print an array of request objects')
    .description(
      'Cancel open requests and links of yours, by their ids in hushpush requests; on hushpush only.',
    )
    .action(lazily(async () => (await import('./requests.ts')).cancel));
  serverCommand(program, 'answers <link>', 'print an array of answers')
    .description(
      'List the answers to a request link of yours, by your own link to it, or by its id in hushpush requests; on hushpush only.',
    )
    .option('--passphrase', 'ask for the passphrase that opens sealed answers')
    .option('--passphrase-file <file>', 'take it from the first line of a file')
    .action(lazily(async () => (await import('./requestLinks.ts')).answers));
  serverCommand(program, 'answer <link> [file]', 'print {"receipt"}')
    .description('Answer a request link with a text, files or both. Needs no account; on hushpush only.')
    .option('--attach <files...>', 'files to send')
    .option('--name <text>', 'who you are, where the link asks for it')
    .option('--passphrase', 'ask for the passphrase of the link')
    .option('--passphrase-file <file>', 'take it from the first line of a file')
    .action(lazily(async () => (await import('./requestLinks.ts')).answer));
}

const requestExamples = `
FROM is slack:TEAM:USER, discord:USER or mattermost:USER, with the ids of the chat. Several people must be in one workspace.

Examples:
  hushpush request slack:T0123ABCD:U0456EFGH --reason 'the password of the VPN'
  hushpush request discord:123456789012345678 discord:234567890123456789 --days 2
  hushpush request --link 'The password of the web shop' --days 1 --allow-name`;

/** `hushpush webhook …`: the webhooks of the account, on any server with hushpush. */
function clientWebhookCommands(program: Command): void {
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
    .option('--limit <number>', 'how many to list', toNumber, listLimit)
    .action(lazily(async () => (await load()).listDeliveries));
  serverCommand(webhook, 'redeliver <id> <delivery>', 'print the delivery')
    .description('Send a delivery of the last week again.')
    .action(lazily(async () => (await load()).redeliver));
  serverCommand(webhook, 'rotate-secret <id>', 'print {"id","secret","previous_secret_until"}')
    .description('Replace the secret; the previous one also signs for a day.')
    .action(lazily(async () => (await load()).rotateSecret));
}

/** `hushpush account …`: the account itself, on any server with hushpush. */
function accountCommand(program: Command): void {
  const account = program
    .command('account')
    .description('Show what concerns your account; on hushpush only.');
  serverCommand(account, 'security', 'print an array of security events')
    .description('List sign-ins, wrong tries and changes of what signs you in, newest first.')
    .option('--limit <number>', 'how many to list', toNumber, listLimit)
    .action(lazily(async () => (await import('./account.ts')).security));
}
