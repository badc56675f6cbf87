import { expect } from 'chai';
import { openPayload, seal } from '../../../../src/crypto/cipher.ts';
import { newId } from '../../../../src/crypto/ids.ts';
import { newKey, parseKeyring } from '../../../../src/crypto/keyring.ts';
import { urlTokenDigest } from '../../../../src/crypto/pepper.ts';
import { isUrlToken, urlTokenSha256 } from '../../../../src/crypto/tokens.ts';
import { createNewLinks, type NewLink } from '../../../../src/domain/pushes/create/newLinks.ts';

const keyring = () => parseKeyring(`1:${newKey()},2:${newKey()}`, newKey());

describe('The link of a new push', () => {
  it('has what is derived from its url token, prepared or not', () => {
    const keys = keyring();
    const links = createNewLinks(keys);
    const requireRight = ({ urlToken, sha256, digest, payloadSealer }: NewLink) => {
      expect(isUrlToken(urlToken)).to.equal(true);
      expect(sha256).to.equal(urlTokenSha256(urlToken));
      expect(digest).to.eql(urlTokenDigest(keys, urlToken));
      const id = newId();
      const record = seal(keys, 'tulip', { id, field: 'payload', secret: urlToken }, payloadSealer);
      expect(openPayload(keys, record, { id, secret: urlToken }).toString()).to.equal('tulip');
    };
    requireRight(links.take());
    links.prepare();
    requireRight(links.take());
    requireRight(links.linkOf(links.take().urlToken));
  });

  it('is of one push alone', () => {
    const links = createNewLinks(keyring());
    const taken = Array.from({ length: 9 }, (_, index) => {
      if (index % 3 > 0) links.prepare();
      if (index % 3 > 1) links.prepare();
      return links.take().urlToken;
    });
    expect(new Set(taken).size).to.equal(9);
  });

  it('has a key under the master key that is active when it is taken', () => {
    const keys = keyring();
    const links = createNewLinks(keys);
    links.prepare();
    keys.active = { id: 2, key: keys.all.get(2) ?? expect.fail() };
    expect(links.take().payloadSealer.masterKeyId).to.equal(2);
  });
});
