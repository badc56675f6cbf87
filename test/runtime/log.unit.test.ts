import { expect } from 'chai';
import { createWarn } from '../../src/runtime/log.ts';

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
