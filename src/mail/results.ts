import type { NodemailerError } from 'nodemailer';

/**
 * What came of an attempt. `handedOver` says that the mail server took it, not that anybody has it. `refused` is final, and
 * about this address or this mail; `unavailable` is about the server, so that no other mail would get further.
 */
export type MailResult =
  | { outcome: 'handedOver'; response: string }
  | { outcome: 'refused' | 'later' | 'unavailable'; reason: string };

/** A method to sign in that is none: it names the sender, for a check. */
export const senderCheck = 'SENDER';

/**
 * RFC 5321, section 4.2.1: 4yz may work later, 5yz will not. A refusal before the recipient was named, such as of a
 * password or a sender, is about our settings: they can be corrected, so those mails wait.
 */
export function resultOf(error: NodemailerError): MailResult {
  const reason = reasonOf(error);
  if (!['RCPT TO', 'DATA'].includes(error.command ?? '')) return { outcome: 'unavailable', reason };
  return { outcome: error.permanent === true ? 'refused' : 'later', reason };
}

/**
 * Whether a refusal is about what mails say or who sends them, so that others will be refused, too: 552 but for full mailboxes
 * (x.2.z), and 5.7.z (RFC 3463).
 */
export const isByPolicy = (reason: string): boolean =>
  /^your mail server refused it: (552(?![ -]5\.2\.)|5\d\d[ -]5\.7\.)/.test(reason);

/** Why it did not work, for people: in the words of the server if it said any, and never in ours, which have the password. */
export function reasonOf(error: NodemailerError): string {
  const { code = '', command = '', response, originalCode, message } = error;
  if (response !== undefined) return serverWords(`your mail server ${refusalOf(command)}: ${response}`);
  if (code === 'ETIMEDOUT' || code === 'EABORT') return 'your mail server did not answer in time';
  if (isAboutTls(error)) return serverWords(`no TLS with your mail server: ${message}`);
  return `your mail server is out of reach (${originalCode ?? code})`;
}

function refusalOf(command: string): string {
  if (command === `AUTH ${senderCheck}` || command === 'MAIL FROM') return 'refused the sender';
  return command.startsWith('AUTH') ? 'refused the password' : 'refused it';
}

/** `originalCode` is that of OpenSSL or Node.js, such as ERR_TLS_CERT_ALTNAME_INVALID. */
export const isAboutTls = ({ code, originalCode = '', message }: NodemailerError): boolean =>
  code === 'ETLS' || /CERT|TLS|SSL|SIGNATURE/.test(originalCode) || message.includes('STARTTLS');

const wordsMax = 200;

/** A text of somebody else's server as it may be shown: one line of at most 200 characters, without control characters. */
export function serverWords(text: string): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return [...line].slice(0, wordsMax).join('');
}
