import { expect } from 'chai';
import { findKey, parsePushLink } from '../../src/client/client.ts';
import { urlTokenOf } from '../../src/client/links.ts';
import { cutLinks, mistypedLinks } from '../harness/mistypedLinks.ts';

const server = 'https://push.example.com/hush';
const urlToken = '0h1b7kqz9xw2mn3p4rst5vy6ca';
const key = `21${'0a9v'.repeat(12)}k7u`;
const link = `${server}/p/${urlToken}`;
const parts = { server, urlToken };

describe('A link that is read by the library', () => {
  for (const [how, mistype] of Object.entries(mistypedLinks))
    it(`leads to its push, and has its key, ${how}`, () => {
      expect(parsePushLink(mistype(link)), 'a link').to.deep.equal(parts);
      const withKey = mistype(`${link}#${key}`);
      expect(parsePushLink(withKey), withKey).to.deep.equal(parts);
      expect(findKey(withKey), withKey).to.equal(key);
    });

  for (const [how, wrap] of Object.entries({
    'in angle brackets': (text: string) => `<${text}>`,
    'in quotation marks': (text: string) => `“${text}”`,
    'as Markdown': (text: string) => `[the secret](${text})`,
    'as HTML': (text: string) => `<a href="${text}">${text}</a>`,
    'with words around it': (text: string) => `Here you are: ${text} (once)`,
    'as a token alone': () => ` ${urlToken.toUpperCase()}. `,
  }))
    it(`names its push ${how}`, () => {
      expect(urlTokenOf(wrap(link))).to.equal(urlToken);
      expect(urlTokenOf(wrap(`${link}#${key}`))).to.equal(urlToken);
    });

  it('has no key if that was cut off or changed', () => {
    for (const text of [key.slice(0, -1), `${key}0`, `${key}x`, `3${key.slice(1)}`, '1'])
      for (const end of ['', '.', '>', '%20'])
        expect(findKey(`${link}#${text}${end}`), text + end).to.equal(undefined);
  });

  it('keeps the tokens of Password Pusher as they are', () => {
    for (const token of ['Abc-1_x', 'fk27vnslkd', 'a'.repeat(32), '-abc_'])
      for (const path of ['/p/', '/r/', '/en/f/'])
        expect(parsePushLink(server + path + token)).to.deep.equal({ server, urlToken: token });
    expect(parsePushLink(`${server}/p/Abc-1_x).`)).to.deep.equal({ server, urlToken: 'Abc-1_x' });
  });

  it('keeps what names a push of one’s own: the SHA-256 of its token', () => {
    expect(urlTokenOf('0a'.repeat(32))).to.equal('0a'.repeat(32));
  });

  it('takes no whole token from a link that was cut off or continued', () => {
    for (const cut of Object.values(cutLinks))
      expect(parsePushLink(cut(link))?.urlToken).to.not.equal(urlToken);
  });
});
