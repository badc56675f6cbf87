import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { MailSettings } from '../config.ts';
import type { Look } from '../look/look.ts';
import type { Cli } from './cli.ts';
import { type OutputOptions, print } from './output.ts';

/** `hushpush admin mail …` */
export function mailCommands(admin: Command, { config }: Cli): void {
  admin
    .command('mail')
    .description('Try whether mails leave.')
    .command('test <address>')
    .description('Send a mail to an address, and print what the mail server answers.')
    .option('--json', 'print {"address","answer"}')
    .addHelpText('after', '\nExample:\n  hushpush admin mail test you@example.com')
    .action(async (text: string, { json }: OutputOptions) => {
      const { address, answer } = await sendTest(await config(), text);
      const done = `Handed to your mail server, which answered: ${answer}\nWhether it reaches ${address}, only the mailbox shows.`;
      print(json, { address, answer }, done);
    });
}

async function sendTest(config: Awaited<ReturnType<Cli['config']>>, text: string) {
  const [{ lookFolderOf, mailSettingsOf, publicUrl }, { maybeMailAddress }, { createLookReader }] =
    await Promise.all([import('../config.ts'), import('../mailAddress.ts'), import('../look/open.ts')]);
  const address = maybeMailAddress(text);
  if (address === undefined) throw new Error('That is not an e-mail address, such as you@example.com.');
  const settings = mailSettingsOf(config);
  if (settings === undefined) throw new Error('Mail is off: set SMTP_URL and MAIL_FROM. See docs/mail.md.');
  const look = await createLookReader(lookFolderOf(config))();
  const result = await send({ ...settings, look }, address, publicUrl(config));
  if (result.outcome === 'handedOver') return { address, answer: result.response };
  throw new Error(`Nothing was sent: ${result.reason}`);
}

async function send(settings: MailSettings & { look: Look }, address: string, baseUrl: string) {
  const [{ createMailTransport }, { testContent }, { renderMail }, { messagesOf }] = await Promise.all([
    import('../mail/transport.ts'),
    import('../mail/contents.ts'),
    import('../mail/layout.tsx'),
    import('../locales/locales.ts'),
  ]);
  const reader = { locale: 'en' as const, messages: messagesOf('en'), baseUrl, look: settings.look };
  const transport = createMailTransport(settings);
  try {
    return await transport.send({
      id: `test_${randomUUID()}`,
      to: address,
      ...renderMail(testContent(reader), reader),
    });
  } finally {
    await transport.close();
  }
}
