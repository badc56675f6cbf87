import { createHash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { randomBytes } from '../../src/crypto/random.ts';
import {
  digestOf,
  isApiToken,
  isUrlToken,
  newApiToken,
  newUrlToken,
  redactUrlTokens,
} from '../../src/crypto/tokens.ts';

const crockford = '0123456789abcdefghjkmnpqrstvwxyz';
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** How far counts deviate from being equal. A fair source has an expected value of the number of symbols minus one. */
function chiSquare(texts: string[], symbols: string): number {
  const counts = new Map([...symbols].map((symbol) => [symbol, 0]));
  for (const symbol of texts.join('')) counts.set(symbol, (counts.get(symbol) ?? Number.NaN) + 1);
  const expected = texts.join('').length / symbols.length;
  return [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

/** Ten standard deviations above the mean: a fair source exceeds it less than once in 10^12 runs. */
const bound = (symbols: string) => symbols.length - 1 + 10 * Math.sqrt(2 * (symbols.length - 1));

describe('A url token', () => {
  const tokens = Array.from({ length: 20_000 }, newUrlToken);

  it('is 26 characters of lower-case Crockford base32, which are 130 bits', () => {
    expect(tokens.filter((token) => !/^[0-9a-hjkmnp-tv-z]{26}$/.test(token))).to.eql([]);
    expect(tokens.every(isUrlToken)).to.equal(true);
    expect(Math.log2(crockford.length) * 26).to.equal(130);
  });

  it('is never generated twice', () => {
    expect(new Set(tokens).size).to.equal(tokens.length);
  });

  it('favours no character, neither overall nor at any position', () => {
    expect(chiSquare(tokens, crockford)).to.be.below(bound(crockford));
    for (let place = 0; place < 26; place++) {
      const there = tokens.map((token) => token.charAt(place));
      expect(chiSquare(there, crockford), `place ${place}`).to.be.below(bound(crockford));
    }
  });

  it('does not predict the next one', () => {
    // Pairs of last and first characters, each pair as one of 1,024 symbols.
    const symbols = Array.from({ length: 1_024 }, (_, index) => String.fromCharCode(0x4e00 + index)).join('');
    const pairs = tokens.slice(1).map((token, index) => {
      const last = crockford.indexOf(tokens[index]?.charAt(25) ?? '');
      return symbols.charAt(last * 32 + crockford.indexOf(token.charAt(0)));
    });
    expect(chiSquare(pairs, symbols)).to.be.below(bound(symbols));
  });

  it('is distinguished from strings that cannot be one', () => {
    const [token = ''] = tokens;
    for (const text of [
      '',
      token.slice(1),
      `${token}0`,
      token.toUpperCase(),
      ` ${token.slice(1)}`,
      `${token}\n`,
    ]) {
      expect(isUrlToken(text), JSON.stringify(text)).to.equal(/^[0-9]{26}$/.test(text));
    }
    for (const letter of 'ilou-_/.%\0é') expect(isUrlToken(letter + token.slice(1)), letter).to.equal(false);
  });
});

describe('An API token', () => {
  const tokens = Array.from({ length: 5_000 }, newApiToken);

  it('consists of a prefix, 32 random base62 characters and a checksum of 6', () => {
    expect(tokens.filter((token) => !/^hp_[0-9A-Za-z]{38}$/.test(token))).to.eql([]);
    expect(tokens.every(isApiToken)).to.equal(true);
    expect(new Set(tokens).size).to.equal(tokens.length);
  });

  it('favours no character', () => {
    const random = tokens.map((token) => token.slice(3, 35));
    expect(chiSquare(random, base62)).to.be.below(bound(base62));
    for (let place = 0; place < 32; place++) {
      const there = random.map((text) => text.charAt(place));
      expect(chiSquare(there, base62), `place ${place}`).to.be.below(bound(base62));
    }
  });

  it('ends with the CRC-32 of its random characters, in base62', () => {
    // Computed with Python's zlib.
    expect(isApiToken('hp_000000000000000000000000000000002wjyrI')).to.equal(true);
    expect(isApiToken('hp_abcdefghijklmnopqrstuvwxyzABCDEF1mVgZW')).to.equal(true);
  });

  it('is rejected when any one of its characters is changed', () => {
    for (const token of tokens.slice(0, 3)) {
      const accepted = [];
      for (let place = 0; place < token.length; place++) {
        for (const symbol of base62) {
          if (symbol === token.charAt(place)) continue;
          const changed = token.slice(0, place) + symbol + token.slice(place + 1);
          if (isApiToken(changed)) accepted.push(changed);
        }
      }
      expect(accepted).to.eql([]);
    }
  });

  it('is rejected when two neighbouring characters are swapped, and when it is truncated or extended', () => {
    const [token = ''] = tokens;
    for (let place = 0; place + 1 < token.length; place++) {
      const [one, other] = [token.charAt(place), token.charAt(place + 1)];
      const swapped = token.slice(0, place) + other + one + token.slice(place + 2);
      expect(isApiToken(swapped), swapped).to.equal(one === other);
    }
    for (const text of [
      '',
      token.slice(0, -1),
      token.slice(1),
      `${token}0`,
      `${token}\n`,
      token.toUpperCase(),
    ]) {
      expect(isApiToken(text), JSON.stringify(text)).to.equal(false);
    }
  });

  it('is stored as its SHA-256', () => {
    const [token = ''] = tokens;
    expect(digestOf(token)).to.eql(createHash('sha256').update(token).digest());
  });
});

describe('Random bytes', () => {
  it('come in any number, favour no byte value, and never repeat', () => {
    const pieces = Array.from({ length: 20_000 }, (_, index) => randomBytes(8 + (index % 40)));
    expect(pieces.every((piece, index) => piece.length === 8 + (index % 40))).to.equal(true);
    expect(new Set(pieces.map((piece) => piece.toString('hex', 0, 8))).size).to.equal(pieces.length);
    const bytes = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte)).join('');
    const texts = pieces.map((piece) => piece.toString('latin1'));
    expect(chiSquare(texts, bytes)).to.be.below(bound(bytes));
  });

  it('are not changed by later callers', () => {
    const mine = randomBytes(16);
    const before = Buffer.from(mine);
    for (let index = 0; index < 1_000; index++) randomBytes(16).fill(0);
    expect(mine).to.eql(before);
  });
});

describe('Random text', () => {
  it('contains no url token once they are redacted, and is otherwise unchanged', () => {
    const piece = fc.oneof(fc.string({ unit: 'binary' }), fc.nat(3).map(newUrlToken));
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const redacted = redactUrlTokens(pieces.join(' '));
        expect(/[0-9a-hjkmnp-tv-z]{26}/i.test(redacted)).to.equal(false);
        const harmless = pieces.join(' ').replaceAll(/[0-9a-hjkmnp-tv-z]/gi, '');
        expect(redacted.replaceAll(/[0-9a-hjkmnp-tv-z…]/gi, '')).to.equal(harmless.replaceAll('…', ''));
      }),
    );
  });

  it('is an API token only if its checksum fits: one changed character is noticed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 40 }), fc.constantFrom(...base62), (at, character) => {
        const token = newApiToken();
        fc.pre(token[at] !== character);
        expect(isApiToken(token)).to.equal(true);
        expect(isApiToken(token.slice(0, at) + character + token.slice(at + 1))).to.equal(false);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expect(isApiToken(text) || isUrlToken(text)).to.equal(false);
      }),
    );
  });
});
