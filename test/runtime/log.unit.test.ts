import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import pino from 'pino';
import { createLogger, createWarn, inBlocks } from '../../src/runtime/log.ts';
import { until } from '../harness/until.ts';

describe('Equal warnings', () => {
  it('are logged once a minute, with the number of those that were suppressed', () => {
    let now = 5_000;
    const written: unknown[][] = [];
    const warn = createWarn({ warn: (...line: unknown[]) => void written.push(line) }, () => now);
    const error = 'the database is away';
    for (let ms = 0; ms < 60_000; ms += 500) {
      now = 5_000 + ms;
      warn('job failed', { job: 'purge', error });
    }
    warn('job failed', { job: 'shred-files', error });
    warn('scheduler failed', { error });
    now = 65_000;
    warn('job failed', { job: 'purge', error });
    expect(written).to.eql([
      [{ job: 'purge', error }, 'job failed'],
      [{ job: 'shred-files', error }, 'job failed'],
      [{ error }, 'scheduler failed'],
      [{ job: 'purge', error, suppressed: 119 }, 'job failed'],
    ]);
  });
});

describe('A failed statement', () => {
  it('is logged by its code alone: its text and its values may be secrets', () => {
    const lines: string[] = [];
    const logger = createLogger('info', { write: (line) => void lines.push(line) });
    const parent = Object.assign(new Error('near tulip'), { code: 'ER_PARSE', sql: 'SELECT tulip' });
    logger.error({ error: Object.assign(new Error('near tulip'), { parent }) }, 'request failed');
    logger.error({ error: new Error('the store has failed', { cause: parent }) }, 'request failed');
    expect(lines.join(''))
      .to.include('ER_PARSE')
      .and.include('the store has failed')
      .and.not.include('near tulip');
  });
});

describe('The log', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'log-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  function open() {
    const dest = join(folder, 'log');
    const destination = pino.destination({ dest, sync: false });
    let writes = 0;
    destination.on('write', () => void writes++);
    const logger = createLogger('info', inBlocks(destination));
    const text = () => (existsSync(dest) ? readFileSync(dest, 'utf8') : '');
    return { logger, lines: () => text().split('\n').filter(Boolean), writes: () => writes };
  }

  it('is written soon after its last line, and not again until there is another', async () => {
    const { logger, lines, writes } = open();
    logger.info('tulip');
    await until(() => lines().length === 1);
    await sleep(600); // there would be two more writes of nothing
    expect(writes()).to.equal(1);
    logger.info('daffodil');
    await until(() => lines().length === 2);
    expect(lines()[1]).to.contain('daffodil');
  });

  it('is written in blocks, and whole, when many lines arrive at once', async () => {
    const { logger, lines, writes } = open();
    for (let line = 0; line < 1_000; line++) logger.info({ line }, 'Überraschung');
    await until(() => lines().length === 1_000);
    expect(lines().map((line) => JSON.parse(line).line)).to.deep.equal([...Array(1_000).keys()]);
    expect(writes()).to.be.below(50);
  });
});
