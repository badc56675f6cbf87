import type { OutgoingHttpHeaders } from 'node:http';
import { expect } from 'chai';
import {
  form,
  json,
  multipart,
  named,
  parts,
  plain,
  post,
  reading,
  refusal,
  useBodyServer,
  values,
} from './server.ts';

describe('A request body', () => {
  useBodyServer();

  describe('over its limits', () => {
    const limit = 6 * 1024 * 1024;
    const payload = 'a'.repeat(limit);
    const bodies: [string, OutgoingHttpHeaders, string | Buffer][] = [
      ['JSON', json, `{"a":"${payload}"}`],
      ['a form', form, `a=${payload}`],
      ['parts together', multipart, parts(named('a', payload.slice(10)), named('b', '12345678901'))],
    ];
    for (const [name, headers, content] of bodies) {
      it(`is refused with and without a Content-Length: ${name}`, async () => {
        const told = await post({ ...headers, 'content-length': Buffer.byteLength(content) }, content);
        const untold = await post(headers, content);
        for (const { status, outcome } of [told, untold]) {
          expect(outcome).to.have.nested.property('error.code', 'too_large');
          expect(status).to.equal(413);
        }
      });
    }

    it('is refused: an epilogue', async () => {
      reading.options = { limitBytes: 1000, filesLimitBytes: 0 };
      expect(await refusal(multipart, '--B--', 'x'.repeat(500), 'x'.repeat(600))).to.have.property(
        'code',
        'too_large',
      );
    });

    it('is accepted up to the exact limit', async () => {
      reading.options = { limitBytes: 10 };
      expect(plain(await values(form, 'a=34567890'))).to.deep.equal({ a: '34567890' });
      expect(await refusal(form, 'a=345678901')).to.have.property('code', 'too_large');
      expect(plain(await values(multipart, parts(named('a', '12345'), named('b', '67890'))))).to.deep.equal({
        a: '12345',
        b: '67890',
      });
    });
  });

  describe('of a known length that is read late', () => {
    const text = 'a=34567890';
    const headers = { ...form, 'content-length': text.length };

    beforeEach(() => {
      reading.isLate = true;
    });

    for (const [when, pieces] of [
      ['has all arrived', [text]],
      ['has arrived in part', [text.slice(0, 5), 50, text.slice(5)]],
      ['has not arrived', [50, text]],
    ] as const) {
      it(`is read to its end, and not beyond its limit, where it ${when}`, async () => {
        reading.options = { limitBytes: 10 };
        expect((await post(headers, ...pieces)).outcome).to.deep.equal({
          body: { values: { a: '34567890' }, files: [] },
        });
        reading.options = { limitBytes: 9 };
        expect((await post(headers, ...pieces)).outcome).to.have.nested.property('error.code', 'too_large');
      });
    }

    it('is followed by the next request of the connection', async () => {
      for (const value of ['1', '2', '3'])
        expect(plain(await values({ ...form, 'content-length': 3 }, `a=${value}`))).to.deep.equal({
          a: value,
        });
    });
  });
});
