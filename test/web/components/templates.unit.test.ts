import { expect } from 'chai';
import { locales, messagesOf } from '../../../src/locales/locales.ts';
import { createTemplates } from '../../../src/web/components/templates.ts';

describe('A page that differs between requests in a few values', () => {
  it('is rendered once for each key, and has the values of its own request', () => {
    const templates = createTemplates(['nonce', 'content']);
    let times = 0;
    const page = (key: string | undefined, nonce: string, content: string) =>
      templates(key, { nonce, content }, (marks) => {
        times += 1;
        return `<b nonce="${marks.nonce}">ä${key}</b>${marks.content}<i nonce="${marks.nonce}">`;
      }).toString();
    const expected = (key: string | undefined, nonce: string, content: string) =>
      `<b nonce="${nonce}">ä${key}</b>${content}<i nonce="${nonce}">`;
    for (const key of ['one', 'two', 'one'])
      expect(page(key, 'n1', 'tulip')).to.equal(expected(key, 'n1', 'tulip'));
    expect(times).to.equal(2);
    const hostile = '\u0001nonce\u0001 $& &amp; \u{1F337}';
    expect(page('one', 'n2', hostile)).to.equal(expected('one', 'n2', hostile));
    expect(page(undefined, 'n3', 'rose')).to.equal(expected(undefined, 'n3', 'rose'));
    expect(page(undefined, 'n4', 'rose')).to.equal(expected(undefined, 'n4', 'rose'));
    expect(times).to.equal(4);
  });

  it('shows words that need no escapes', () => {
    for (const locale of locales)
      for (const word of messagesOf(locale).confirmWords) expect(word).to.match(/^\p{L}+$/u);
  });
});
