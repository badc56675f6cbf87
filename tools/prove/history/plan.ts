import type { Random } from './random.ts';
import type { Owner } from './receivers.ts';

/** What happens to a push besides its readers. */
export type Event = 'delete' | 'expire' | 'extend' | 'nothing';

/** What a push is like, and who comes to it. */
export type Plan = {
  viewsMax: number;
  readers: number;
  passphrase: string | undefined;
  files: number;
  /** Whether all of its readers open its page: those of the API would be sooner. */
  byPage: boolean;
  /** What its payload has behind its number. */
  padding: string;
  owner: Owner | undefined;
  event: Event;
};

const viewCounts = [1, 1, 2, 3, 5, 10];
const fileCounts = [1, 2];
const readersPerView = 10;
/** A passphrase check takes long, so fewer readers try one. */
const passphraseReadersMax = 6;

/** Six bytes a character in JSON. Two copies of it as JSON are larger than a packet. */
const large = '\u0001'.repeat(400_000);

/** When a client hangs up, in milliseconds; most never do. Some do while they connect, others while they wait. */
export function hangUpOf(random: Random): number | undefined {
  if (!random.chance(0.15)) return undefined;
  return random.integer(0, random.pick([3, 30, 300, 1_500]));
}

export function planOf(random: Random, owners: readonly Owner[]): Plan {
  const owner = random.chance(0.5) ? random.pick(owners) : undefined;
  const viewsMax = random.pick(viewCounts);
  const passphrase = random.chance(0.15) ? 'open sesame' : undefined;
  const files = random.chance(0.15) ? random.pick(fileCounts) : 0;
  const events: Event[] = ['delete', 'expire', 'nothing', 'nothing', owner ? 'extend' : 'nothing'];
  return {
    viewsMax,
    readers: passphrase === undefined ? readersPerView * viewsMax : passphraseReadersMax,
    passphrase,
    files,
    byPage: files === 0 && passphrase === undefined && random.chance(0.3),
    padding: random.chance(0.1) ? large : '',
    owner,
    event: random.pick(events),
  };
}
