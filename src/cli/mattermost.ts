import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { Cli } from './cli.ts';
import { askSecret, requireTerminal } from './client/terminal.ts';
import { type OutputOptions, print } from './output.ts';

type SetupCommandOptions = OutputOptions & { team: string[]; remove?: true; stdin?: true };

/** `hushpush admin mattermost …` */
export function mattermostCommands(admin: Command, { config }: Cli): void {
  admin
    .command('mattermost')
    .description('Manage the bot and the commands in Mattermost.')
    .command('setup <url>')
    .description(
      'Create the bot, its token, and the command /push in each team of an admin, and print the settings.',
    )
    .option('--team <name>', 'only in this team; can be given several times', collect, [])
    .option('--remove', 'delete the commands, revoke the tokens of the bot, and disable it')
    .option('--stdin', 'read the personal access token of a system admin from standard input')
    .option('--json', 'print {"did","settings"}')
    .addHelpText(
      'after',
      '\nExample:\n  hushpush admin mattermost setup https://chat.example.com --team sales',
    )
    .action(async (address: string, { team, remove, stdin, json }: SetupCommandOptions) => {
      const [{ publicUrl }, setup] = await Promise.all([
        import('../config.ts'),
        import('../bots/mattermost/setup/setup.ts'),
      ]);
      const options = {
        url: address.replace(/\/+$/, ''),
        token: await readToken(stdin === true),
        baseUrl: publicUrl(await config()),
        teams: team,
      };
      const { did, settings } = remove
        ? { did: await setup.removeFromMattermost(options), settings: {} }
        : await setup.setUpMattermost(options);
      const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
      const done = did.length === 0 ? ['There was nothing to remove.'] : did.map((each) => `- ${each}`);
      print(json, { did, settings }, [...done, ...(lines.length > 0 ? ['', ...lines] : [])].join('\n'));
    });
}

const collect = (name: string, names: string[]): string[] => [...names, name];

async function readToken(isPiped: boolean): Promise<string> {
  if (!isPiped) requireTerminal('Add --stdin to read the token from standard input.');
  const token = await (isPiped
    ? text(process.stdin)
    : askSecret('Personal access token of a system admin: '));
  return token.trim();
}
