import type { Experiment } from './experiment.ts';
import { history } from './history/history.ts';
import { mutants } from './history/mutants.ts';

/** Enough for most of the defects, which need no fault. */
const anyFault = 'kill-web';
/** SQLite locks the whole database for each transaction, so a claim without its lock does no harm there, and never freezes. */
const harmlessOnSqlite = ['no-lock', 'gone-clients'];

/** Runs the history on copies of the program with a defect each. */
export const sensitivity: Experiment = {
  claim: 'the history finds every defect that is planted in a copy of the program',
  async run(options) {
    const names = Object.keys(mutants).filter(
      (name) => options.database !== 'sqlite' || !harmlessOnSqlite.includes(name),
    );
    const figures: Record<string, string> = {};
    const failures: string[] = [];
    for (const mutant of names) {
      const only = mutants[mutant]?.fault ?? anyFault;
      const { failures: found } = await history.run({ ...options, only, mutant });
      const symptoms = found.filter((failure) => failure.includes(mutants[mutant]?.symptom ?? ''));
      figures[mutant] = `${symptoms.length} failures, such as: ${symptoms[0]?.split('\n')[0] ?? 'none'}`;
      if (symptoms.length === 0) failures.push(`the mutant ${mutant} was not found`);
    }
    return { figures, failures };
  },
};
