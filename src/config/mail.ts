import { z } from 'zod';
import { maybeUrl } from '../client/url.ts';
import { type MailSender, maybeMailSender } from '../mailAddress.ts';
import { isLoopback, mailDomains } from './values.ts';

/** How to reach the mail server. */
export type SmtpServer = {
  host: string;
  port: number;
  /** `implicit`: from the first byte, `required`: by STARTTLS. `off` only for a server on this machine. */
  tls: 'implicit' | 'required' | 'off';
  credentials: { user: string; password: string } | undefined;
};

/** `perMinute` is for all processes together. */
export type MailSettings = { server: SmtpServer; from: MailSender; perMinute: number };

const form = 'must be smtps://USER:PASSWORD@HOST or smtp://USER:PASSWORD@HOST:PORT, percent-encoded';
const defaultPorts = { 'smtps:': 465, 'smtp:': 587 };

/** Undefined for what is no address of a mail server. */
function parseServer(text: string): SmtpServer | undefined {
  const url = maybeUrl(text);
  if (url === undefined || /[\p{Cc}\s]/u.test(text)) return undefined;
  const { protocol, hostname, port, username, password, pathname, search, hash } = url;
  if (protocol !== 'smtp:' && protocol !== 'smtps:') return undefined;
  const credentials = parseCredentials(username, password);
  const isHost = /^([a-z\d]([a-z\d.-]*[a-z\d])?|\[[\da-f:.]+\])$/i.test(hostname);
  const isWhole = isHost && port !== '0' && ['', '/'].includes(pathname) && search + hash === '';
  if (!isWhole || credentials === null) return undefined;
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const tls = protocol === 'smtps:' ? 'implicit' : isLoopback(host) ? 'off' : 'required';
  return { host, port: port === '' ? defaultPorts[protocol] : Number(port), tls, credentials };
}

/** Undefined for none, null for some that are incomplete or not percent-encoded. */
function parseCredentials(username: string, password: string): SmtpServer['credentials'] | null {
  if (username === '' && password === '') return undefined;
  if (username === '' || password === '') return null;
  try {
    const [user, secret] = [decodeURIComponent(username), decodeURIComponent(password)];
    return /\p{Cc}/u.test(user + secret) ? null : { user, password: secret };
  } catch {
    return null;
  }
}

const smtpUrl = z
  .string()
  .transform((text, { addIssue }) => {
    const server = parseServer(text);
    if (server === undefined) addIssue(form);
    return server;
  })
  .optional();

const mailFrom = z
  .string()
  .transform((text, { addIssue }) => {
    const sender = maybeMailSender(text);
    if (sender === undefined)
      addIssue(
        'must be an e-mail address, such as hushpush@example.com, or a name with one: hushpush <hushpush@example.com>',
      );
    return sender;
  })
  .optional();

/** The settings of mail, without its rate. */
export const mailShape = { SMTP_URL: smtpUrl, MAIL_FROM: mailFrom, MAIL_ALLOWED_DOMAINS: mailDomains };

type MailConfig = Pick<z.output<z.ZodObject<typeof mailShape>>, 'SMTP_URL' | 'MAIL_FROM'> & {
  MAIL_RATE: number;
};

/** Undefined where mail is off. */
export const mailSettingsOf = ({ SMTP_URL, MAIL_FROM, MAIL_RATE }: MailConfig): MailSettings | undefined =>
  SMTP_URL && MAIL_FROM && { server: SMTP_URL, from: MAIL_FROM, perMinute: MAIL_RATE };
