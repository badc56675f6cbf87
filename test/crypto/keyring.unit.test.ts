import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { keyCheckValue, newKey, parseKeyring } from '../../src/crypto/keyring.ts';

const [one, two, pepper] = [newKey(), newKey(), newKey()];
const ofBytes = (bytes: number[]) => Buffer.from(bytes).toString('base64');

describe('A new key', () => {
  it('is 256 random bits in base64', () => {
    const keys = Array.from({ length: 1_000 }, newKey);
    expect(keys.every((key) => /^[0-9A-Za-z+/]{43}=$/.test(key))).to.equal(true);
    expect(new Set(keys).size).to.equal(1_000);
  });
});

describe('The configured keys', () => {
  it('are parsed with their ids, and the first one seals', () => {
    const { active, all, pepper: pepperKey } = parseKeyring(`2:${two},1:${one}`, pepper);
    expect(active).to.eql({ id: 2, key: Buffer.from(two, 'base64') });
    expect([...all]).to.eql([
      [2, Buffer.from(two, 'base64')],
      [1, Buffer.from(one, 'base64')],
    ]);
    expect(pepperKey).to.eql(Buffer.from(pepper, 'base64'));
  });

  it('may contain spaces and omit the base64 padding', () => {
    const bare = (key: string) => key.replace('=', '');
    const { all } = parseKeyring(` 2:${bare(two)},\n 1:${one} ,`, bare(pepper));
    expect([...all.keys()]).to.eql([2, 1]);
    expect(parseKeyring(`4294967295:${one}`, pepper).active.id).to.equal(4_294_967_295);
  });

  const short = ofBytes(Array.from({ length: 31 }, (_, index) => index));
  const long = ofBytes(Array.from({ length: 33 }, (_, index) => index));
  const zeros = ofBytes(Array(32).fill(0));
  const ones = ofBytes(Array(32).fill(1));
  const mustRead = 'each of MASTER_KEYS must read ID:BASE64, with an ID from 1 upwards';
  const mistakes: [string, string, string, string][] = [
    ['no key', '', pepper, 'MASTER_KEYS holds no key'],
    ['nothing but separators', ' , \n', pepper, 'MASTER_KEYS holds no key'],
    ['a key without an id', one, pepper, mustRead],
    ['an id without a key', '1', pepper, mustRead],
    ['the id 0', `0:${one}`, pepper, mustRead],
    ['a negative id', `-1:${one}`, pepper, mustRead],
    ['an id that is no number', `a:${one}`, pepper, mustRead],
    ['an id of more than 32 bits', `4294967296:${one}`, pepper, mustRead],
    ['an id that is used twice', `1:${one},1:${two}`, pepper, 'MASTER_KEYS uses a key id twice'],
    [
      'an id that is used twice in two spellings',
      `1:${one},01:${two}`,
      pepper,
      'MASTER_KEYS uses a key id twice',
    ],
    ['an empty key', '1:', pepper, 'MASTER_KEYS, key 1: must hold 32 bytes, holds 0'],
    ['a short key', `1:${short}`, pepper, 'MASTER_KEYS, key 1: must hold 32 bytes, holds 31'],
    ['a long key', `1:${long}`, pepper, 'MASTER_KEYS, key 1: must hold 32 bytes, holds 33'],
    ['a key that is not base64', `1:${one.slice(0, -2)}!=`, pepper, 'MASTER_KEYS, key 1: not base64'],
    [
      'a key in base64url',
      `1:${ofBytes([...Array(31).fill(255), 254]).replaceAll('/', '_')}`,
      pepper,
      'MASTER_KEYS, key 1: not base64',
    ],
    ['a key in hex', `1:${'0f'.repeat(32)}`, pepper, 'MASTER_KEYS, key 1: must hold 32 bytes, holds 48'],
    [
      'a second key that is short',
      `2:${two},1:${short}`,
      pepper,
      'MASTER_KEYS, key 1: must hold 32 bytes, holds 31',
    ],
    ['a key of zeros', `1:${zeros}`, pepper, 'MASTER_KEYS, key 1: is one byte repeated, not a random key'],
    ['a key of one byte', `1:${ones}`, pepper, 'MASTER_KEYS, key 1: is one byte repeated, not a random key'],
    [
      'one key under two ids',
      `1:${one},2:${one}`,
      pepper,
      'MASTER_KEYS and PEPPER must all differ from one another',
    ],
    [
      'a pepper that is a master key',
      `1:${one}`,
      one,
      'MASTER_KEYS and PEPPER must all differ from one another',
    ],
    ['an empty pepper', `1:${one}`, '', 'PEPPER: must hold 32 bytes, holds 0'],
    ['a short pepper', `1:${one}`, short, 'PEPPER: must hold 32 bytes, holds 31'],
    ['a pepper that is not base64', `1:${one}`, 'a pepper that is not base64', 'PEPPER: not base64'],
    ['a pepper of zeros', `1:${one}`, zeros, 'PEPPER: is one byte repeated, not a random key'],
  ];
  for (const [mistake, masterKeys, pepperText, message] of mistakes) {
    it(`are rejected with ${mistake}, in an error that contains no key`, () => {
      expect(() => parseKeyring(masterKeys, pepperText)).to.throw(message);
      const problem = problemOf(() => parseKeyring(masterKeys, pepperText));
      for (const key of [one, two, short, zeros]) expect(problem).not.to.contain(key.slice(0, 12));
    });
  }
});

function problemOf(act: () => unknown): string {
  try {
    act();
    return '';
  } catch (error) {
    return String(error);
  }
}

describe('The check value of a key', () => {
  it('is the key’s HMAC of a constant, which differs between keys and does not reveal them', () => {
    const key = Buffer.from(one, 'base64');
    expect(keyCheckValue(key)).to.eql(createHmac('sha256', key).update('hushpush key check').digest());
    expect(keyCheckValue(key)).not.to.eql(keyCheckValue(Buffer.from(two, 'base64')));
  });
});
