import bcrypt from 'bcrypt';
import { expect } from 'chai';
import { newKey, parseKeyring } from '../../src/crypto/keyring.ts';
import { createPasswords } from '../../src/crypto/passwords.ts';
import { pepperedPassword } from '../../src/crypto/pepper.ts';

/** The lowest cost that bcrypt accepts, for tests that are not about the cost. */
const cheap = 4;
const keyring = parseKeyring(`1:${newKey()}`, newKey());
const passwords = createPasswords(keyring);

describe('A password', () => {
  it('is accepted when it is the same and rejected when it differs', async () => {
    const hash = await passwords.hash('open sesame', cheap);
    expect(await passwords.verify('open sesame', hash)).to.equal(true);
    for (const wrong of [
      '',
      'open sesam',
      'Open sesame',
      'open sesame ',
      'open sesame\0',
      'open sesame\0x',
    ]) {
      expect(await passwords.verify(wrong, hash), JSON.stringify(wrong)).to.equal(false);
    }
  });

  it('is compared to its last byte, far beyond the 72 that bcrypt reads', async () => {
    for (const length of [72, 73, 100, 1_024]) {
      const common = 'x'.repeat(length - 1);
      const hash = await passwords.hash(`${common}a`, cheap);
      expect(await passwords.verify(`${common}a`, hash), `${length}`).to.equal(true);
      expect(await passwords.verify(`${common}b`, hash), `${length}`).to.equal(false);
      expect(await passwords.verify(common, hash), `${length}`).to.equal(false);
    }
    // bcrypt alone would not distinguish them.
    const common = 'x'.repeat(72);
    expect(await bcrypt.compare(`${common}b`, await bcrypt.hash(`${common}a`, cheap))).to.equal(true);
  });

  it('is compared beyond a NUL byte, where C strings end', async () => {
    const hash = await passwords.hash('open\0sesame', cheap);
    expect(await passwords.verify('open\0simsim', hash)).to.equal(false);
    expect(await passwords.verify('open', hash)).to.equal(false);
  });

  it('matches however its accents are encoded', async () => {
    const composed = '\u00e9t\u00e9 \u212b';
    const decomposed = 'e\u0301te\u0301 A\u030a';
    expect(composed).not.to.equal(decomposed);
    const hash = await passwords.hash(composed, cheap);
    expect(await passwords.verify(decomposed, hash)).to.equal(true);
    expect(await passwords.verify('ete A', hash)).to.equal(false);
  });

  it('does not match one that only looks the same', async () => {
    const hash = await passwords.hash('\ufb01ne', cheap);
    expect(await passwords.verify('fine', hash)).to.equal(false);
  });

  it('has its own salt, and cannot be checked without the pepper', async () => {
    const [one, other] = await Promise.all([passwords.hash('tulip', cheap), passwords.hash('tulip', cheap)]);
    expect(one).not.to.equal(other);
    const stranger = createPasswords(parseKeyring(`1:${newKey()}`, newKey()));
    expect(await stranger.verify('tulip', one)).to.equal(false);
    expect(await bcrypt.compare('tulip', one)).to.equal(false);
    expect(await bcrypt.compare(pepperedPassword(keyring, 'tulip') ?? '', one)).to.equal(true);
  });

  it('has at most 1,024 bytes', async () => {
    const hash = await passwords.hash('ü'.repeat(512), cheap);
    expect(await passwords.verify('ü'.repeat(512), hash)).to.equal(true);
    expect(await passwords.verify('ü'.repeat(513), hash)).to.equal(false);
    const refused = await passwords.hash('ü'.repeat(513), cheap).catch(String);
    expect(refused).to.include('more than 1024 bytes');
  });

  it('is rejected without an error when the stored value is not a hash', async () => {
    for (const hash of ['', 'x', '$2b$10$', '*'.repeat(60)]) {
      expect(await passwords.verify('tulip', hash), hash).to.equal(false);
    }
  });
});
