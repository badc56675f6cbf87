import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { DecryptionError, openFile } from '../../src/client/encryption.js';
import { createKey, keyBytes } from '../../src/client/linkKey.js';

const textOf = (key: string, stream: Buffer) =>
  buffer(openFile(key, 1, new Blob([new Uint8Array(stream)]).stream())).then(String);

/** The key of a first file, its commitment, and what AES makes of a block with that key. */
function deriveFor(key: string, salt: Buffer) {
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', keyBytes(key), salt, `hushpush/${key[0]}/${purpose}`, 32));
  const fileKey = derive('file/1');
  const encryptBlock = (block: Buffer) =>
    createCipheriv('aes-256-ecb', fileKey, null).setAutoPadding(false).update(block);
  return { fileKey, commitment: derive('commitment'), encryptBlock };
}

/** The nonce of an only frame, with the counter of its nth block. */
const counterBlock = (count: number) => Buffer.from([...Array(11).fill(0), 1, 0, 0, 0, count]);

const toNumber = (block: Buffer) => BigInt(`0x${block.toString('hex')}`);
const toBlock = (number: bigint) => Buffer.from(number.toString(16).padStart(32, '0'), 'hex');

/** In the field of GHASH (NIST SP 800-38D, section 6.3). */
function multiply(a: bigint, b: bigint): bigint {
  let [product, factor] = [0n, b];
  for (let bit = 127n; bit >= 0n; bit--) {
    if ((a >> bit) & 1n) product ^= factor;
    factor = factor & 1n ? (factor >> 1n) ^ (0xe1n << 120n) : factor >> 1n;
  }
  return product;
}

/** To the power of 2^128 - 2. */
function invert(a: bigint): bigint {
  let [result, power] = [1n << 127n, a];
  for (let bit = 1; bit < 128; bit++) {
    power = multiply(power, power);
    result = multiply(result, power);
  }
  return result;
}

const blocksOf = (bytes: Buffer) =>
  Array.from({ length: Math.ceil(bytes.length / 16) }, (_, at) => {
    const block = Buffer.alloc(16);
    bytes.copy(block, 0, at * 16);
    return toNumber(block);
  });

/**
 * A frame of AES-256-GCM that opens under both keys: to a text with the one under the first, and with the other under the
 * second. The tag is linear in each block of ciphertext, so one block can be solved for that makes both tags equal.
 */
function collidingFrame(
  keys: ReturnType<typeof deriveFor>[],
  additional: Buffer,
  texts: [string, string],
): Buffer {
  const [first, second] = keys;
  if (first === undefined || second === undefined) throw new Error('it takes two keys');
  const encrypted = [first, second].map(({ encryptBlock }, at) => {
    const text = Buffer.from((texts[at] ?? '').padEnd(32));
    const counter = 2 + 2 * at; // two blocks of each text
    const stream = Buffer.concat([
      encryptBlock(counterBlock(counter)),
      encryptBlock(counterBlock(counter + 1)),
    ]);
    return text.map((byte, index) => byte ^ (stream[index] ?? 0));
  });
  const known = Buffer.concat(encrypted);
  const lengths = toBlock((BigInt(additional.length * 8) << 64n) | BigInt((known.length + 16) * 8));
  const hashKeys = [first, second].map(({ encryptBlock }) => toNumber(encryptBlock(Buffer.alloc(16))));
  const tagWith = (at: 0 | 1, solved: bigint) => {
    const blocks = [...blocksOf(additional), ...blocksOf(known), solved, toNumber(lengths)];
    const hash = blocks.reduce((sum, block) => multiply(sum ^ block, hashKeys[at] ?? 0n), 0n);
    return hash ^ toNumber([first, second][at]?.encryptBlock(counterBlock(1)) ?? Buffer.alloc(16));
  };
  const squares = hashKeys.map((hashKey) => multiply(hashKey, hashKey));
  const coefficient = (squares[0] ?? 0n) ^ (squares[1] ?? 0n);
  const solved = multiply(tagWith(0, 0n) ^ tagWith(1, 0n), invert(coefficient));
  expect(tagWith(0, solved)).to.equal(tagWith(1, solved));
  return Buffer.concat([known, toBlock(solved), toBlock(tagWith(0, solved))]);
}

/** What AES-GCM alone makes of a frame. Throws if the tag is wrong. */
function openFrame({ fileKey }: ReturnType<typeof deriveFor>, additional: Buffer, frame: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', fileKey, counterBlock(1).subarray(0, 12));
  decipher.setAAD(additional);
  decipher.setAuthTag(frame.subarray(-16));
  return String(Buffer.concat([decipher.update(frame.subarray(0, -16)), decipher.final()]));
}

describe('A sender who makes one ciphertext for two keys', () => {
  const texts: [string, string] = ['pay to DE02 1203', 'pay to DE88 5001'];

  it('shows two texts with version 1', async () => {
    const keys = [createKey(), createKey()].map((key) => key.replace(/^2/, '1'));
    const salt = randomBytes(16);
    const frame = collidingFrame(
      keys.map((key) => deriveFor(key, salt)),
      Buffer.alloc(0),
      texts,
    );
    const stream = Buffer.concat([Buffer.of(1), salt, frame]);
    for (const [at, key] of keys.entries()) {
      const text = await textOf(key, stream);
      expect(text)
        .to.include(texts[at])
        .and.not.include(texts[1 - at]);
    }
  });

  it('shows one with version 2, which commits to its key, though AES-GCM would open to both', async () => {
    const keys = [createKey(), createKey()];
    const salt = randomBytes(16);
    const derived = keys.map((key) => deriveFor(key, salt));
    for (const [at, { commitment }] of derived.entries()) {
      const header = Buffer.concat([Buffer.of(2, 1, 0, 1), commitment, salt]);
      const frame = collidingFrame(derived, header, texts);
      for (const [other, key] of derived.entries())
        expect(openFrame(key, header, frame)).to.include(texts[other]);
      const stream = Buffer.concat([header, frame]);
      expect(await textOf(String(keys[at]), stream)).to.include(texts[at]);
      const refused = await textOf(String(keys[1 - at]), stream).catch((error: unknown) => error);
      expect(refused).to.be.instanceOf(DecryptionError).with.property('cause', 'another header');
    }
  });
});
