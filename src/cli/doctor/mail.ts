import { type Finding, failure, ok, warning } from '../../config/checks.ts';
import { type Config, mailSettingsOf } from '../../config.ts';
import type { Service } from '../../service.ts';

const check = 'mail';

const advice = {
  connection: 'Correct host and port in SMTP_URL, or allow the connection in the firewall.',
  tls: 'Use smtps:// for TLS from the start, and smtp:// for STARTTLS. The certificate must be for that host; for one of your own authority, set NODE_EXTRA_CA_CERTS.',
  credentials: 'Correct user and password in SMTP_URL, percent-encoded.',
  sender: 'Set MAIL_FROM to an address that this user may send as.',
};

/** Whether the mail server takes mails from us. Sends none. The library is only loaded where mail is on. */
export async function checkMail(config: Config): Promise<Finding[]> {
  const settings = mailSettingsOf(config);
  if (settings === undefined) return [];
  const { server, from } = settings;
  const { checkMailServer } = await import('../../mail/check.ts');
  const failed = await checkMailServer(settings);
  const place = `${server.host}:${server.port}`;
  if (failed !== undefined)
    return [
      failure(`mail${capitalized(failed.step)}`, check, `${place}: ${failed.reason}`, advice[failed.step]),
    ];
  const tls = server.tls === 'off' ? 'without TLS, on this machine' : 'by TLS';
  const user = server.credentials === undefined ? 'without a password' : 'with its password';
  return [ok('mailAccepted', check, `${place} takes mails from ${from.address}, ${tls}, ${user}`)];
}

/** Whether the mail server has refused mails for good. */
export async function checkRefusedMails(config: Config, { domain }: Service): Promise<Finding[]> {
  if (mailSettingsOf(config) === undefined) return [];
  const { count, last } = await domain.mailAddresses.recentRefusals();
  if (count === 0) return [];
  return [
    warning(
      'mailsRefused',
      check,
      `mails to ${count} addresses were refused for good in the last week; of the last one, ${last}`,
      'If it is not about the address, such as 552 or 554 5.7.1, ask whoever runs the mail server.',
    ),
  ];
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
