import { violationOf } from './invariants.ts';
import { at } from './push.ts';
import { asBuilt, type Rules } from './rules.ts';
import { scenarios } from './scenarios.ts';
import { successors } from './successors.ts';
import { wrongVariants } from './variants.ts';
import { begin, type Scenario, type World } from './world.ts';

/** What a search found: how many worlds there are, and what is wrong in the first bad one, with the way there. */
type Found = { worlds: number; violation?: string; trace?: string[] };

type Visit = { from: string | null; sentence: string };

/**
 * Visits every world that a scenario can lead to, the nearest first, until one breaks an invariant. So the trace is a
 * shortest one. Throws if there are more worlds than `worldsMax`: a search that stops early proves nothing.
 */
export function search(scenario: Scenario, rules: Rules, worldsMax = 400_000): Found {
  const first = canonical(begin(scenario));
  const visits = new Map<string, Visit>([[first, { from: null, sentence: '' }]]);
  // a Map iterates over what is added meanwhile, too
  for (const key of visits.keys()) {
    const world = JSON.parse(key) as World;
    const next = successors(scenario, rules, world);
    const violation = violationOf(scenario, world, next.length === 0);
    if (violation !== undefined)
      return { worlds: visits.size, violation, trace: [...traceTo(key, visits), `Now ${violation}.`] };
    for (const successor of next) {
      const found = canonical(successor.world);
      if (!visits.has(found)) visits.set(found, { from: key, sentence: successor.sentence });
    }
    if (visits.size > worldsMax) throw new Error(`${scenario.name}: more than ${worldsMax} worlds`);
  }
  return { worlds: visits.size };
}

/** The same text for worlds that differ only in the order in which things are listed. */
function canonical(world: World): string {
  world.transactions.sort((a, b) => at(a.requests, 0) - at(b.requests, 0));
  world.views.sort((a, b) => a.request - b.request);
  world.nonces.sort((a, b) => a.nonce.localeCompare(b.nonce) || a.view - b.view);
  return JSON.stringify(world);
}

/** Searches the world of a wrong variant for what is wrong with it. */
export function searchVariant(name: string): Found {
  const variant = wrongVariants[name];
  const scenario = scenarios.find((one) => one.name === variant?.world);
  if (variant === undefined || scenario === undefined)
    throw new Error(`there is no variant or world of ${name}`);
  return search(scenario, { ...asBuilt, ...variant.change });
}

function traceTo(key: string, visits: ReadonlyMap<string, Visit>): string[] {
  const trace: string[] = [];
  for (let visit = visits.get(key); visit?.from != null; visit = visits.get(visit.from))
    trace.unshift(visit.sentence.charAt(0).toUpperCase() + visit.sentence.slice(1));
  return trace;
}
