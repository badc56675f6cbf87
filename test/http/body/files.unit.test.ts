import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { until } from '../../harness/until.ts';
import {
  body,
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

  describe('with files', () => {
    const file: [string, Buffer] = [
      'Content-Disposition: form-data; name="f"; filename="f.bin"',
      Buffer.alloc(3_000_000, '\r\n--'),
    ];

    it('passes each file on while it arrives', async () => {
      const kept: Buffer[] = [];
      reading.options = {
        limitBytes: 1000,
        onFile: async ({ stream, field, filename, contentType }) => {
          expect({ field, filename, contentType }).to.deep.equal({
            field: 'f',
            filename: 'f.bin',
            contentType: 'application/octet-stream',
          });
          for await (const bytes of stream) {
            kept.push(bytes);
            if (kept.length % 10 === 0) await sleep(1);
          }
        },
      };
      const found = await body(multipart, parts(named('a', '1'), file, named('b', '2')));
      expect(plain(found.values)).to.deep.equal({ a: '1', b: '2' });
      expect(Buffer.concat(kept).equals(file[1])).to.equal(true);
    });

    it('pauses the client while the reader is not ready', async () => {
      let waiting = 0;
      reading.options = {
        onFile: async ({ stream }) => {
          await until(() => stream.readableLength > 0);
          await sleep(50); // a client that is not held back would send the rest
          waiting = stream.readableLength;
        },
      };
      await body(multipart, parts(file, named('a', '1')));
      expect(waiting).to.be.within(1, 300_000);
    });

    it('is read to its end when a reader stops early', async () => {
      reading.options = {
        onFile: async ({ stream }) => {
          for await (const _ of stream) break;
        },
      };
      expect(plain(await values(multipart, parts(file, named('a', '1'))))).to.deep.equal({ a: '1' });
    });

    it('is drained when a reader leaves the rest unread', async () => {
      reading.options = { onFile: async () => {} };
      expect((await body(multipart, parts(file, file))).files).to.have.length(2);
    });

    it('is refused with the same error that the reader threw', async () => {
      const error = new Error('forbidden');
      reading.options = { onFile: () => Promise.reject(error) };
      const { outcome } = await post(multipart, parts(file, named('a', '1')));
      expect(outcome).to.have.property('error', error);
    });

    it('fails for the reader when it is malformed, and waits for the reader', async () => {
      const seen: unknown[] = [];
      reading.options = {
        onFile: async ({ stream }) => {
          try {
            for await (const _ of stream);
          } catch (error) {
            await sleep(20);
            seen.push(error);
            throw error;
          }
        },
      };
      const cut = parts(file).subarray(0, 2_000_000);
      expect(await refusal(multipart, cut)).to.have.property('code', 'malformed');
      expect(seen).to.have.length(1);
    });

    it('passes nothing on after a refusal', async () => {
      let calls = 0;
      reading.options = {
        onFile: async () => {
          calls += 1;
        },
      };
      const texts = Array.from({ length: 61 }, () => named('a', '1'));
      expect(await refusal(multipart, parts(...texts, [file[0], 'x']))).to.have.property('code', 'malformed');
      expect(calls).to.equal(0);
    });

    it('limits the size of all files together', async () => {
      reading.options = { limitBytes: 1000, filesLimitBytes: 4_000_000 };
      expect((await body(multipart, parts(file))).files).to.have.length(1);
      expect(await refusal(multipart, parts(file, file))).to.have.property('code', 'too_large');
    });
  });
});
