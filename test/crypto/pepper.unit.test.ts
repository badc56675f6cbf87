import { createHash, createHmac } from 'node:crypto';
import { expect } from 'chai';
import { newKey, parseKeyring } from '../../src/crypto/keyring.ts';
import {
  idempotencyDigest,
  pepperedPassword,
  sha256Digest,
  urlTokenDigest,
} from '../../src/crypto/pepper.ts';
import { newUrlToken, urlTokenSha256 } from '../../src/crypto/tokens.ts';

const [first, second, pepper] = [newKey(), newKey(), newKey()];
const keyring = parseKeyring(`7:${first}`, pepper);

describe('The digest of a url token', () => {
  it('is the HMAC of its SHA-256 under the pepper, and stays the same when master keys are rotated', () => {
    const token = newUrlToken();
    const expected = createHmac('sha256', Buffer.from(pepper, 'base64'))
      .update(`url token\0${createHash('sha256').update(token).digest('hex')}`)
      .digest();
    expect(urlTokenDigest(keyring, token)).to.eql(expected);
    expect(sha256Digest(keyring, urlTokenSha256(token))).to.eql(expected);
    expect(urlTokenDigest(parseKeyring(`8:${second}`, pepper), token)).to.eql(expected);
    expect(urlTokenDigest(parseKeyring(`7:${first}`, newKey()), token)).not.to.eql(expected);
    expect(urlTokenDigest(keyring, newUrlToken())).not.to.eql(expected);
  });
});

describe('The digest of an idempotency key', () => {
  it('keeps the key of one caller apart from that of another whose name begins alike', () => {
    const digests = [
      idempotencyDigest(keyring, 'client 1', '23'),
      idempotencyDigest(keyring, 'client 12', '3'),
    ].map((digest) => digest.toString('hex'));
    expect(new Set(digests).size).to.equal(2);
  });
});

describe('A password prepared for bcrypt', () => {
  it('is an HMAC-SHA384 under the pepper in 64 characters, all of which bcrypt reads', () => {
    const expected = createHmac('sha384', Buffer.from(pepper, 'base64')).update('tulip').digest('base64');
    expect(pepperedPassword(keyring, 'tulip')).to.equal(expected);
    for (const password of ['', 'x'.repeat(1_024), '\0', '🌷']) {
      expect(pepperedPassword(keyring, password)).to.match(/^[0-9A-Za-z+/]{64}$/);
    }
    expect(pepperedPassword(parseKeyring(`7:${first}`, newKey()), 'tulip')).not.to.equal(expected);
  });
});
