import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Job, JobResult } from './generator.ts';

type Answer = { result: JobResult } | { error: string };

export type LoadGenerator = ReturnType<typeof startLoadGenerator>;

/** Starts a load generator, in a process of its own so that its cost is apart from everything measured. */
export function startLoadGenerator() {
  const child = fork(join(import.meta.dirname, 'generator.ts'), { execArgv: ['--import', 'tsx'] });
  let settle: (answer: Answer) => void = () => {};
  child.on('message', (answer) => settle(answer as Answer));
  child.on('exit', () => settle({ error: 'the load generator exited' }));

  /** One job at a time. */
  async function run(job: Job): Promise<JobResult> {
    const answer = await new Promise<Answer>((resolve) => {
      settle = resolve;
      child.send(job);
    });
    if ('error' in answer) throw new Error(answer.error);
    return answer.result;
  }

  return { run, stop: () => child.disconnect() };
}
