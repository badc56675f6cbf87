import type { NodemailerError, Transporter } from 'nodemailer';
import type { MailSettings } from '../config.ts';
import { defaultLook, type Look } from '../look/look.ts';
import { maybeMailAddress } from '../mailAddress.ts';
import { secondMs } from '../time.ts';
import { attemptMsMax, connectionOptions, type MailOptions } from './connection.ts';
import { type MailResult, resultOf, serverWords } from './results.ts';

/** A mail to one address. `id` is the same for every attempt; a mail with `thread` is shown below others of that thread. */
export type Mail = {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  thread?: string | undefined;
  headers?: Record<string, string>;
};

export type MailTransport = ReturnType<typeof createMailTransport>;

/** Connections that each process opens to the mail server at most. */
export const mailConnectionsMax = 4;

/** Shorter than servers wait, so that none of them closes a connection that is about to be used. */
const idleMs = 5 * secondMs;

/** Speaks SMTP with the mail server of the operator. Loads the library when it is prepared, or with the first mail. */
export function createMailTransport(
  { server, from, look = defaultLook }: Pick<MailSettings, 'server' | 'from'> & { look?: Pick<Look, 'name'> },
  { attemptMs = attemptMsMax, ...options }: MailOptions = {},
) {
  const domain = from.address.slice(from.address.indexOf('@') + 1);
  const identifier = (id: string) => `<${id}@${domain}>`;
  let opened: Promise<Transporter> | undefined;

  async function open(): Promise<Transporter> {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      ...connectionOptions(server, options),
      pool: true,
      maxConnections: mailConnectionsMax,
      maxRequeues: 0, // the outbox tries again
      idleTimeout: idleMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  /** Tries once. Does not fail. */
  async function send({ id, to, subject, text, html, thread, headers }: Mail): Promise<MailResult> {
    if (maybeMailAddress(to) !== to) return { outcome: 'refused', reason: 'this is no e-mail address' };
    opened ??= open();
    try {
      const { response } = await (await opened).sendMail({
        from: { name: from.name ?? look.name, address: from.address },
        to: { name: '', address: to },
        envelope: { from: from.address, to: [to] },
        messageId: identifier(id),
        ...(thread !== undefined && { references: [identifier(thread)], inReplyTo: identifier(thread) }),
        subject,
        text,
        html,
        // RFC 3834, and what keeps Exchange from answering
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All', ...headers },
        signal: AbortSignal.timeout(attemptMs),
      });
      return { outcome: 'handedOver', response: serverWords(response ?? '') };
    } catch (error) {
      return resultOf(error as NodemailerError);
    }
  }

  /** Loads what the first mail would wait for. Connects to nothing. */
  async function prepare(): Promise<void> {
    opened ??= open();
    await opened;
  }

  /** Ends the connections. Mails that are being sent fail. */
  async function close(): Promise<void> {
    (await opened)?.close();
  }

  return { prepare, send, close };
}
