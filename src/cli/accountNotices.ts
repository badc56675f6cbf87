import { type Command, Option } from 'commander';
import { noticeKinds } from '../domain/notices/events.ts';
import { type NoticePreferences, noticeSwitches, viewedOptions } from '../domain/notices/preferences.ts';
import type { Cli } from './cli.ts';
import { formatTable, print } from './output.ts';

type NoticesOptions = { json?: true; viewed?: NoticePreferences['viewed'] } & Record<string, unknown>;

const fieldNames = ['viewed', ...noticeSwitches.map((kind) => delimited(kind, '_'))];

/** `hushpush admin account notices …`: one option for each kind of notice. */
export function noticesCommand(account: Command, { withService }: Cli): void {
  const command = account
    .command('notices <email>')
    .description('Choose the notices of an account, for pushes that do not choose their own.')
    .addOption(new Option('--viewed <views>', noticeKinds.viewed.description).choices(viewedOptions));
  for (const kind of noticeSwitches) {
    const flags = `--${delimited(kind, '-')} <yes|no>`;
    command.addOption(new Option(flags, noticeKinds[kind].description).choices(['yes', 'no']));
  }
  command
    .option('--json', `print {${fieldNames.map((name) => `"${name}"`).join(',')}}`)
    .addHelpText(
      'after',
      '\nExample:\n  hushpush admin account notices you@example.com --viewed first --reminder no',
    )
    .action(async (email: string, { json, ...options }: NoticesOptions) => {
      await withService(async ({ domain: { accounts } }) => {
        const account = await accounts.find(email);
        const { viewed, ...switches } = await accounts.setNoticePreferences(account, changesIn(options));
        const named = noticeSwitches.map((kind) => [delimited(kind, '_'), switches[kind]]);
        const row = { viewed, ...Object.fromEntries(named) };
        print(json, row, formatTable([row], ''));
      });
    });
}

function changesIn({ viewed, ...options }: NoticesOptions): Partial<NoticePreferences> {
  const switches = Object.entries(options).map(([kind, value]) => [kind, value === 'yes']);
  return { ...(viewed === undefined ? {} : { viewed }), ...Object.fromEntries(switches) };
}

/** `failedPassphrase` as `failed-passphrase` or `failed_passphrase`. */
function delimited(name: string, delimiter: string): string {
  return name.replace(/[A-Z]/g, (letter) => delimiter + letter.toLowerCase());
}
