import { expect } from 'chai';
import { createWarn } from '../../src/runtime/log.ts';

describe('warnings', () => {
  it('that come many times a second are written once a minute, with how many were left out', () => {
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
