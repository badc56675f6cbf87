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
  owner: Owner | undefined;
  event: Event;
};

const viewCounts = [1, 1, 2, 3, 5, 10];
const fileCounts = [1, 2];
const readersPerView = 10;
/** A passphrase check takes long, so fewer readers try one. */
const passphraseReadersMax = 6;

export function planOf(random: Random, owners: readonly Owner[]): Plan {
  const owner = random.chance(0.5) ? random.pick(owners) : undefined;
  const viewsMax = random.pick(viewCounts);
  const passphrase = random.chance(0.15) ? 'open sesame' : undefined;
  const events: Event[] = ['delete', 'expire', 'nothing', 'nothing', owner ? 'extend' : 'nothing'];
  return {
    viewsMax,
    readers: passphrase === undefined ? readersPerView * viewsMax : passphraseReadersMax,
    passphrase,
    files: random.chance(0.15) ? random.pick(fileCounts) : 0,
    owner,
    event: random.pick(events),
  };
}
