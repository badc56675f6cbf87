import { Writable } from 'node:stream';
import { expect } from 'chai';
import { createLogger, terminalText } from '../../src/runtime/log.ts';

describe('The log', () => {
  function logged(work: (logger: ReturnType<typeof createLogger>) => void): string {
    const lines: string[] = [];
    const write = (chunk: Buffer, _encoding: string, done: () => void) => {
      lines.push(String(chunk));
      done();
    };
    work(createLogger('info', new Writable({ write })));
    return lines.join('');
  }

  it('names levels, and gives times as dates', () => {
    const entry = JSON.parse(logged((logger) => logger.warn({ code: 'limitsOff' }, 'RATE_LIMITS are off')));
    expect(entry).to.include({ level: 'warn', code: 'limitsOff', msg: 'RATE_LIMITS are off' });
    expect(new Date(entry.time).toISOString()).to.equal(entry.time);
  });

  it('is text on a terminal: time, level and message first', () => {
    const line = logged((logger) => logger.info({ url: 'http://localhost:5100', chats: [] }, 'listening'));
    expect(terminalText(line)).to.match(
      /^\d\d:\d\d:\d\d info {2}listening url="http:\/\/localhost:5100" chats=\[\]\n$/,
    );
  });
});
