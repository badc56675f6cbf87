import { createInterface } from 'node:readline/promises';

/** What is asked, and where: on a terminal. Tests pass their own. */
type Terminal = { input: NodeJS.ReadableStream & { isTTY?: boolean }; output: NodeJS.WritableStream };

const ownTerminal: Terminal = { input: process.stdin, output: process.stderr };

/** Asks on a terminal whether to do something that cannot be undone. Anywhere else it needs `--yes`. Throws unless agreed. */
export async function requireConsent(
  consequence: string,
  { yes }: { yes?: true },
  { input, output }: Terminal = ownTerminal,
): Promise<void> {
  if (yes) return;
  if (!input.isTTY) throw new Error(`${consequence} Add --yes to agree.`);
  const questions = createInterface({ input, output });
  try {
    const response = await questions.question(`${consequence} Go on? [y/N] `);
    if (!/^y(es)?$/i.test(response.trim())) throw new Error('Nothing was changed.');
  } finally {
    questions.close();
  }
}
