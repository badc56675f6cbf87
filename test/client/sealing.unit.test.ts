import { createHash, hkdfSync } from 'node:crypto';
import { expect } from 'chai';
import * as hpke from 'hpke';
import { DecryptionError, openSecret } from '../../src/client/encryption.js';
import { createKey, digitsOf, keyBytes } from '../../src/client/linkKey.js';
import { openAnswers, opensByPasskey, sealAnswer } from '../../src/client/sealedAnswers.ts';
import {
  createOpener,
  createOpeningKey,
  findFragment,
  fragmentOf,
  receiptOf,
  requirePromised,
  SealingError,
  sealKey,
} from '../../src/client/sealing.js';
import {
  findPasskey,
  unwrapKey,
  unwrapKeyByPasskey,
  wrapKey,
  wrapKeyByPasskey,
} from '../../src/client/wrappedKey.js';
import { sealedFragment, sealedReceipt } from '../../src/crypto/tokens.ts';

const hex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'));
const place = { token: '0123456789abcdefghjkmnpqrs', answerId: 'an-answer-of-the-tests' };

/** What a promise is rejected with; undefined if it is not. */
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error) => error,
  );

/** A text in base64url with one bit of its bytes changed. */
function flipped(text: string, at: number): string {
  const bytes = Buffer.from(text, 'base64url');
  const index = (at + bytes.length) % bytes.length;
  bytes[index] = Number(bytes[index]) ^ 1;
  return bytes.toString('base64url');
}

/** RFC 9180, appendix A: the base mode, and its first message. */
const vectors = {
  'A.1.1': {
    kem: hpke.KEM_DHKEM_X25519_HKDF_SHA256,
    ikmR: '6db9df30aa07dd42ee5e8181afdb977e538f5e1fec8a06223f33f7013e525037',
    pkRm: '3948cfe0ad1ddb695d780e59077195da6c56506b027329794ab02bca80815c4d',
    skRm: '4612c550263fc8ad58375df3f557aac531d26850903e55a9f23f21d8534e8ac8',
    enc: '37fda3567bdbd628e88668c3c8d7e97d1d1253b6d4ea6d44c150f741f1bf4431',
    ct: 'f938558b5d72f1a23810b4be2ab4f84331acc02fc97babc53a52ae8218a355a96d8770ac83d07bea87e13c512a',
  },
  'A.3.1': {
    kem: hpke.KEM_DHKEM_P256_HKDF_SHA256,
    ikmR: '668b37171f1072f3cf12ea8a236a45df23fc13b82af3609ad1e354f6ef817550',
    pkRm: '04fe8c19ce0905191ebc298a9245792531f26f0cece2460639e8bc39cb7f706a826a779b4cf969b8a0e539c7f62fb3d30ad6aa8f80e30f1d128aafd68a2ce72ea0',
    skRm: 'f3ce7fdae57e1a310d87f1ebbde6f328be0a99cdbcadf4d6589cf29de4b8ffd2',
    enc: '04a92719c6195d5085104f469a8b9814d5838ff72b60501e2c4466e5e67b325ac98536d7b61a1af4b78e5b7f951c0900be863c403ce65c9bfcb9382657222d18c4',
    ct: '5ad590bb8baa577f8619db35a36311226a896e7342a6d836d8b7bcd2f20b6c7f9076ac232e3ab2523f39513434',
  },
};
const info = hex('4f6465206f6e2061204772656369616e2055726e');
const aad = hex('436f756e742d30');
const plaintext = hex('4265617574792069732074727574682c20747275746820626561757479');

describe('The package that seals', () => {
  for (const [name, { kem, ikmR, pkRm, skRm, enc, ct }] of Object.entries(vectors)) {
    const suite = new hpke.CipherSuite(kem, hpke.KDF_HKDF_SHA256, hpke.AEAD_AES_128_GCM);

    it(`derives the keys of RFC 9180, ${name}, and opens its message`, async () => {
      const pair = await suite.DeriveKeyPair(hex(ikmR), true);
      expect(Buffer.from(await suite.SerializePublicKey(pair.publicKey)).toString('hex')).to.equal(pkRm);
      expect(Buffer.from(await suite.SerializePrivateKey(pair.privateKey)).toString('hex')).to.equal(skRm);
      expect(await suite.Open(pair, hex(enc), hex(ct), { info, aad })).to.deep.equal(plaintext);
    });

    it(`opens no message of RFC 9180, ${name}, with a bit, its text or its purpose changed`, async () => {
      const pair = await suite.DeriveKeyPair(hex(ikmR), true);
      const changed = hex(ct.replace(/.$/, (digit) => (Number.parseInt(digit, 16) ^ 1).toString(16)));
      expect(await failureOf(suite.Open(pair, hex(enc), changed, { info, aad }))).to.be.instanceOf(Error);
      expect(await failureOf(suite.Open(pair, hex(enc), hex(ct), { info, aad: info }))).to.be.instanceOf(
        Error,
      );
      expect(await failureOf(suite.Open(pair, hex(enc), hex(ct), { info: aad, aad }))).to.be.instanceOf(
        Error,
      );
    });
  }
});

describe('A sealed answer', () => {
  it('opens with the key of its request link alone', async () => {
    const [{ openingKey, publicKeys }, other] = [await createOpeningKey(), await createOpeningKey()];
    expect(publicKeys).to.match(/^[\w-]{43}\.B[\w-]{86}$/);
    const contentKey = createKey();
    for (const keys of [publicKeys, publicKeys.split('.')[1] ?? '']) {
      const sealed = await sealKey(contentKey, keys, place);
      expect(sealed).to.have.length(keys === publicKeys ? 135 : 179);
      const open = await createOpener(openingKey, publicKeys);
      expect(await open(sealed, place)).to.equal(contentKey);
      const stranger = await createOpener(other.openingKey, other.publicKeys);
      expect(await failureOf(stranger(sealed, place))).to.be.instanceOf(DecryptionError);
    }
  });

  it('is that of its documentation', async () => {
    const { openingKey, publicKeys } = await createOpeningKey();
    const contentKey = createKey();
    const sealed = Buffer.from(await sealKey(contentKey, publicKeys, place), 'base64url');
    const curve = 'hushpush/2/request/x25519';
    const seed = hkdfSync('sha256', keyBytes(openingKey), new Uint8Array(0), curve, 32);
    const suite = new hpke.CipherSuite(
      hpke.KEM_DHKEM_X25519_HKDF_SHA256,
      hpke.KDF_HKDF_SHA256,
      hpke.AEAD_AES_256_GCM,
    );
    const pair = await suite.DeriveKeyPair(new Uint8Array(seed));
    const options = { info: Buffer.from(`hushpush/2/answer/${place.token}/${place.answerId}`) };
    const opened = await suite.Open(pair, sealed.subarray(0, 32), sealed.subarray(32), options);
    expect(Buffer.from(opened).toString()).to.equal(contentKey);
    const digest = createHash('sha256').update(`hushpush/2/request/${publicKeys}`).digest('hex');
    const digits = BigInt(`0x${digest}`).toString(32).padStart(52, '0');
    expect(await fragmentOf(publicKeys)).to.equal(`sealed-1${digits}`);
    expect(sealedFragment(publicKeys)).to.equal(`sealed-1${digits}`);
  });

  it('does not open for another link or another answer, or with any byte changed: a replay is none', async () => {
    const { openingKey, publicKeys } = await createOpeningKey();
    const open = await createOpener(openingKey, publicKeys);
    const sealed = await sealKey(createKey(), publicKeys, place);
    const others = [
      [sealed, { ...place, token: place.token.replace('0', '1') }],
      [sealed, { ...place, answerId: `${place.answerId}2` }],
      ...[0, 31, 32, 60, -1].map((at) => [flipped(sealed, at), place] as const),
      ...['', 'x', sealed.slice(4), `${sealed}AAAA`, '!'.repeat(135)].map((text) => [text, place] as const),
    ] as const;
    for (const [text, where] of others)
      expect(await failureOf(open(text, where)), text).to.be.instanceOf(DecryptionError);
  });

  it('has a receipt that both sides and the server compute, and that changes with every part of it', async () => {
    const { publicKeys } = await createOpeningKey();
    const sealed = await sealKey(createKey(), publicKeys, place);
    const receipt = await receiptOf(sealed, place);
    expect(receipt).to.match(/^(?:[0-9a-hjkmnp-tv-z]{5}-){2}[0-9a-hjkmnp-tv-z]{5}$/);
    expect(sealedReceipt(place.token, { answerId: place.answerId, key: sealed })).to.equal(receipt);
    for (const other of [
      receiptOf(flipped(sealed, 70), place),
      receiptOf(sealed, { ...place, token: 'x' }),
      receiptOf(sealed, { ...place, answerId: 'x' }),
    ])
      expect(await other).to.not.equal(receipt);
  });
});

describe('The keys of a request link', () => {
  it('are those that its link promises, or are refused', async () => {
    const [{ openingKey, publicKeys }, other] = [await createOpeningKey(), await createOpeningKey()];
    const link = `https://push.test/a/${place.token}#${await fragmentOf(publicKeys)}`;
    const fragment = findFragment(link) ?? '';
    await requirePromised(publicKeys, fragment);
    const [x25519, p256] = publicKeys.split('.');
    const [otherX25519, otherP256] = other.publicKeys.split('.');
    const swaps = [other.publicKeys, `${otherX25519}.${p256}`, `${x25519}.${otherP256}`];
    for (const keys of [...swaps, String(p256), '']) {
      const failure = await failureOf(requirePromised(keys, fragment));
      expect(failure, keys).to.be.instanceOf(SealingError).and.include({ code: 'swapped' });
    }
    for (const keys of swaps)
      expect(await failureOf(createOpener(openingKey, keys))).to.include({ code: 'swapped' });
  });

  it('are found in a link that was copied badly, and not in one that was cut off', async () => {
    const fragment = await fragmentOf((await createOpeningKey()).publicKeys);
    const link = `https://push.test/a/${place.token}#${fragment}`;
    for (const text of [
      link,
      link.toUpperCase(),
      `${link}.`,
      `<${link}>`,
      `${link.slice(0, 60)}\n${link.slice(60)}`,
    ])
      expect(findFragment(text), text).to.equal(fragment);
    for (const text of [
      link.slice(0, -1),
      link.split('#')[0] ?? '',
      `${link}0`,
      link.replace('sealed-1', 'sealed-2'),
    ])
      expect(findFragment(text), text).to.equal(undefined);
  });

  it('open with a passphrase, and with no other', async function () {
    this.timeout(20_000);
    const { openingKey } = await createOpeningKey();
    const wrapped = await wrapKey(openingKey, 'correct horse é');
    expect(wrapped)
      .to.match(/^600000\.[\w-]{22}\.A[\w-]{42,1000}$/)
      .and.not.include(openingKey);
    expect(await unwrapKey(wrapped, 'correct horse é'.normalize('NFD'))).to.equal(openingKey);
    const [count, salt, payload] = wrapped.split('.');
    const changed = [`${count}.${salt}.${flipped(String(payload), -1)}`, `999999999.${salt}.${payload}`, ''];
    for (const [text, passphrase] of [
      [wrapped, 'correct horse'],
      ...changed.map((each) => [each, 'correct horse é']),
    ])
      expect(await failureOf(unwrapKey(String(text), String(passphrase))), text).to.be.instanceOf(
        DecryptionError,
      );
  });
});

describe('A key that a passkey opens', () => {
  const credentialId = 'KEqPxA7nSB2hWBJ3K0oOrg';
  const salt = new Uint8Array(32).fill(7);
  const secret = Uint8Array.from({ length: 32 }, (_, index) => index);
  const vector = {
    publicKeys:
      '-GfcQvj7D7bLWBp0aZHyteYvDl3yntxmPe5wQy1AXFQ.BINxz63Qwo2X3Qti_o9eYqdhYPjN-ZJuDa2Hv5ByAqub_uCMKYdB-lnG8TMHN-ZB6rI7axnSCb42pTi3jmLuZNc',
    wrapped:
      'prf.KEqPxA7nSB2hWBJ3K0oOrg.BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc.AgAAAAN6kJGL7UnsyDYR6AlskZDyGbn5P5gfxGA_u4DfUu3qlkBrVtNZ5Af1CUiqK8D2BycvkupfN-8Uv5HKxffXKevpH2ZDi7OxL4-CmQg2wscdIdyJIjCy7hMZbACwP6npO9LhXaEXiYWa6n1aPwc99DhFVcU_Ny_jvi-DyJ18Pr-hT4a4sUwi3SXxejTc2xw9MLjITxn3f_LLci3XuyakeymF-N2d3EIylQxzRYjvvpymd8EVwWKdRfSziVRPn5IXUzlcZQzj1djTfR6UNqcG-cyS5JPLFZugjjqrrYs7SUMXHX52aLCI65MP5xUsd4pwmIoi6mMf2QSosNsgnjJVzXB2E1y4yc8ahPMRE0YI2afROBCv0KIz4qBK4qSqdxImXSimN8uWno6SdtrNVnbSzwjSdKku-1thXOyG-rFfdwV3',
    openingKey: '21qovi5ang9kg0ut3s358mg3b1hunr9s7q3iucfhombu8h73r0989',
  };

  it('is that of its documentation', async () => {
    const keys = await createOpeningKey();
    const wrapped = await wrapKeyByPasskey(keys, { credentialId, salt, secret });
    const [kind, credential, saltText, payload = ''] = wrapped.split('.');
    expect([kind, credential, saltText]).to.deep.equal([
      'prf',
      credentialId,
      Buffer.from(salt).toString('base64url'),
    ]);
    const info = `hushpush/2/passkey/${keys.publicKeys}`;
    const derived = new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(0), info, 32));
    expect(await openSecret(`2${digitsOf(derived)}`, payload)).to.deep.equal({
      kind: 'text',
      text: keys.openingKey,
      files: [],
    });
    expect(findPasskey(wrapped)).to.deep.equal({ credentialId, salt });
    expect(findPasskey(await wrapKey(keys.openingKey, 'correct horse'))).to.equal(undefined);
  });

  it('stays readable: a key that was made before opens', async () => {
    const { wrapped, publicKeys, openingKey } = vector;
    expect(findPasskey(wrapped)).to.deep.equal({ credentialId, salt });
    expect(await unwrapKeyByPasskey({ wrapped, publicKeys }, secret)).to.equal(openingKey);
    await createOpener(openingKey, publicKeys); // they belong together
  });

  it('does not open with the secret of another passkey, for another link, or with a byte changed', async () => {
    const { wrapped, publicKeys } = vector;
    const other = await createOpeningKey();
    const [, credential, saltText, payload = ''] = wrapped.split('.');
    const changed = [5, 60, -1].map((at) => `prf.${credential}.${saltText}.${flipped(payload, at)}`);
    const attempts: [string, string, Uint8Array<ArrayBuffer>][] = [
      [wrapped, publicKeys, secret.map((byte) => byte ^ 1)],
      [wrapped, other.publicKeys, secret],
      ...[...changed, '', `600000.${payload}`].map(
        (each) => [each, publicKeys, secret] as [string, string, typeof secret],
      ),
    ];
    for (const [text, keys, own] of attempts)
      expect(
        await failureOf(unwrapKeyByPasskey({ wrapped: text, publicKeys: keys }, own)),
        text,
      ).to.be.instanceOf(DecryptionError);
    expect(await failureOf(unwrapKey(wrapped, 'correct horse'))).to.be.instanceOf(DecryptionError);
  });
});

describe('The library', () => {
  it('opens the answers of a request link, and names those that were changed or replayed', async () => {
    const { openingKey, publicKeys } = await createOpeningKey();
    const fragment = await fragmentOf(publicKeys);
    const link = `https://push.test/a/${place.token}#${fragment}`;
    const { params, receipt } = await sealAnswer(
      { payload: 'tulip' },
      { link, keys: { public_keys: publicKeys }, place },
    );
    expect(JSON.stringify(params)).to.not.include('tulip');
    const answer = {
      ...{ receipt, name: null, url_token: 'x', html_url: 'https://push.test/p/x', waiting: true },
      ...{ created_at: '', expires_at: '', answer_id: place.answerId, sealed_key: params.sealed_key },
    };
    const moved = { ...answer, answer_id: 'of-another-answer-x' };
    const lie = { ...answer, receipt: 'other-other-other' };
    const unsealed = { ...answer, sealed_key: null };
    const stored = { url_token: place.token, public_keys: publicKeys, wrapped_key: null };
    const open = (answers: (typeof unsealed | typeof answer)[]) =>
      openAnswers(stored, answers, { link: `https://push.test/requests/links/1#${openingKey}` });
    const [good, changed, twin, plain] = await open([answer, moved, answer, unsealed]);
    expect(good?.html_url).to.match(/^https:\/\/push\.test\/p\/x#2[01][0-9a-v]{51}$/);
    expect(good).to.include({ receipt }).and.not.have.property('problem');
    expect(changed).to.include({ problem: 'tampered', html_url: null });
    expect(twin).to.include({ problem: 'tampered', html_url: null });
    expect(plain).to.deep.equal(unsealed);
    expect((await open([lie]))[0]).to.include({ problem: 'tampered', html_url: null });
  });

  it('leaves answers that a passkey opens to browsers, and says so', async () => {
    const { openingKey, publicKeys } = await createOpeningKey();
    const secret = crypto.getRandomValues(new Uint8Array(32));
    const passkey = { credentialId: 'x', salt: new Uint8Array(32), secret };
    const wrapped_key = await wrapKeyByPasskey({ openingKey, publicKeys }, passkey);
    const link = { url_token: place.token, public_keys: publicKeys, wrapped_key };
    expect(opensByPasskey(link)).to.equal(true);
    expect(await failureOf(openAnswers(link, [], { passphrase: 'correct horse' })))
      .to.be.instanceOf(TypeError)
      .and.have.property('message')
      .that.includes('only a browser');
    expect(opensByPasskey({ wrapped_key: await wrapKey(openingKey, 'correct horse') })).to.equal(false);
    expect(opensByPasskey({ wrapped_key: null })).to.equal(false);
  });

  it('sends nothing where the server shows other keys than the link promises', async () => {
    const [mine, theirs] = [await createOpeningKey(), await createOpeningKey()];
    const link = `https://push.test/a/${place.token}#${await fragmentOf(mine.publicKeys)}`;
    const seal = (public_keys: string | null, from = link) =>
      sealAnswer({ payload: 'tulip' }, { link: from, keys: { public_keys }, place });
    for (const keys of [theirs.publicKeys, null])
      expect(await failureOf(seal(keys))).to.include({ name: 'SealingError', code: 'swapped' });
    expect(await failureOf(seal(mine.publicKeys, link.slice(0, -3)))).to.be.instanceOf(TypeError);
  });
});
