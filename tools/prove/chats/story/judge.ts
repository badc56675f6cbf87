import type { Appearance } from '../../../standins/shared/timeline.ts';

/** Bursts make few lines: the first, one for what followed, and one more where hushpush was killed in between. */
const linesMax = 3;
const bursts = [/^\W*Door code\W* was opened .*\bon\b/, /^\W*Root\W* was not opened/];

/** Of these lines the first kind comes before the second. */
const orders: [RegExp, RegExp][] = [
  [/^\W*VPN\W* was opened by/, /^\W*VPN\W* expired on/],
  [/^\W*Root\W* was not opened/, /^\W*Root\W* was locked/],
];

const openedOf = /^\W*Door code\W* was opened (\d+) of 25 times/;

/** What is wrong with what the sender of the story reads, a sentence each. */
export function judge(timeline: Appearance[]): string[] {
  const read = timeline.filter(({ readers }) => readers.includes('alice'));
  const posted = read.filter(({ how }) => how === 'posted').map(({ text }) => text);
  return [...nagging(posted), ...misordered(posted), ...countedBackwards(read.map(({ text }) => text))];
}

const nagging = (posted: string[]): string[] =>
  bursts.flatMap((line) => {
    const count = posted.filter((text) => line.test(text)).length;
    return count >= 1 && count <= linesMax ? [] : [`${count} lines say ${line}, not 1 to ${linesMax}`];
  });

const misordered = (posted: string[]): string[] =>
  orders.flatMap(([before, after]) => {
    const last = posted.findLastIndex((text) => before.test(text));
    const first = posted.findIndex((text) => after.test(text));
    return last >= 0 && last < first ? [] : [`${after} does not follow ${before}`];
  });

function countedBackwards(texts: string[]): string[] {
  const counts = texts.flatMap((text) => openedOf.exec(text)?.[1] ?? []).map(Number);
  return counts.some((count, at) => count < (counts[at - 1] ?? 0))
    ? [`the views were counted as ${counts.join(', ')}`]
    : [];
}
