import { expect } from 'chai';
import type { Context } from 'koa';
import { createCookies } from '../../src/http/cookies.ts';

describe('A cookie', () => {
  const cookies = createCookies('http://localhost');
  const cookieIn = (cookie?: string) => cookies.get({ req: { headers: { cookie } } } as Context, 'reveal-1');

  it('is found by its whole name, among others, with or without spaces', () => {
    expect(cookieIn('hushpush-reveal-1=a')).to.equal('a');
    expect(cookieIn('x=1; hushpush-reveal-1=a.b=c; y=2')).to.equal('a.b=c');
    expect(cookieIn('x=1;hushpush-reveal-1=;y=2')).to.equal('');
    expect(cookieIn('hushpush-reveal-1=a; hushpush-reveal-1=b')).to.equal('a');
    expect(cookieIn('x=hushpush-reveal-1=b; \t hushpush-reveal-1=a b ')).to.equal('a b');
  });

  it('is not one whose name or value only looks like it', () => {
    for (const header of [
      undefined,
      '',
      'hushpush-reveal-1',
      'hushpush-reveal-12=a',
      'my-hushpush-reveal-1=a',
      'x=hushpush-reveal-1=a',
      'reveal-1=a',
      '__Host-reveal-1=a',
    ])
      expect(cookieIn(header), header).to.equal(undefined);
  });
});
