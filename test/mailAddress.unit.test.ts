import { expect } from 'chai';
import { addressesIn, maybeMailAddress } from '../src/mailAddress.ts';

describe('An e-mail address', () => {
  it('keeps what stands before the @, and has its domain in lower case and ASCII', () => {
    const taken = {
      ' Ann.Lee+x@Example.COM ': 'Ann.Lee+x@example.com',
      "o'neil@sub.example.org": "o'neil@sub.example.org",
      'ann@bücher.example': 'ann@xn--bcher-kva.example',
      'ann@xn--bcher-kva.example': 'ann@xn--bcher-kva.example',
      [`${'x'.repeat(64)}@example.com`]: `${'x'.repeat(64)}@example.com`,
    };
    for (const [text, address] of Object.entries(taken))
      expect(maybeMailAddress(text), text).to.equal(address);
  });

  it('is none of what mail servers would refuse, or read as more than one address or as a header', () => {
    const refused = [
      ...[
        '',
        'ann',
        '@',
        'ann@',
        '@example.com',
        'a@b@c',
        'a@b.example@example.com',
        'ann@example',
        'ann@localhost',
      ],
      ...['Ann <ann@example.com>', '<ann@example.com>', 'ann@example.com,bob@example.com'],
      ...[
        'ann@example.com\r\nBcc: bob@example.com',
        'ann\n@example.com',
        'ann@exam\nple.com',
        'ann@example.com\0',
      ],
      ...['"ann lee"@example.com', 'ann lee@example.com', 'ann@example .com', 'ann(x)@example.com'],
      ...['.ann@example.com', 'ann.@example.com', 'a..b@example.com', 'änn@example.com'],
      ...[
        'ann@127.0.0.1',
        'ann@[127.0.0.1]',
        'ann@0x7f.1',
        'ann@example.com:25',
        'ann@example.com/x',
        'ann@a.b?c',
      ],
      ...['ann@-example.com', 'ann@example-.com', 'ann@exa_mple.com', 'ann@example.c', 'ann@example..com'],
      ...[`${'x'.repeat(65)}@example.com`, `ann@${'x'.repeat(64)}.com`, `ann@${'x.'.repeat(130)}com`],
    ];
    for (const text of refused) expect(maybeMailAddress(text), JSON.stringify(text)).to.equal(undefined);
  });

  it('takes no time to be none, however long the text, or the list of them', () => {
    const began = performance.now();
    expect(maybeMailAddress('@'.repeat(6_000_000))).to.equal(undefined);
    expect(addressesIn('a@b '.repeat(1_500_000)).map(maybeMailAddress)).to.have.length(1_000);
    expect(performance.now() - began).to.be.below(400);
  });
});
