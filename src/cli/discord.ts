import type { Command } from 'commander';
import { DomainError } from '../domain/index.ts';
import type { Cli } from './cli.ts';
import { print } from './output.ts';

/** `hushpush discord …`: what Discord is told of us beforehand. */
export function discordCommands(program: Command, { withService }: Cli): void {
  const command = program.command('discord').description('Tell Discord what it has to know.');

  command
    .command('register')
    .description('Tell Discord which commands there are; starting does so too, where they changed.')
    .option('--json', 'print {"commands"}')
    .addHelpText('after', '\nExample:\n  hushpush discord register')
    .action(async ({ json }: { json?: true }) => {
      await withService(async ({ bots: { discord } }) => {
        if (discord === undefined) throw new DomainError('invalid', 'discordOff');
        const commands = await discord.register();
        print(json, { commands }, `Discord knows ${commands} commands now.`);
      });
    });
}
