import { expect } from 'chai';
import { maybeUrl } from '../../src/client/url.ts';

describe('The URL of a text', () => {
  it('is read by the URL standard, relative to another where there is one', () => {
    const base = new URL('https://example.com/a/b');
    expect(maybeUrl('HTTPS://Example.com:443/ü')?.href).to.equal('https://example.com/%C3%BC');
    expect(maybeUrl('../c', base)?.href).to.equal('https://example.com/c');
    expect(maybeUrl('http://[::1', base)).to.equal(undefined);
    for (const none of ['', 'tulip', '/c', 'https://', 'https://a b/'])
      expect(maybeUrl(none), none).to.equal(undefined);
  });

  it('is found however often it is asked for, also of a host with letters that are not ASCII', () => {
    for (let i = 0; i < 20_000; i += 1)
      if (maybeUrl('https://tülip.example/')?.host !== 'xn--tlip-0ra.example') expect.fail(`at ${i}`);
  });
});
