import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LinkMail, Notice, PushNotice } from '../../src/domain/index.ts';
import { type Locale, locales, messagesOf } from '../../src/locales/locales.ts';
import type { Look } from '../../src/look/look.ts';
import { contentOf, testContent } from '../../src/mail/contents.ts';
import { type MailContent, type MailReader, renderMail } from '../../src/mail/layout.tsx';
import type { TestBrowser } from '../../test/harness/browser.ts';
import { takePicture } from './camera.ts';

const at = Date.UTC(2026, 10, 23, 15, 16);
const account = 'ann@example.com';
const base = { id: `notice_${'0'.repeat(32)}`, times: 1, startedAt: at, happenedAt: at, attempt: 1 };
const client = {
  ip: '192.0.2.7',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  createdAt: at,
};
const linkMail = (more: Partial<LinkMail> = {}): LinkMail => ({
  account,
  address: account,
  token: 'kT0dJ6a0n6n1V0v4m3w2c9f8r7s5x1z4b6h8j0l2q3'.slice(0, 43),
  ...more,
});

const ownNotice = (event: PushNotice['event'], { times = 1, by = [] as string[] } = {}): PushNotice => ({
  ...{ ...base, times, event },
  push: {
    ...{ id: '0'.repeat(32), urlToken: '', urlTokenSha256: '', name: null, kind: 'text' },
    ...{ viewsMax: 5, viewsUsed: 3, createdAt: at - 3_600_000, expiresAt: at + 86_400_000 },
  },
  openers: by.map((name) => ({
    ...{ id: '', platform: null, address: null, name, urlToken: null, isBound: false },
    ...{ viewsMax: 1, viewsUsed: 1, openedAt: at, lastOpenedAt: at },
  })),
});

/** A notice to a recipient who is known by an e-mail address. */
const toRecipient = (
  event: PushNotice['event'],
  more: Partial<NonNullable<PushNotice['mailed']>> = {},
): PushNotice => ({
  ...ownNotice(event),
  mailed: {
    ...{ urlToken: '7qdq1dy5dn7g76t5j5x4hrkx18', viewsMax: 2, needsCode: true, sender: account },
    ...more,
  },
});

/** A notice of each kind that comes by mail. */
const notices: Record<string, Notice> = {
  link: toRecipient('shared'),
  'link-again': toRecipient('reminded'),
  'link-without-code': toRecipient('shared', { viewsMax: 1, needsCode: false, sender: 'Ann Lee' }),
  code: toRecipient('code', { code: '482915' }),
  'confirm-address': { ...base, event: 'verify_address', mail: linkMail() },
  'confirm-other-address': {
    ...base,
    event: 'verify_address',
    mail: linkMail({ address: 'ann.lee@example.org' }),
  },
  'sign-up': { ...base, event: 'sign_up', mail: linkMail() },
  'sign-up-again': { ...base, event: 'sign_up', mail: linkMail({ token: null }) },
  'new-password': { ...base, event: 'password_reset', mail: linkMail() },
  invitation: { ...base, event: 'invited', mail: linkMail() },
  security: {
    ...base,
    event: 'security',
    change: { kind: 'token_created', detail: 'laptop', account, ...client },
  },
  'new-browser': {
    ...base,
    event: 'new_browser',
    signIn: { way: 'password', account, place: null, ...client },
  },
  request: {
    ...base,
    event: 'request_link',
    requestLink: {
      urlToken: '7qdq1dy5dn7g76t5j5x4hrkx18',
      fragment: '#sealed-1081g81860s40i2gb1g6gs3og2491650l2obhg68q3ce1q7gvu4tq',
      asker: { name: account, platform: null, isConfirmed: true },
      expiresAt: at + 86_400_000,
    },
  },
  'request-unconfirmed': {
    ...base,
    event: 'request_link',
    requestLink: {
      urlToken: '7qdq1dy5dn7g76t5j5x4hrkx18',
      fragment: '',
      asker: { name: account, platform: null, isConfirmed: false },
      expiresAt: at + 86_400_000,
    },
  },
  'request-from-chat': {
    ...base,
    event: 'request_link',
    requestLink: {
      urlToken: '7qdq1dy5dn7g76t5j5x4hrkx18',
      fragment: '',
      asker: { name: 'Ann Lee', platform: 'slack', isConfirmed: false },
      expiresAt: at + 86_400_000,
    },
  },
  viewed: ownNotice('viewed', { by: ['bob@example.com'] }),
  'viewed-often': ownNotice('viewed', { times: 3, by: ['Bob', 'Carol', 'Dan', 'Eve'] }),
  'last-view': ownNotice('expired_by_views'),
  expired: ownNotice('expired_by_time'),
  deleted: ownNotice('deleted'),
  'wrong-passphrases': ownNotice('failed_passphrase', { times: 3 }),
  locked: ownNotice('locked'),
  'expires-soon': ownNotice('about_to_expire'),
  'asked-again': ownNotice('asked_again'),
  answered: ownNotice('answered'),
  'account-changed': {
    ...base,
    event: 'account_act',
    act: { kind: 'subscribed', account, actor: 'boss@example.com', detail: null, createdAt: at },
  },
};

const looks = {
  'desktop-light': { viewport: { width: 900, height: 600 }, colorScheme: 'light' },
  'desktop-dark': { viewport: { width: 900, height: 600 }, colorScheme: 'dark' },
  'phone-light': { viewport: { width: 390, height: 700 }, colorScheme: 'light' },
  'phone-dark': { viewport: { width: 390, height: 700 }, colorScheme: 'dark' },
} as const;

/**
 * Takes a picture of each mail in each language, in both themes, for a desktop and a phone, with an index to look at them, and the
 * text parts beside. Returns what is wider than its screen.
 */
export async function takeMailPictures(browser: TestBrowser, folder: string): Promise<string[]> {
  const problems: string[] = [];
  for (const [look, { viewport, colorScheme }] of Object.entries(looks)) {
    const { page, close } = await browser.open({ contextOptions: { viewport, colorScheme } });
    for (const { name, html } of mails()) {
      await page.setContent(html);
      const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
      if (width > viewport.width) problems.push(`${name}, ${look}: is ${width} wide`);
      await takePicture(page, join(folder, look, `${name}.webp`));
    }
    await close();
  }
  await writeFile(join(folder, 'index.html'), indexPage());
  return problems;
}

function mails() {
  return locales.flatMap((locale) =>
    Object.entries(contentsIn(locale)).map(([name, content]) => ({
      name: `${name}-${locale}`,
      ...renderMail(content, readerOf(locale)),
    })),
  );
}

/** One of the mails, as a service with a look sends it. */
export function renderMailSample(name: string, locale: Locale, look: Look) {
  const content = contentsIn(locale)[name];
  if (content === undefined) throw new Error(`there is no mail ${name}`);
  return renderMail(content, readerOf(locale, look));
}

const readerOf = (locale: Locale, look?: Look): MailReader => ({
  ...{ locale, messages: messagesOf(locale), look },
  baseUrl: 'https://push.example.com',
  unsubscribeHref: `https://push.example.com/unsubscribe/${'0123456789abcdef'.repeat(2)}.${'Qx7'.repeat(14)}Q`,
});

function contentsIn(locale: Locale): Record<string, MailContent> {
  const reader = readerOf(locale);
  const contents = Object.entries(notices).map(([name, notice]) => {
    const content = contentOf(notice, reader);
    if (content === undefined) throw new Error(`there is no mail of ${name}`);
    return [name, content];
  });
  return { test: testContent(reader), ...Object.fromEntries(contents) };
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const indexPage = () => `<!doctype html><meta charset="utf-8"><title>Every mail</title>
<style>body { font: 14px system-ui; } img { width: 300px; margin: 8px; border: 1px solid #ccc; vertical-align: top; }</style>
${mails()
  .map(
    ({ name, subject, text }) => `<h2>${name}: ${escaped(subject)}</h2>
${Object.keys(looks)
  .map(
    (look) =>
      `<a href="${look}/${name}.webp"><img loading="lazy" src="${look}/${name}.webp" alt="${look}"></a>`,
  )
  .join('')}
<pre>${escaped(text)}</pre>`,
  )
  .join('\n')}`;
