import type { SmtpServer } from '../config.ts';
import { secondMs } from '../time.ts';

/** What tests shorten, and whom they trust. */
export type MailOptions = { attemptMs?: number; ca?: string };

/** An attempt ends before its notice's lease does: a delivery that nobody waits for any more could be made twice. */
export const attemptMsMax = 18 * secondMs;

const timeouts = {
  dnsTimeout: 5 * secondMs,
  connectionTimeout: 5 * secondMs,
  greetingTimeout: 10 * secondMs,
  socketTimeout: attemptMsMax,
  socketCloseTimeout: secondMs,
};

/** How the library connects to a mail server, and whom it trusts. */
export const connectionOptions = ({ host, port, tls, credentials }: SmtpServer, { ca }: MailOptions) => ({
  host,
  port,
  secure: tls === 'implicit',
  requireTLS: tls === 'required',
  ignoreTLS: tls === 'off', // servers on this machine have certificates for other names
  tls: { minVersion: 'TLSv1.2' as const, ...(ca !== undefined && { ca }) },
  ...(credentials && { auth: { user: credentials.user, pass: credentials.password } }),
  ...timeouts,
});
