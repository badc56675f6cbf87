import { expect } from 'chai';
import fc from 'fast-check';
import {
  form,
  json,
  multipart,
  named,
  parts,
  post,
  requireBodyError,
  useBodyServer,
  values,
} from './server.ts';

describe('A request body', () => {
  useBodyServer();

  describe('with random content', () => {
    const types = [
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=B',
      undefined,
    ];
    const words = [
      '\r\n',
      '--B',
      '--B',
      '--B',
      '--',
      '-',
      '\r',
      '\n',
      '\r\n\r\n',
      '\r\n--B',
      '\r\n--B--',
      'Content-Disposition: form-data; name="a"',
      '; filename="b"',
      '; filename=""',
      'Content-Type: text/plain',
      ': ',
      '"',
      ';',
      '\\',
      '%',
      '%F',
      '[',
      ']',
      '=',
      '&',
      '{',
      '}',
      '\0',
      "name*=utf-8''",
      'x',
    ];
    const piece = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...words).map((word) => Buffer.from(word)) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)) },
    );

    it('is always accepted, or refused with a BodyError', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...types),
          fc.array(piece, { maxLength: 40 }),
          fc.boolean(),
          async (type, pieces, opens) => {
            const headers = type === undefined ? {} : { 'content-type': type };
            const { outcome } = await post(
              headers,
              ...(opens ? ['--B\r\nContent-Disposition: form-data; name="a'] : []),
              ...pieces,
            );
            if ('error' in outcome) expect(requireBodyError(outcome.error).code).to.equal('malformed');
          },
        ),
        { numRuns: 1000 },
      );
    });

    it('is always refused with a BodyError when its Content-Type is invalid', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...types),
          fc.string({ unit: 'grapheme-ascii' }),
          async (type, tail) => {
            const { outcome } = await post({ 'content-type': `${type};${tail}` }, 'x');
            if ('error' in outcome) requireBodyError(outcome.error);
          },
        ),
        { numRuns: 200 },
      );
    });

    /** Names without brackets, which would nest. */
    const name = fc
      .string({ unit: 'binary', maxLength: 20 })
      .map((made) => made.replaceAll(/[[\]\r\n\uFEFF]/g, '_'));
    const hard = fc.array(
      fc.oneof(
        fc.constantFrom(...words, '\0', '+', '😀', 'ü', '\ufeff', '%41', '\r\n--'),
        fc.string({ unit: 'binary' }),
      ),
      { maxLength: 30 },
    );
    const value = hard.map((made) => made.join('').replaceAll('--B', '--b'));
    const pairs = fc.array(fc.tuple(name, value), { maxLength: 30 });
    const cuts = fc.infiniteStream(fc.integer({ min: 1, max: 40 }));

    function cut(bytes: Buffer, sizes: Iterator<number>): Buffer[] {
      const pieces: Buffer[] = [];
      for (let at = 0; at < bytes.length; ) {
        const size: number = sizes.next().value;
        pieces.push(bytes.subarray(at, at + size));
        at += size;
      }
      return pieces;
    }

    function expectSame(found: unknown, sent: [string, string][]): void {
      expect(new Map(Object.entries(Object(found)))).to.deep.equal(new Map(sent));
    }

    it('is read from a form byte for byte', async () => {
      await fc.assert(
        fc.asyncProperty(pairs, cuts, async (sent, sizes) => {
          const encoded = Buffer.from(new URLSearchParams(sent).toString());
          expectSame(await values(form, ...cut(encoded, sizes)), sent);
        }),
        { numRuns: 300 },
      );
    });

    it('is read from parts byte for byte', async () => {
      await fc.assert(
        fc.asyncProperty(pairs, cuts, async (sent, sizes) => {
          expectSame(
            await values(
              multipart,
              ...cut(parts(...sent.map(([key, content]) => named(key, content))), sizes),
            ),
            sent,
          );
        }),
        { numRuns: 300 },
      );
    });

    it('is read with a mebibyte in one value', async () => {
      const large = '\0\r\n--b😀%41+&=ü'.repeat(65_536).slice(0, 1_048_576);
      const sent: [string, string][] = [
        ['a', large],
        ['b', '\ufeff'],
      ];
      expectSame(await values(form, new URLSearchParams(sent).toString()), sent);
      expectSame(await values(multipart, parts(...sent.map(([key, content]) => named(key, content)))), sent);
      expectSame(await values(json, JSON.stringify(Object.fromEntries(sent))), sent);
    });
  });
});
