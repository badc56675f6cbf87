import { expect } from 'chai';
import { comparableText } from '../src/text.ts';

describe('A comparable text', () => {
  it('is the same for every way to write a letter', () => {
    expect(comparableText('Zu\u0308rich', 100)).to.equal('Z\u00fcrich');
    expect(comparableText('\u1112\u1161\u11ab', 100)).to.equal('\ud55c');
  });

  it('is undefined if the text has too many bytes', () => {
    expect(comparableText('üü', 4)).to.equal('üü');
    expect(comparableText('üü', 3)).to.equal(undefined);
  });

  it('is the same for each order of up to thirty marks on a letter', () => {
    const [above, below] = ['\u0301'.repeat(15), '\u0316'.repeat(15)];
    expect(comparableText(`a${above}${below}`, 100)).to.equal(comparableText(`a${below}${above}`, 100));
  });

  // A second is far above the 20 ms that this takes, and far below the minute that it took without cutting the runs.
  it('takes no longer with 100,000 marks on a letter', () => {
    const marks = 'a\u0345\u0301\u0316'.padEnd(100_000, '\u0345\u0301\u0316');
    const before = process.cpuUsage();
    comparableText(marks, 1_000_000);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).to.be.below(1_000);
  });
});
