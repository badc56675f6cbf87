import {
  type AccountNotice,
  isOwnerEvent,
  type LinkMailNotice,
  type Notice,
  type PushNotice,
  type RequestLinkNotice,
  type SecurityNotice,
} from '../domain/index.ts';
import { plainDeviceLabel } from '../locales/devices.ts';
import { defaultLook } from '../look/look.ts';
import { platforms } from '../platforms.ts';
import type { MailContent, MailReader } from './layout.tsx';
import { ownerContent } from './ownerContent.ts';

/** What the mail of a notice says. Undefined for notices that are not sent by mail. */
export function contentOf(notice: Notice, reader: MailReader): MailContent | undefined {
  if (notice.event === 'account_act') return accountActContent(notice, reader);
  if (notice.event === 'new_browser') return newBrowserContent(notice, reader);
  if ('change' in notice) return securityContent(notice, reader);
  if ('mail' in notice) return linkContent(notice, reader);
  if ('requestLink' in notice) return requestContent(notice, reader);
  if (!('push' in notice)) return undefined;
  if (notice.mailed !== undefined) return recipientContent(notice, notice.mailed, reader);
  return isOwnerEvent(notice.event) ? ownerContent(notice, notice.event, reader) : undefined;
}

/** A mail that an operator sends to see whether mail works. */
export function testContent(reader: MailReader): MailContent {
  const { subject, text, reason } = reader.messages.mail.test;
  const service = serviceOf(reader);
  return { subject: subject(service), heading: subject(service), paragraphs: [text(service)], reason };
}

const serviceOf = ({ look = defaultLook }: MailReader): string => look.name;

function accountActContent(
  { act, happenedAt }: Extract<AccountNotice, { event: 'account_act' }>,
  reader: MailReader,
): MailContent {
  const { messages, baseUrl } = reader;
  const { kind, account, actor, detail } = act;
  const { mail, securityLog, chat, date } = messages;
  return {
    subject: mail.account.subject(serviceOf(reader)),
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

function newBrowserContent(
  { signIn }: Extract<AccountNotice, { event: 'new_browser' }>,
  reader: MailReader,
): MailContent {
  const { messages, baseUrl } = reader;
  const { account, ip, place, userAgent, createdAt } = signIn;
  const { mail, account: settings, address, date } = messages;
  return {
    subject: mail.newBrowser.subject(serviceOf(reader)),
    heading: mail.newBrowser.heading,
    paragraphs: [messages.chat.links.newBrowserUnexpected],
    facts: [
      { name: mail.account.account, value: account },
      { name: mail.newBrowser.browser, value: plainDeviceLabel(messages, userAgent) },
      { name: messages.sessions.address, value: address(ip, place) },
      { name: mail.account.at, value: date(createdAt) },
    ],
    action: { text: settings.security, href: `${baseUrl}/account/security` },
    reason: mail.account.reason,
  };
}

function securityContent({ change }: SecurityNotice, { messages, baseUrl }: MailReader): MailContent {
  const { kind, account, detail, ip, createdAt } = change;
  const { mail, securityLog, factors, date } = messages;
  const { security, account: texts } = mail;
  const name = kind.startsWith('factor_') && detail === 'otp' ? factors.app : detail;
  return {
    subject: security.subject,
    heading: `${securityLog.kinds[kind]}.`,
    paragraphs: [security.unexpected],
    facts: [
      { name: texts.account, value: account },
      ...(name === null ? [] : [{ name: texts.detail, value: name }]),
      ...(ip === '' ? [] : [{ name: security.from, value: ip }]),
      { name: texts.at, value: date(createdAt) },
    ],
    action: { text: securityLog.show, href: `${baseUrl}/account/security/log` },
    reason: texts.reason,
  };
}

function linkContent({ event, mail }: LinkMailNotice, reader: MailReader): MailContent {
  const { messages, baseUrl } = reader;
  const { account, address, token } = mail;
  const { verify, signUp, reset, invitation } = messages.mail;
  switch (event) {
    case 'verify_address': {
      const text = account === address ? verify.own(address) : verify.other(account, address);
      return withLink(verify, text, `${baseUrl}/verify/${token}`);
    }
    case 'invited':
      return withLink(
        { ...invitation, subject: invitation.subject(serviceOf(reader)) },
        invitation.text(account),
        `${baseUrl}/invite/${token}`,
      );
    case 'password_reset':
      return withLink(reset, reset.text(account), `${baseUrl}/reset/${token}`);
    case 'sign_up': {
      if (token !== null) return withLink(signUp, signUp.text, `${baseUrl}/sign-up/${token}`);
      const { subject, text } = signUp.exists;
      const toSignIn = { subject, open: messages.signIn.title, reason: signUp.reason };
      return withLink(toSignIn, text, `${baseUrl}/sign-in`);
    }
  }
}

type LinkTexts = { subject: string; open: string; reason: string };

const withLink = ({ subject, open, reason }: LinkTexts, text: string, href: string): MailContent => ({
  subject,
  heading: subject,
  paragraphs: [text],
  action: { text: open, href },
  reason,
});

/** The link of a recipient, or the code for it. Says nothing of the secret, its name or its note. */
function recipientContent(
  { event, push }: PushNotice,
  { sender, urlToken, viewsMax, needsCode, code }: NonNullable<PushNotice['mailed']>,
  { messages, baseUrl }: MailReader,
): MailContent | undefined {
  const { link, code: texts } = messages.mail;
  const from = { name: link.from, value: sender };
  if (event === 'code' && code !== undefined)
    return {
      subject: texts.subject,
      heading: texts.subject,
      paragraphs: [texts.text],
      facts: [{ name: texts.code, value: code, isCode: true }, from],
      reason: texts.reason,
    };
  if (event !== 'shared' && event !== 'reminded') return undefined;
  return {
    subject: link.subject[event],
    heading: link.subject[event],
    paragraphs: [needsCode ? link.withCode : link.text],
    facts: [
      from,
      { name: link.opens, value: messages.pushCreated.opens(viewsMax) },
      { name: link.until, value: messages.date(push.expiresAt) },
    ],
    action: { text: link.open, href: `${baseUrl}/p/${urlToken}` },
    reason: link.reason,
  };
}

/** The link of somebody who asks for a secret. Says no more of what they ask for: the page does. */
function requestContent({ requestLink }: RequestLinkNotice, { messages, baseUrl }: MailReader): MailContent {
  const { mail, answer, date } = messages;
  const { urlToken, fragment, asker, expiresAt } = requestLink;
  const { request: texts, link } = mail;
  const { platform, isConfirmed } = asker;
  const unconfirmed = isConfirmed ? [] : [texts.unconfirmed];
  const vouching = platform === null ? unconfirmed : [texts.inChat(platforms[platform].name)];
  return {
    subject: texts.subject,
    heading: texts.subject,
    paragraphs: [texts.text, ...vouching],
    facts: [
      { name: link.from, value: asker.name ?? answer.nobody },
      { name: link.until, value: date(expiresAt) },
    ],
    action: { text: texts.open, href: `${baseUrl}/a/${urlToken}${fragment}` },
    reason: texts.reason,
  };
}
