import type { Command } from 'commander';
import { DomainError } from '../errors.ts';
import type { Cli } from './cli.ts';
import { type OutputOptions, print } from './output.ts';

/** `hushpush admin discord …` */
export function discordCommands(program: Command, { withService }: Cli): void {
  program
    .command('discord')
    .description('Manage the Discord application.')
    .command('register')
    .description('Register the slash commands; the service does so when it starts, if they have changed.')
    .option('--json', 'print {"commands"}')
    .addHelpText('after', '\nExample:\n  hushpush admin discord register')
    .action(async ({ json }: OutputOptions) => {
      await withService(async (service) => {
        const { discord } = (await service.openAdapters()).bots;
        if (discord === undefined) throw new DomainError('invalid', 'discordOff');
        const commands = await discord.register();
        print(json, { commands }, `Registered ${commands} commands.`);
      });
    });
}
