import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
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

/** The bytes with one bit changed. */
function flipped(bytes: Uint8Array, at: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = Number(changed[at]) ^ 1;
  return changed;
}

/** The 32 bytes of a key in a link, read without the code that is tested. */
function bytesIn(key: string): Buffer {
  const bits = [...key.slice(1)]
    .map((digit) => Number.parseInt(digit, 32).toString(2).padStart(5, '0'))
    .join('');
  const bytes = bits.slice(4).match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}

/** A key of the first version. */
const firstKey = () => createKey().replace(/^2/, '1');

/** The same bytes as a key of version 1 and of version 2. */
function pairOfVersions(): string[] {
  const key = createKey();
  return [key.replace(/^2/, '1'), key];
}

const versions = { 1: firstKey, 2: createKey };
const headerBytes = { 1: 17, 2: 52 };

type Stream = { label: string; header?: number[]; salt: Buffer; content: Uint8Array };

/**
 * The stream that docs/encryption.md describes, by the cryptography of Node instead of WebCrypto. `header` is what one of
 * version 2 says of its place.
 */
function sealByDocumentation(key: string, { label, header = [], salt, content }: Stream): Buffer {
  const version = Number(key[0]);
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', bytesIn(key), salt, `hushpush/${version}/${purpose}`, 32));
  const start = Buffer.concat(
    version === 1 ? [Buffer.of(1), salt] : [Buffer.of(2, ...header), derive('commitment'), salt],
  );
  const frames: Buffer[] = [];
  for (let number = 0; number === 0 || number * frame < content.length; number++) {
    const nonce = Buffer.alloc(12);
    nonce.writeUInt32BE(number, 7);
    nonce[11] = (number + 1) * frame >= content.length ? 1 : 0;
    const cipher = createCipheriv('aes-256-gcm', derive(label), nonce);
    if (version > 1) cipher.setAAD(start);
    const part = content.subarray(number * frame, (number + 1) * frame);
    frames.push(cipher.update(part), cipher.final(), cipher.getAuthTag());
  }
  return Buffer.concat([start, ...frames]);
}

const saltOf = (stream: Uint8Array, version: 1 | 2) =>
  Buffer.from(stream.subarray(headerBytes[version] - 16, headerBytes[version]));

describe('The key of an encrypted push', () => {
  it('has 256 random bits, in letters and digits that survive in any link', () => {
    const keys = Array.from({ length: 64 }, createKey);
    expect(new Set(keys).size).to.equal(64);
    const bytes = keys.map((key) => {
      expect(key).to.match(/^2[01][0-9a-v]{51}$/);
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
    const first = firstKey();
    expect(findKey(`https://push.test/p/x#${first}`)).to.equal(first);
  });

  it('is not found in what is cut off, of another version, or no key', () => {
    const key = createKey();
    const texts = [
      '',
      '#',
      key.slice(1),
      `#${key.slice(0, -1)}`,
      `${key}0`,
      `3${key.slice(1)}`,
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

  it('is that of its documentation, by other means, in any number of frames', async () => {
    for (const version of [1, 2] as const) {
      const key = versions[version]();
      const payload = Buffer.from(await sealSecret(key, secret), 'base64url');
      const json = JSON.stringify(secret);
      const content = Buffer.from(json + ' '.repeat(256 - Buffer.byteLength(json)));
      const salt = saltOf(payload, version);
      const described = sealByDocumentation(key, { label: 'secret', header: [0, 0, 0], salt, content });
      expect(payload.equals(described), `version ${version}`).to.equal(true);
      for (const size of [0, 1, frame - 1, frame, frame + 1, 2 * frame]) {
        const bytes = randomBytes(size);
        const stream = await sealed(key, bytes, 300);
        const place = { label: 'file/300', header: [1, 1, 44], salt: saltOf(stream, version) };
        const what = `version ${version}, ${size} bytes`;
        expect(stream.equals(sealByDocumentation(key, { ...place, content: bytes })), what).to.equal(true);
        expect((await opened(key, stream, 300)).equals(bytes), what).to.equal(true);
        expect(fileSize(key, stream.length), what).to.equal(size);
      }
    }
  });

  it('is that of the examples in its documentation, byte by byte', async () => {
    const keys = documentation.match(/(?<=#)[0-9a-v]{53}/g) ?? [];
    const streams = documentation.match(/^A[\w-]{40,}$/gm) ?? [];
    expect([keys.map((key) => key[0]), streams.length]).to.deep.equal([['2', '1'], 4]);
    for (const [index, key] of keys.entries()) {
      const [payload = '', file = ''] = streams.slice(2 * index);
      const version = Number(key[0]) as 1 | 2;
      const expected = { kind: 'file', text: 'tulip', files: [{ name: 'a.txt', type: 'text/plain' }] };
      expect(await openSecret(key, payload)).to.deep.equal(expected);
      const [sealedFile, sealedSecret] = [file, payload].map((text) => Buffer.from(text, 'base64url'));
      expect(String(await opened(key, Buffer.from(sealedFile ?? [])))).to.equal('tulip');
      const contents = [JSON.stringify(expected).padEnd(256), 'tulip'].map((text) => Buffer.from(text));
      for (const [at, stream = Buffer.alloc(0)] of [sealedSecret, sealedFile].entries()) {
        const place =
          at === 0 ? { label: 'secret', header: [0, 0, 1] } : { label: 'file/1', header: [1, 0, 1] };
        const content = contents[at] ?? Buffer.alloc(0);
        expect(sealByDocumentation(key, { ...place, salt: saltOf(stream, version), content })).to.deep.equal(
          stream,
        );
        if (version === 1) continue;
        const streamKey = hkdfSync(
          'sha256',
          bytesIn(key),
          saltOf(stream, 2),
          `hushpush/2/${place.label}`,
          32,
        );
        for (const value of [Buffer.from(streamKey), stream.subarray(4, 36)])
          expect(documentation).to.include(`\`${value.toString('hex')}\``);
      }
    }
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
    for (const version of [1, 2] as const) {
      const key = versions[version]();
      const stream = await sealed(key, randomBytes(2 * frame + 5));
      const start = headerBytes[version];
      const [first, second] = [
        stream.subarray(start, start + frame + 16),
        stream.subarray(start + frame + 16, start + 2 * (frame + 16)),
      ];
      const streams = {
        changed: flipped(stream, stream.length - 1),
        'cut in a frame': stream.subarray(0, -1),
        'cut between frames': stream.subarray(0, start + frame + 16),
        'cut to its header': stream.subarray(0, start),
        'cut in its header': stream.subarray(0, start - 1),
        empty: Buffer.alloc(0),
        continued: Buffer.concat([stream, Buffer.alloc(16)]),
        reordered: Buffer.concat([
          stream.subarray(0, start),
          second,
          first,
          stream.subarray(start + 2 * (frame + 16)),
        ]),
        ...Object.fromEntries(
          Array.from({ length: start }, (_, at) => [
            `changed in byte ${at} of its header`,
            flipped(stream, at),
          ]),
        ),
      };
      for (const [what, bytes] of Object.entries(streams))
        expect(await failureOf(opened(key, bytes)), what).to.be.instanceOf(DecryptionError);
      expect(await failureOf(opened(key, stream, 2)), 'another number').to.be.instanceOf(DecryptionError);
    }
  });

  it('opens no stream of another version than the key in the link names', async () => {
    const bytes = randomBytes(100);
    for (const [key, other] of [pairOfVersions(), pairOfVersions().reverse()] as [string, string][]) {
      const [stream, otherStream] = [await sealed(key, bytes), await sealed(other, bytes)];
      expect((await opened(key, stream)).equals(bytes)).to.equal(true);
      expect(await failureOf(opened(key, otherStream))).to.be.instanceOf(DecryptionError);
      const claimed = Buffer.concat([Buffer.of(Number(key[0])), otherStream.subarray(1)]);
      expect(await failureOf(opened(key, claimed))).to.be.instanceOf(DecryptionError);
      const payload = await sealSecret(other, secret);
      expect(await failureOf(openSecret(key, payload))).to.be.instanceOf(DecryptionError);
    }
  });

  it('opens no secret as a file, no file as a secret, and none with another number of files', async () => {
    const key = createKey();
    const payload = Buffer.from(await sealSecret(key, secret), 'base64url');
    expect(await failureOf(opened(key, payload))).to.be.instanceOf(DecryptionError);
    const json = Buffer.from(JSON.stringify(secret));
    const salt = randomBytes(16);
    const openSealed = (stream: Buffer) => openSecret(key, stream.toString('base64url'));
    const honest = { label: 'secret', header: [0, 0, 0], salt, content: json };
    expect(await openSealed(sealByDocumentation(key, honest))).to.deep.equal(secret);
    for (const [what, header] of Object.entries({ 'other files': [0, 0, 1], 'a file': [1, 0, 0] })) {
      const forged = sealByDocumentation(key, { ...honest, header });
      expect(await failureOf(openSealed(forged)), what).to.be.instanceOf(DecryptionError);
    }
    expect(await failureOf(openSealed(await sealed(key, json)))).to.be.instanceOf(DecryptionError);
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
