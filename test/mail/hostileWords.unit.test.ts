import { expect } from 'chai';
import type { Notice, PushNotice, RequestLinkNotice } from '../../src/domain/index.ts';
import { messagesOf } from '../../src/locales/locales.ts';
import { contentOf } from '../../src/mail/contents.ts';
import { renderMail } from '../../src/mail/layout.tsx';
import { hostileWords } from '../browser/hostileWords.ts';

const at = Date.UTC(2026, 10, 28, 14, 30);
const base = { id: 'notice', times: 1, startedAt: at, happenedAt: at, attempt: 1 };

/** Mails about requests and what came of them, where everything that somebody typed is this. */
function mailsWith(words: string) {
  const push = {
    ...{ id: '0'.repeat(32), urlToken: '', urlTokenSha256: '', name: words, kind: 'text' },
    ...{ viewsMax: 1, viewsUsed: 0, createdAt: at, expiresAt: at },
  };
  const openers = [{ name: words }];
  const told = (event: PushNotice['event'], more: object = {}) =>
    ({ ...base, event, push, openers, ...more }) as unknown as PushNotice;
  const asked = (isConfirmed: boolean): RequestLinkNotice => ({
    ...{ ...base, event: 'request_link' },
    requestLink: {
      ...{ urlToken: '0123456789abcdefghjkmnpqrs', fragment: '', expiresAt: at },
      asker: { name: words, platform: 'slack', isConfirmed },
    },
  });
  const link = { sender: words, urlToken: '0123456789abcdefghjkmnpqrs', viewsMax: 1 };
  const notices: Record<string, Notice> = {
    asked: asked(true),
    'asked by somebody unchecked': asked(false),
    answered: told('answered'),
    opened: told('viewed'),
    'ends unopened': told('about_to_expire'),
    received: told('shared', { mailed: { ...link, needsCode: false } }),
    'a code': told('code', { mailed: { ...link, needsCode: true, code: '123456' } }),
  };
  const reader = { locale: 'en', messages: messagesOf('en'), baseUrl: 'https://push.test' } as const;
  return Object.entries(notices).map(([name, notice]) => {
    const content = contentOf(notice, reader);
    if (content === undefined) throw new Error(`there is no mail: ${name}`);
    return { name, ...renderMail(content, reader) };
  });
}

/** What a mail is, besides the words in it: elements with their attributes, and lines. */
const shapeOf = ({ subject, html, text }: ReturnType<typeof mailsWith>[number]) => ({
  subject,
  elements: html.match(/<[^>]*>?/g),
  lines: text.split(/[\n\r\u0085\u2028\u2029]/).length,
});

describe('A mail about a request', () => {
  it('has the same subject, elements and lines, whatever people are called', () => {
    const expected = mailsWith('Ann').map(shapeOf);
    const words = [
      'x\r\nBcc: y@evil.test\r\n\r\nz',
      'x\n\nhttps://evil.test',
      'x\u0085\u2028\u2029y',
      ...hostileWords,
    ];
    for (const word of words)
      for (const [at, mail] of mailsWith(word).entries())
        expect(shapeOf(mail), `${mail.name}: ${word}`).to.deep.equal(expected[at]);
  });
});
