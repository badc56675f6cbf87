import type { Experiment, Outcome } from '../experiment.ts';
import { graveKinds, type Mutant, readMutants } from './list.ts';
import { openTrial, type Verdict } from './trial.ts';

const rateMin = 0.95;

type Judged = { mutant: Mutant; verdict: Verdict };

/** Plants plausible mistakes in a copy of the repository, one at a time, and runs the tests that should notice each. */
export const mutants: Experiment = {
  claim:
    'tests notice 95 % of the mistakes in a list, and each that gives away, loses, or says what is not true',
  async run({ room, only, jobs }) {
    const ids = only?.split(',');
    const chosen = readMutants().filter(
      (mutant) => (room === undefined || mutant.room === room) && (ids?.includes(mutant.id) ?? true),
    );
    if (chosen.length === 0) throw new Error('No mutant has this name or is in this room.');
    return summarize(await judgeAll(chosen, jobs));
  },
};

async function judgeAll(chosen: Mutant[], jobs: number): Promise<Judged[]> {
  const judged: Judged[] = [];
  const waiting = [...chosen];
  const work = async () => {
    const trial = await openTrial();
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const verdict = await trial.judge(mutant);
      judged.push({ mutant, verdict });
      console.log(`${verdict.result.padEnd(10)}${mutant.room}/${mutant.id}  ${verdict.evidence}`);
    }
    await trial.close();
  };
  await Promise.all(Array.from({ length: Math.min(jobs, chosen.length) }, work));
  return judged;
}

function summarize(judged: Judged[]): Outcome {
  const rooms = [...new Set(judged.map(({ mutant }) => mutant.room))].sort();
  const figures = Object.fromEntries(
    rooms.map((room) => [room, describeRate(judged.filter(({ mutant }) => mutant.room === room))]),
  );
  const missed = judged.filter(({ verdict }) => verdict.result !== 'noticed');
  const grave = missed.filter(({ mutant }) => graveKinds.some((kind) => kind === mutant.kind));
  const failures = grave.map(describeMissed);
  const rate = 1 - missed.length / judged.length;
  if (rate < rateMin)
    failures.push(
      [
        `only ${describeRate(judged)} were noticed`,
        ...missed.filter((entry) => !grave.includes(entry)).map(describeMissed),
      ].join('\n  '),
    );
  return { figures: { ...figures, 'all rooms': describeRate(judged) }, failures };
}

function describeRate(entries: Judged[]): string {
  const noticed = entries.filter(({ verdict }) => verdict.result === 'noticed').length;
  return `${noticed} of ${entries.length} (${Math.round((noticed / entries.length) * 100)} %)`;
}

function describeMissed({ mutant, verdict }: Judged): string {
  return `${mutant.room}/${mutant.id} ${verdict.result} (${mutant.kind}: ${mutant.harm}) ${verdict.evidence}`.trim();
}
