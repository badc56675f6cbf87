import type { Binds, JobStore } from './store.ts';

/** Whether a job of this name can run: its lease has ended after `lifetime`, or it is due before `horizon`, both in ms. */
type Question = { name: string; horizon: number; lifetime: number };

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
    const binds: Binds = {};
    const columns = questions.map(({ name, horizon, lifetime }, index) => {
      Object.assign(binds, {
        [`name${index}`]: name,
        [`horizon${index}`]: horizon,
        [`lifetime${index}`]: lifetime,
      });
      return `EXISTS (SELECT 1 FROM ${jobs} WHERE name = $name${index} AND disabled = FALSE
        AND (locked_at <= ${now} - $lifetime${index} OR (locked_at IS NULL AND next_run_at <= $horizon${index}))) AS job${index}`;
    });
    const [row] = await select<Record<string, number>>(`SELECT ${columns}`, binds);
    return questions.map((_, index) => Boolean(row?.[`job${index}`]));
  }

  return isRunnable;
}
