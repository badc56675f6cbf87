import type { Command } from 'commander';
import { lazily, serverCommand, toNumber } from './command.ts';

/** `hushpush request`, `hushpush requests` and `hushpush cancel` */
export function requestCommands(program: Command): void {
  serverCommand(program, 'request <from...>', 'print the request object of the API, with all that were sent')
    .description('Ask people in Slack or Discord for a secret, as yourself there; on hushpush only.')
    .option('--reason <text>', 'what it is for; they see it')
    .option('--days <number>', 'how many days they have to answer', toNumber)
    .option('--hours <number>', 'how many hours they have', toNumber)
    .option('--minutes <number>', 'how many minutes they have', toNumber)
    .addHelpText('after', requestExamples)
    .action(lazily(async () => (await import('./requests.ts')).request));
  serverCommand(program, 'requests', 'print {"received","sent"}')
    .description('List what you asked for, and what others ask you for; on hushpush only.')
    .action(lazily(async () => (await import('./requests.ts')).requests));
  serverCommand(program, 'cancel <ids...>', 'print an array of request objects')
    .description('Cancel open requests of yours, by their ids in hushpush requests; on hushpush only.')
    .action(lazily(async () => (await import('./requests.ts')).cancel));
}

const requestExamples = `
FROM is slack:TEAM:USER or discord:USER, with the ids of the chat. Several people must be in one workspace.

Examples:
  hushpush request slack:T0123ABCD:U0456EFGH --reason 'the password of the VPN'
  hushpush request discord:123456789012345678 discord:234567890123456789 --days 2`;
