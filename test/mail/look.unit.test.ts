import { expect } from 'chai';
import { messagesOf } from '../../src/locales/locales.ts';
import { readLook } from '../../src/look/readLook.ts';
import { testContent } from '../../src/mail/contents.ts';
import { renderMail } from '../../src/mail/layout.tsx';
import { hostileWords } from '../browser/hostileWords.ts';
import { lookFolder } from '../harness/look.ts';

describe('A look of one’s own in mails', () => {
  const readerOf = async (look: object, locale: 'en' | 'de' = 'en') => ({
    ...{ locale, messages: messagesOf(locale), baseUrl: 'https://push.test' },
    look: await readLook(await lookFolder(look)),
  });
  const rendered = (reader: Awaited<ReturnType<typeof readerOf>>) => renderMail(testContent(reader), reader);

  it('gives them its name, colours, footer and links, in both parts', async () => {
    const look = {
      name: 'Acme Secrets',
      light: { accent: '#c8102e', background: '#ffffff' },
      dark: { accent: '#ff8a93' },
      footer: { en: 'Acme Ltd.', de: 'Acme GmbH' },
      links: [{ text: { en: 'Imprint', de: 'Impressum' }, url: 'https://acme.example/imprint' }],
    };
    const { subject, html, text } = rendered(await readerOf(look));
    for (const part of [html, text])
      expect(part)
        .to.include('Acme Ltd.')
        .and.include('Sent by Acme Secrets at https://push.test.')
        .and.not.include('>hushpush</p>');
    expect(html)
      .to.include('>Acme Secrets</p>')
      .and.include('a{color:#c8102e}')
      .and.include('a{color:#ff8a93!important}');
    expect(html).to.include('background:#ffffff').and.not.include('#f4f0e7').and.not.include('#14584f');
    expect(html).to.include(
      '<a href="https://acme.example/imprint" style="color:inherit"><bdi>Imprint</bdi></a>',
    );
    expect(subject).to.equal('A test from Acme Secrets');
    for (const part of [html, text])
      expect(part).to.include('accepts mails from Acme Secrets').and.not.include('hushpush');
    expect(text).to.match(/\nAcme Ltd\.\nImprint: https:\/\/acme\.example\/imprint\n$/);
    expect(rendered(await readerOf(look, 'de')).text).to.match(/\nAcme GmbH\nImpressum: https/);
    expect(html).to.not.match(/<(img|link|script)|url\(|@import/);
  });

  it('changes nothing where it says nothing', async () => {
    const { look, ...reader } = await readerOf({});
    expect(renderMail(testContent(reader), reader)).to.deep.equal(rendered({ ...reader, look }));
  });

  it('says what somebody is called in one line of its text', async () => {
    const { look, ...reader } = await readerOf({});
    const value = 'Eve\r\n\nOpen the link:\u2028https://evil.test/\u202e';
    const { text } = renderMail({ ...testContent(reader), facts: [{ name: 'From', value }] }, reader);
    expect(text).to.include('\nFrom: Eve Open the link: https://evil.test/ \n');
  });

  it('shows hostile words as text', async () => {
    for (const words of hostileWords.filter(
      (each) => each.length <= 40 && !/[\p{Cc}\u2028\u202e]/u.test(each),
    )) {
      const { html } = rendered(
        await readerOf({
          name: words,
          footer: words,
          links: [{ text: words, url: 'https://acme.example/"><script>' }],
        }),
      );
      if (/[<"]/.test(words)) expect(html, words).to.not.include(words);
      expect(html).to.not.include('<script');
    }
  });
});
