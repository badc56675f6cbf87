import { expect } from 'chai';
import type { Appearance } from '../../../standins/shared/timeline.ts';
import { judge } from './judge.ts';

const read = (text: string, how: Appearance['how'] = 'posted'): Appearance => ({
  ...{ how, readers: ['alice'], channel: 'direct message', isReply: false, text, buttons: [], banner: text },
});

const opened = (count: number) =>
  read(`*Door code* was opened ${count} of 25 times: http://127.0.0.1/p/1`, 'edited');
const line = read('*Door code* was opened 9 times, the last time on 22 Nov. It opens 16 more times.');
const failed = read('*Root* was not opened: somebody entered 20 wrong passphrases, the last one on 22 Nov.');
const locked = read('*Root* was locked for a while on 22 Nov, after too many wrong passphrases.');
const seen = read('*VPN* was opened by @bob on 22 Nov. It opens once more.');
const expired = read('*VPN* expired on 22 Nov. It had been opened once.');
const story = [seen, opened(1), line, opened(20), failed, locked, expired];

describe('The judge of the story in chats', () => {
  it('accepts a story in order', () => {
    expect(judge(story)).to.eql([]);
  });

  it('finds a line for each of many views, and one that is missing', () => {
    expect(judge([...story, line, line, line])).to.have.length(1);
    expect(judge(story.filter((each) => each !== failed))).to.have.length(2);
  });

  it('finds an end before what led to it', () => {
    expect(judge([expired, ...story.slice(0, -1)])).to.have.length(1);
    expect(judge([...story, failed])).to.have.length(1);
  });

  it('finds views that are counted backwards', () => {
    expect(judge([...story, opened(19)])).to.have.length(1);
  });
});
