import type { Service } from '../../service.ts';
import { isoTime } from '../../time.ts';
import { type Finding, report } from './finding.ts';

const shownMax = 5;

/** Whether a viewer has met a live push that cannot be decrypted. */
export async function checkPushes({ domain }: Service): Promise<Finding> {
  const damaged = await domain.pushes.listDamaged();
  const [first] = damaged;
  if (first === undefined) return report('pushesIntact');
  const ids = damaged.slice(0, shownMax).map(({ id }) => id);
  return report('pushesDamaged', {
    count: damaged.length,
    since: isoTime(first.foundAt),
    ids,
  });
}
