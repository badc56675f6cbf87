import { createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import {
  DecryptionError,
  fileSize,
  openFile,
  openSecret,
  type Secret,
  sealFile,
  sealSecret,
} from '../../src/client/encryption.js';
import { findKey } from '../../src/client/findKey.js';
import { createKey, keyBytes } from '../../src/client/linkKey.js';

const frame = 65_536;
const secret: Secret = { kind: 'text', text: 'tulip \ud83c\udf37\r\n\0', files: [] };
const documentation = readFileSync(new URL('../../docs/encryption.md', import.meta.url), 'utf8');

const streamOf = (bytes: Uint8Array) => new Blob([new Uint8Array(bytes)]).stream();
const sealed = (key: string, bytes: Uint8Array, number = 1) => buffer(sealFile(key, number, streamOf(bytes)));
const opened = (key: string, bytes: Uint8Array, number = 1) => buffer(openFile(key, number, streamOf(bytes)));

/** What a promise is rejected with; undefined if it is not. */
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error) => error,
  );

/** The 32 bytes of a key in a link, read without the code that is tested. */
function bytesIn(key: string): Buffer {
  const bits = [...key.slice(1)]
    .map((digit) => Number.parseInt(digit, 32).toString(2).padStart(5, '0'))
    .join('');
  const bytes = bits.slice(4).match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}

/** What docs/encryption.md describes, by the cryptography of Node instead of WebCrypto. */
function openByDocumentation(key: string, label: string, stream: Buffer): Buffer {
  const [salt, frames] = [stream.subarray(1, 17), stream.subarray(17)];
  const derived = hkdfSync('sha256', bytesIn(key), salt, `hushpush/1/${label}`, 32);
  const contents: Buffer[] = [];
  for (let number = 0; number * (frame + 16) < frames.length; number++) {
    const bytes = frames.subarray(number * (frame + 16), (number + 1) * (frame + 16));
    const nonce = Buffer.alloc(12);
    nonce.writeUInt32BE(number, 7);
    nonce[11] = (number + 1) * (frame + 16) >= frames.length ? 1 : 0;
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(derived), nonce, { authTagLength: 16 });
    decipher.setAuthTag(bytes.subarray(-16));
    contents.push(decipher.update(bytes.subarray(0, -16)), decipher.final());
  }
  return Buffer.concat(contents);
}

describe('The key of an encrypted push', () => {
  it('has 256 random bits, in letters and digits that survive in any link', () => {
    const keys = Array.from({ length: 64 }, createKey);
    expect(new Set(keys).size).to.equal(64);
    const bytes = keys.map((key) => {
      expect(key).to.match(/^1[01][0-9a-v]{51}$/);
      expect(Buffer.from(keyBytes(key))).to.deep.equal(bytesIn(key));
      return bytesIn(key);
    });
    for (const at of Array(32).keys())
      expect(new Set(bytes.map((key) => key[at])).size, `byte ${at}`).to.be.above(32);
  });

  it('is found in a link, a fragment, and alone, in any case, with spaces around it', () => {
    const key = createKey();
    for (const text of [
      key,
      `#${key}`,
      `https://push.test/hush/p/x?locale=de#${key}`,
      ` ${key.toUpperCase()}\n`,
    ])
      expect(findKey(text), text).to.equal(key);
  });

  it('is not found in what is cut off, of another version, or no key', () => {
    const key = createKey();
    const texts = [
      '',
      '#',
      key.slice(1),
      `#${key.slice(0, -1)}`,
      `${key}0`,
      `2${key.slice(1)}`,
      `${key.slice(0, -1)}w`,
    ];
    for (const text of [...texts, `12${key.slice(2)}`, `https://push.test/p/${key}`])
      expect(findKey(text), text).to.equal(undefined);
  });
});

describe('The encryption of a push', () => {
  it('opens with its key alone', async () => {
    const [key, other] = [createKey(), createKey()];
    const payload = await sealSecret(key, secret);
    expect(await openSecret(key, payload)).to.deep.equal(secret);
    expect(await failureOf(openSecret(other, payload))).to.be.instanceOf(DecryptionError);
  });

  it('opens by its documentation, by other means, in any number of frames', async () => {
    const key = createKey();
    const payload = Buffer.from(await sealSecret(key, secret), 'base64url');
    expect(JSON.parse(String(openByDocumentation(key, 'secret', payload)))).to.deep.equal(secret);
    for (const size of [0, 1, frame - 1, frame, frame + 1, 2 * frame]) {
      const content = randomBytes(size);
      const stream = await sealed(key, content, 3);
      expect(openByDocumentation(key, 'file/3', stream).equals(content), `${size} bytes`).to.equal(true);
      expect((await opened(key, stream, 3)).equals(content), `${size} bytes`).to.equal(true);
      expect(fileSize(stream.length)).to.equal(size);
    }
  });

  it('opens the example of its documentation', async () => {
    const [, key = ''] = /#([0-9a-v]{53})/.exec(documentation) ?? [];
    const [payload = '', file = ''] = documentation.match(/^A[\w-]{40,}$/gm) ?? [];
    expect(await openSecret(key, payload)).to.deep.equal({
      kind: 'file',
      text: 'tulip',
      files: [{ name: 'a.txt', type: 'text/plain' }],
    });
    expect(String(await opened(key, Buffer.from(file, 'base64url')))).to.equal('tulip');
  });

  it('gives short secrets the same length, and no two the same bytes', async () => {
    const key = createKey();
    const payloads = await Promise.all(
      ['a', 'a', 'correct horse battery staple'].map((text) => sealSecret(key, { ...secret, text })),
    );
    expect(new Set(payloads.map(({ length }) => length)).size).to.equal(1);
    expect(new Set(payloads).size).to.equal(3);
  });

  it('does not open what was changed, cut off, continued, or moved to another place', async () => {
    const key = createKey();
    const stream = await sealed(key, randomBytes(2 * frame + 5));
    const [first, second] = [
      stream.subarray(17, 17 + frame + 16),
      stream.subarray(17 + frame + 16, 17 + 2 * (frame + 16)),
    ];
    const changed = Buffer.from(stream);
    changed[changed.length - 1] = Number(changed.at(-1)) ^ 1;
    const streams = {
      changed,
      'of another version': Buffer.concat([Buffer.of(2), stream.subarray(1)]),
      'cut in a frame': stream.subarray(0, -1),
      'cut between frames': stream.subarray(0, 17 + frame + 16),
      'cut to its header': stream.subarray(0, 17),
      empty: Buffer.alloc(0),
      continued: Buffer.concat([stream, Buffer.alloc(16)]),
      reordered: Buffer.concat([
        stream.subarray(0, 17),
        second,
        first,
        stream.subarray(17 + 2 * (frame + 16)),
      ]),
    };
    for (const [what, bytes] of Object.entries(streams))
      expect(await failureOf(opened(key, bytes)), what).to.be.instanceOf(DecryptionError);
    expect(await failureOf(opened(key, stream, 2)), 'another number').to.be.instanceOf(DecryptionError);
  });

  it('refuses a payload that is no secret, whoever encrypted it', async () => {
    const key = createKey();
    const odd = { kind: 'html', text: '', files: [] } as unknown as Secret;
    const files = [{ name: 1, type: '' }] as unknown as Secret['files'];
    for (const payload of [
      'not base64!',
      '',
      'AAAA',
      await sealSecret(key, odd),
      await sealSecret(key, { ...secret, files }),
      (await sealed(key, Buffer.from('{}'))).toString('base64url'),
    ])
      expect(await failureOf(openSecret(key, payload)), payload.slice(0, 20)).to.be.instanceOf(
        DecryptionError,
      );
  });
});
