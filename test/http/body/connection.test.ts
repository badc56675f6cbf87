import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { getDefaultHighWaterMark } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { until } from '../../harness/until.ts';
import { multipart, named, onNextRequest, plain, port, reading, useBodyServer } from './server.ts';

describe('A request body', () => {
  useBodyServer();

  describe('over a raw connection', () => {
    const start = (headers: string) => `POST / HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`;
    const twentyMegabytes = 20_000_000;

    async function open(): Promise<Socket> {
      const socket = connect(port(), '127.0.0.1');
      await once(socket, 'connect');
      return socket;
    }

    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=B']) {
      it(`gets a response, as does the next request, when the client sends 20 MB of ${type} before it reads`, async () => {
        reading.options = { filesLimitBytes: 0 };
        const socket = await open();
        socket.pause();
        socket.write(start(`Content-Type: ${type}\r\nContent-Length: ${twentyMegabytes}`));
        await new Promise((resolve) => socket.write(Buffer.alloc(twentyMegabytes, 'x'), resolve));
        socket.write(`${start('Content-Length: 3\r\nConnection: close')}a=1`);
        const answer = await readText(socket);
        expect(answer.match(/HTTP\/1\.1 \d+/g)).to.deep.equal([
          type === 'text/plain' ? 'HTTP/1.1 415' : 'HTTP/1.1 413',
          'HTTP/1.1 200',
        ]);
      });
    }

    it('gets a response, as does the next request, when the client sends 20 MB without a Content-Length', async () => {
      const socket = await open();
      socket.pause();
      socket.write(start('Content-Type: application/json\r\nTransfer-Encoding: chunked'));
      const chunk = `${(twentyMegabytes / 20).toString(16)}\r\n${'x'.repeat(twentyMegabytes / 20)}\r\n`;
      await new Promise((resolve) => socket.write(`${chunk.repeat(20)}0\r\n\r\n`, resolve));
      socket.write(`${start('Content-Length: 3\r\nConnection: close')}a=1`);
      const answer = await readText(socket);
      expect(answer.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 413', 'HTTP/1.1 200']);
    });

    it('is refused by its Content-Length, before it arrives', async () => {
      const socket = await open();
      socket.write(start(`Content-Type: application/json\r\nContent-Length: ${twentyMegabytes}`));
      const [answer]: Buffer[] = await once(socket, 'data');
      socket.destroy();
      expect(String(answer)).to.match(/^HTTP\/1\.1 413/);
    });

    it('is cut off when it was refused and does not end', async () => {
      reading.options = { lingerMs: 50, timeoutMs: 50 };
      const socket = await open();
      socket.on('error', () => {});
      socket.write(start('Content-Type: text/plain\r\nContent-Length: 1000'));
      const trickle = setInterval(() => socket.write('x'), 10);
      await new Promise((resolve) => socket.resume().once('close', resolve));
      clearInterval(trickle);
      expect(reading.outcomes).to.have.nested.property('0.error.code', 'unsupported_media_type');
    });

    for (const type of ['application/json', 'multipart/form-data; boundary=B']) {
      it(`times out while ${type} is incomplete`, async () => {
        reading.options = { timeoutMs: 60 };
        const socket = await open();
        socket.write(start(`Content-Type: ${type}\r\nContent-Length: 1000`));
        const trickle = setInterval(() => socket.write('{'), 10);
        const [answer]: Buffer[] = await once(socket, 'data');
        clearInterval(trickle);
        socket.destroy();
        expect(String(answer)).to.match(/^HTTP\/1\.1 408/);
        expect(reading.outcomes).to.have.nested.property('0.error.code', 'timeout');
      });

      it(`is abandoned when the client of ${type} disconnects`, async () => {
        for (const leave of ['end', 'resetAndDestroy'] as const) {
          reading.outcomes = [];
          const socket = await open();
          socket.write(start(`Content-Type: ${type}\r\nContent-Length: 1000`));
          socket.write('--B\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\nx', () =>
            socket[leave](),
          );
          await until(() => reading.outcomes.length > 0);
          expect(reading.outcomes).to.have.nested.property('0.error.code', 'aborted');
        }
      });
    }

    it('fails for the reader of a file when the client disconnects', async () => {
      let failure: unknown;
      reading.options = {
        onFile: async ({ stream }) => {
          for await (const _ of stream);
        },
      };
      const { onFile } = reading.options;
      reading.options.onFile = (part) =>
        Promise.resolve(onFile?.(part)).catch((error: unknown) => {
          failure = error;
        });
      const socket = await open();
      socket.write(start('Content-Type: multipart/form-data; boundary=B\r\nContent-Length: 100000'));
      socket.write('--B\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\nx', () =>
        socket.destroy(),
      );
      await until(() => reading.outcomes.length > 0);
      expect(failure).to.have.property('code', 'aborted');
    });

    it('does not block when much arrives at once after a slow reader of a file', async () => {
      reading.options = { onFile: () => sleep(20) };
      const buffer = getDefaultHighWaterMark(false);
      const file = `Content-Disposition: form-data; name="f"; filename="f"\r\n\r\n${'x'.repeat(buffer)}`;
      const content = `${'x'.repeat(buffer - 4)}\r\n--`;
      const first = `${named('a', '')[0]}\r\n\r\n${content}`;
      const last = `${named('b', '')[0]}\r\n\r\n1\r\n--B--`;
      const pieces = [`--B\r\n${file}`, `\r\n--B\r\n${first}`, '\r\n--B\r\n', last, ''];
      const chunks = pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('');
      const socket = await open();
      socket.write(
        `${start(`Content-Type: ${multipart['content-type']}\r\nTransfer-Encoding: chunked`)}${chunks}`,
      );
      await once(socket, 'data');
      socket.destroy();
      expect(plain(reading.outcomes))
        .to.have.nested.property('0.body.values')
        .deep.equal({ a: content, b: '1' });
    });

    it('is abandoned when the service itself drops the request', async () => {
      onNextRequest((req) => setImmediate(() => req.destroy()));
      const socket = await open();
      socket.write(start('Content-Type: application/json\r\nContent-Length: 1000'));
      await once(socket.resume(), 'close');
      await until(() => reading.outcomes.length > 0);
      expect(reading.outcomes).to.have.nested.property('0.error.code', 'aborted');
    });

    it('is refused when its chunked encoding is broken', async () => {
      const socket = await open();
      socket.write(
        `${start('Content-Type: application/json\r\nTransfer-Encoding: chunked')}2\r\n{}\r\nnonsense\r\n`,
      );
      await readText(socket);
      expect(reading.outcomes).to.have.nested.property('0.error.code', 'aborted');
    });
  });
});
