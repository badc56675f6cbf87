import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  DamagedFileError,
  fileKey,
  openFrames,
  type Span,
  sealedBytes,
  sealedSpan,
  sealFrames,
} from '../../../src/domain/files/frames.ts';

const frame = 256 * 1024;
const sealedFrame = frame + 16;
const key: Buffer = randomBytes(32);

async function* chunks(bytes: Buffer, size = 50_000) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const seal = (plaintext: Buffer, by: Buffer = key): Promise<Buffer> =>
  buffer(sealFrames(by, chunks(plaintext)));

/** The plaintext that was returned, up to the refusal if there was one. */
async function open(sealed: Buffer, size: number, span: Span = { start: 0, end: size }, by: Buffer = key) {
  const plain: Buffer[] = [];
  try {
    for await (const bytes of openFrames(by, chunks(sealed), size, span)) plain.push(bytes);
    return { refused: false, plain: Buffer.concat(plain) };
  } catch (error) {
    if (!(error instanceof DamagedFileError)) throw error;
    return { refused: true, plain: Buffer.concat(plain) };
  }
}

async function openSpan(sealed: Buffer, size: number, span: Span) {
  const { start, end } = sealedSpan(size, span);
  return open(sealed.subarray(start, end), size, span);
}

describe('A sealed file', () => {
  for (const size of [0, 1, frame - 1, frame, frame + 1, 3 * frame, 3 * frame + 777]) {
    it(`of ${size} bytes opens to its plaintext, and has the predicted length`, async () => {
      const plaintext = randomBytes(size);
      const sealed = await seal(plaintext);
      expect(sealed).to.have.length(sealedBytes(size));
      expect(await open(sealed, size)).to.deep.equal({ refused: false, plain: plaintext });
    });
  }

  it('opens any range by reading only the frames that contain it', async () => {
    const size = 3 * frame + 777;
    const plaintext = randomBytes(size);
    const sealed = await seal(plaintext);
    const edges = fc.oneof(
      fc.nat(size),
      fc.constantFrom(0, frame - 1, frame, frame + 1, 2 * frame, 3 * frame, size - 1, size),
    );
    await fc.assert(
      fc.asyncProperty(edges, edges, async (a, b) => {
        const span = { start: Math.min(a, b), end: Math.max(a, b) };
        const { start, end } = sealedSpan(size, span);
        expect(end - start).to.be.at.most(span.end - span.start + 2 * sealedFrame);
        const { refused, plain } = await openSpan(sealed, size, span);
        expect(refused).to.equal(false);
        expect(plain.equals(plaintext.subarray(span.start, span.end))).to.equal(true);
      }),
    );
  });

  it('is the same however its bytes are chunked, and differs under another key', async () => {
    const plaintext = randomBytes(2 * frame + 5);
    const sealed = await seal(plaintext);
    expect((await buffer(sealFrames(key, chunks(plaintext, 7)))).equals(sealed)).to.equal(true);
    expect((await buffer(sealFrames(key, chunks(plaintext, 10 * frame)))).equals(sealed)).to.equal(true);
    expect((await seal(plaintext, randomBytes(32))).includes(sealed.subarray(0, 32))).to.equal(false);
  });

  describe('gives no unauthenticated byte', () => {
    const size = 3 * frame + 777;
    const plaintext = randomBytes(size);
    let sealed: Buffer;

    before(async () => {
      sealed = await seal(plaintext);
    });

    async function expectRefused(bytes: Buffer, wholeFrames: number, ofSize = size): Promise<void> {
      const { refused, plain } = await open(bytes, ofSize);
      expect(refused).to.equal(true);
      expect(plain.equals(plaintext.subarray(0, wholeFrames * frame))).to.equal(true);
    }

    const parts: [string, number, number][] = [
      ['the first byte', 0, 0],
      ['the middle of the first frame', frame / 2, 0],
      ['the last byte of the first frame', frame - 1, 0],
      ['the tag of the first frame', frame, 0],
      ['the end of that tag', sealedFrame - 1, 0],
      ['the first byte of the second frame', sealedFrame, 1],
      ['the tag of the third frame', 2 * sealedFrame + frame + 3, 2],
      ['the last frame', 3 * sealedFrame + 5, 3],
      ['the tag of the last frame', 3 * sealedFrame + 777 + 15, 3],
    ];
    for (const [part, at, wholeFrames] of parts) {
      it(`when a bit is flipped in ${part}`, async () => {
        const flipped = Buffer.from(sealed);
        flipped.writeUInt8(flipped.readUInt8(at) ^ 1, at);
        await expectRefused(flipped, wholeFrames);
      });
    }

    for (const frames of [0, 1, 2, 3]) {
      it(`when it is cut after frame ${frames}, whatever length is claimed`, async () => {
        const cut = sealed.subarray(0, frames * sealedFrame);
        await expectRefused(cut, frames);
        if (frames > 0) await expectRefused(cut, frames - 1, frames * frame);
      });
      it(`when it is cut a byte before or after the end of frame ${frames + 1}`, async () => {
        const end = Math.min((frames + 1) * sealedFrame, sealed.length);
        await expectRefused(sealed.subarray(0, end - 1), frames);
        if (end < sealed.length) await expectRefused(sealed.subarray(0, end + 1), frames + 1);
      });
    }

    it('when bytes or whole frames are appended', async () => {
      const last = sealed.subarray(-793);
      await expectRefused(Buffer.concat([sealed, Buffer.from([0])]), 3);
      expect(
        (await open(Buffer.concat([await seal(plaintext.subarray(0, frame)), last]), frame)).refused,
      ).to.equal(true);
    });

    it('when frames are swapped, repeated or left out', async () => {
      const frames = [0, 1, 2, 3].map((at) => sealed.subarray(at * sealedFrame, (at + 1) * sealedFrame));
      const order = (...numbers: number[]) =>
        Buffer.concat(numbers.map((at) => frames[at] ?? Buffer.alloc(0)));
      await expectRefused(order(1, 0, 2, 3), 0);
      await expectRefused(order(0, 2, 1, 3), 1);
      await expectRefused(order(0, 0, 2, 3), 1);
      await expectRefused(order(0, 1, 3), 2);
      await expectRefused(order(0, 1, 3), 2, 2 * frame + 777);
    });

    it('when it belongs to another file of the same push, or to another push', async () => {
      const filesKey = randomBytes(32);
      const [one, other] = [randomBytes(16), randomBytes(16)];
      const mine = await seal(plaintext, fileKey(filesKey, one));
      expect((await open(mine, size, undefined, fileKey(filesKey, one))).refused).to.equal(false);
      for (const wrong of [fileKey(filesKey, other), fileKey(randomBytes(32), one)]) {
        expect(await open(mine, size, undefined, wrong)).to.deep.equal({
          refused: true,
          plain: Buffer.alloc(0),
        });
      }
    });

    it('when only a range is read', async () => {
      const flipped = Buffer.from(sealed);
      flipped.writeUInt8(flipped.readUInt8(sealedFrame + 9) ^ 1, sealedFrame + 9);
      const inSecond = { start: frame + 100, end: frame + 200 };
      expect(await openSpan(flipped, size, inSecond)).to.deep.equal({
        refused: true,
        plain: Buffer.alloc(0),
      });
      expect((await openSpan(flipped, size, { start: 2 * frame, end: size })).refused).to.equal(false);
    });
  });
});
