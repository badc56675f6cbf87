import type { Command } from 'commander';
import { lazily, serverCommand } from './command.ts';

/** `hushpush request` and `hushpush requests` */
export function requestCommands(program: Command): void {
  serverCommand(program, 'request <from>', 'print the request object of the API')
    .description('Ask somebody in Slack or Discord for a secret, as yourself there; on hushpush only.')
    .option('--reason <text>', 'what it is for; they see it')
    .addHelpText('after', requestExamples)
    .action(lazily(async () => (await import('./requests.ts')).request));
  serverCommand(program, 'requests', 'print {"received","sent"}')
    .description('List what you asked for, and what others ask you for; on hushpush only.')
    .action(lazily(async () => (await import('./requests.ts')).requests));
}

const requestExamples = `
FROM is slack:TEAM:USER or discord:USER, with the ids of the chat.

Example:
  hushpush request slack:T0123ABCD:U0456EFGH --reason 'the password of the VPN'`;
