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

/** Whether the mail server has refused mails for good, those for its policy by themselves. */
export async function checkRefusedMails(
  config: Config,
  { domain }: Pick<Service, 'domain'>,
): Promise<Finding[]> {
  if (mailSettingsOf(config) === undefined) return [];
  const { isByPolicy } = await import('../../mail/results.ts');
  const refusals = await domain.mailAddresses.recentRefusals();
  const byPolicy = refusals.filter(isByPolicy);
  const others = refusals.filter((refusal) => !isByPolicy(refusal));
  return [
    ...(byPolicy.length === 0
      ? []
      : [
          warning(
            'mailsRefusedByPolicy',
            check,
            `mails to ${addresses(byPolicy)} were refused for what they say or who sends them, in the last week; of the last one, ${byPolicy[0]}`,
            'Ask whoever runs the mail server: SPF, DKIM, its limits, or its filters keep mails back, and will keep others back.',
          ),
        ]),
    ...(others.length === 0
      ? []
      : [
          warning(
            'mailsRefused',
            check,
            `mails to ${addresses(others)} were refused for good in the last week; of the last one, ${others[0]}`,
            'Most of these addresses do not exist, or their mailboxes are full.',
          ),
        ]),
  ];
}

const addresses = ({ length }: string[]) => (length === 1 ? 'one address' : `${length} addresses`);

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
