import { expect } from 'chai';
import { newKey, parseKeyring } from '../../src/crypto/keyring.ts';
import { createSigning } from '../../src/crypto/signing.ts';

const pepper = newKey();
const signing = createSigning(parseKeyring(`1:${newKey()}`, pepper));

describe('A signature', () => {
  const signature = signing.sign('browser', 'ab', 'c');

  it('is valid for its texts and its purpose, also after a rotation of the master keys', () => {
    expect(signing.isSigned(signature, 'browser', 'ab', 'c')).to.equal(true);
    const rotated = createSigning(parseKeyring(`2:${newKey()}`, pepper));
    expect(rotated.isSigned(signature, 'browser', 'ab', 'c')).to.equal(true);
  });

  it('is valid for nothing else, not even where the same characters are divided otherwise', () => {
    for (const texts of [['a', 'bc'], ['abc'], ['ab', 'c', ''], ['ab', 'd'], []])
      expect(signing.isSigned(signature, 'browser', ...texts), texts.join()).to.equal(false);
    expect(signing.isSigned(signature, 'status', 'ab', 'c')).to.equal(false);
    const other = createSigning(parseKeyring(`1:${newKey()}`, newKey()));
    expect(other.isSigned(signature, 'browser', 'ab', 'c')).to.equal(false);
  });

  it('is refused when it is another text of the same length, cut, or missing', () => {
    const wrong = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    for (const text of [wrong, signature.slice(1), ''])
      expect(signing.isSigned(text, 'browser', 'ab', 'c')).to.equal(false);
  });
});
