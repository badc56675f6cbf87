import { createInterface } from 'node:readline';
import { CancelledError } from './cancelled.ts';

/** The streams of a question: those of the terminal, except in tests. */
type Terminal = { input: NodeJS.ReadableStream & { isTTY?: boolean }; output: NodeJS.WritableStream };

const ownTerminal: Terminal = { input: process.stdin, output: process.stderr };

/**
 * Asks on a terminal whether to do something that cannot be undone. Anywhere else it needs `--yes`. Throws unless agreed,
 * and a CancelledError after Ctrl-C or Ctrl-D.
 */
export async function requireConsent(
  consequence: string,
  { yes, declined = 'Nothing was changed.' }: { yes?: true; declined?: string },
  terminal: Terminal = ownTerminal,
): Promise<void> {
  if (yes) return;
  if (!terminal.input.isTTY) throw new Error(`${consequence} Add --yes to agree.`);
  const answer = await ask(`${consequence} Go on? [y/N] `, terminal);
  if (!/^y(es)?$/i.test(answer.trim())) throw new Error(declined);
}

function ask(question: string, { input, output }: Terminal): Promise<string> {
  const questions = createInterface({ input, output });
  return new Promise<string>((resolve, reject) => {
    questions.question(question, resolve);
    // After an answer, this comes too late to matter.
    questions.once('close', () => {
      reject(new CancelledError());
    });
  }).finally(() => questions.close());
}
