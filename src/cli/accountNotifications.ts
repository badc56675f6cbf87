import { type Command, Option } from 'commander';
import type { NoticePreferences, NoticeSwitch } from '../domain/index.ts';
import type { Cli } from './cli.ts';
import { formatTable, print } from './output.ts';

type NotificationsOptions = { json?: true; viewed?: NoticePreferences['viewed'] } & Record<string, unknown>;

const viewedOptions: NoticePreferences['viewed'][] = ['first', 'every', 'none'];

/** The other kinds of notices, which are on or off. Help needs them before the domain is loaded. */
const switchDescriptions: Record<NoticeSwitch, string> = {
  expired: 'The push expired, by any limit or by hand',
  failedPassphrase: 'Wrong passphrases',
  reminder: 'The push is about to expire and has not been viewed',
  askedAgain: 'Somebody asks for a new link after the end; enables asking on the page of the push',
};

const noticeSwitches = Object.keys(switchDescriptions) as NoticeSwitch[];
const fieldNames = ['viewed', ...noticeSwitches.map((kind) => delimited(kind, '_'))];

/** `hushpush admin account notifications …`: one option for each kind of notice. */
export function notificationsCommand(account: Command, { withService }: Cli): void {
  const command = account
    .command('notifications <email>')
    .alias('notices')
    .description('Choose the notifications of an account, for pushes that do not choose their own.')
    .addOption(new Option('--viewed <views>', 'Views: the first, every, or none').choices(viewedOptions));
  for (const kind of noticeSwitches) {
    const flags = `--${delimited(kind, '-')} <yes|no>`;
    command.addOption(new Option(flags, switchDescriptions[kind]).choices(['yes', 'no']));
  }
  command
    .option('--json', `print {${fieldNames.map((name) => `"${name}"`).join(',')}}`)
    .addHelpText(
      'after',
      '\nExample:\n  hushpush admin account notifications you@example.com --viewed first --reminder no',
    )
    .action(async (email: string, { json, ...options }: NotificationsOptions) => {
      await withService(async ({ domain: { accounts } }) => {
        const account = await accounts.find(email);
        const { viewed, ...switches } = await accounts.setNoticePreferences(account, changesIn(options));
        const named = noticeSwitches.map((kind) => [delimited(kind, '_'), switches[kind]]);
        const row = { viewed, ...Object.fromEntries(named) };
        print(json, row, formatTable([row], ''));
      });
    });
}

function changesIn({ viewed, ...options }: NotificationsOptions): Partial<NoticePreferences> {
  const switches = Object.entries(options).map(([kind, value]) => [kind, value === 'yes']);
  return { ...(viewed === undefined ? {} : { viewed }), ...Object.fromEntries(switches) };
}

/** `failedPassphrase` as `failed-passphrase` or `failed_passphrase`. */
function delimited(name: string, delimiter: string): string {
  return name.replace(/[A-Z]/g, (letter) => delimiter + letter.toLowerCase());
}
