import type { StatementBinds } from '../../database/runner.ts';
import type { JobStore } from './store.ts';

/** Whether a job of this name can run: its lease has ended after `lifetime`, or it is due before `horizon`, both in ms. */
type Question = { name: string; horizon: number; lifetime: number };

/**
 * The condition that a job's lease has ended, after a lifetime in ms. One from the future was taken before the database's
 * clock was set back: that of an embedded database is this machine's.
 */
export const isAbandoned = (now: string, lifetime: string) =>
  `(locked_at <= ${now} - ${lifetime} OR locked_at > ${now} + ${lifetime})`;

/** The condition that a job is free, and due before a horizon. */
export const isDue = (horizon: string) => `locked_at IS NULL AND next_run_at <= ${horizon}`;

/**
 * Agenda looks for the next job of every name at the same moment, again and again. One statement answers all questions
 * of a moment, without any lock.
 */
export function createScan({ now, select }: Pick<JobStore, 'now' | 'select'>, jobs: string) {
  let asked: { questions: Question[]; answers: Promise<boolean[]> } | undefined;

  async function isRunnable(question: Question): Promise<boolean> {
    asked ??= collect();
    const { questions, answers } = asked;
    const index = questions.push(question) - 1;
    return (await answers)[index] === true;
  }

  function collect() {
    const questions: Question[] = [];
    const answers = Promise.resolve().then(() => {
      asked = undefined;
      return answer(questions);
    });
    return { questions, answers };
  }

  async function answer(questions: Question[]): Promise<boolean[]> {
    const binds: StatementBinds = {};
    const columns = questions.map(({ name, horizon, lifetime }, index) => {
      Object.assign(binds, {
        [`name${index}`]: name,
        [`horizon${index}`]: horizon,
        [`lifetime${index}`]: lifetime,
      });
      return `EXISTS (SELECT 1 FROM ${jobs} WHERE name = $name${index} AND disabled = FALSE
        AND (${isAbandoned(now, `$lifetime${index}`)} OR (${isDue(`$horizon${index}`)}))) AS job${index}`;
    });
    const [row] = await select<Record<string, number>>(`SELECT ${columns}`, binds);
    return questions.map((_, index) => Boolean(row?.[`job${index}`]));
  }

  return isRunnable;
}
