import type { AccountNotice, Notice } from '../domain/index.ts';
import type { MailContent, MailReader } from './layout.tsx';

/** What the mail of a notice says. Undefined for notices that are not sent by mail. */
export function contentOf(notice: Notice, reader: MailReader): MailContent | undefined {
  if (notice.event === 'account_act') return accountActContent(notice, reader);
  return undefined;
}

/** A mail that an operator sends to see whether mail works. */
export function testContent({ messages }: MailReader): MailContent {
  const { subject, text, reason } = messages.mail.test;
  return { subject, heading: subject, paragraphs: [text], reason };
}

function accountActContent(
  { act, happenedAt }: AccountNotice,
  { messages, baseUrl }: MailReader,
): MailContent {
  const { kind, account, actor, detail } = act;
  const { mail, securityLog, chat, date } = messages;
  return {
    subject: mail.account.subject,
    heading: `${securityLog.kinds[kind]}.`,
    paragraphs: [chat.links.acts.unexpected],
    facts: [
      { name: mail.account.account, value: account },
      ...(detail === null ? [] : [{ name: mail.account.detail, value: detail }]),
      { name: mail.account.by, value: actor ?? mail.account.operator },
      { name: mail.account.at, value: date(happenedAt) },
    ],
    action: { text: securityLog.show, href: `${baseUrl}/account/security/log` },
    reason: mail.account.reason,
  };
}
