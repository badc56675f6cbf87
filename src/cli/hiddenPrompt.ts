import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** What is asked, and where: on a terminal. Tests pass their own. */
type Terminal = { input: NodeJS.ReadableStream & { isTTY?: boolean }; output: NodeJS.WritableStream };

const ownTerminal: Terminal = { input: process.stdin, output: process.stderr };

/**
 * Reads a password: at a terminal twice, without showing it, or else the whole of standard input if `stdin` is set. One
 * line break at the end of standard input is dropped.
 */
export async function readPassword(
  { stdin = false }: { stdin?: boolean | undefined },
  { input, output }: Terminal = ownTerminal,
): Promise<string> {
  if (!input.isTTY) {
    if (!stdin)
      throw new Error(
        'There is no terminal to ask for the password. Add --stdin to read it from standard input.',
      );
    return (await text(input)).replace(/\r?\n$/, '');
  }
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const questions = createInterface({ input, output: silent, terminal: true });
  const lines = questions[Symbol.asyncIterator]();
  questions.on('SIGINT', () => questions.close());
  async function ask(question: string): Promise<string> {
    output.write(question);
    const line = await lines.next();
    output.write('\n');
    if (line.done) throw new Error('Nothing was changed.');
    return line.value;
  }
  try {
    const password = await ask('New password: ');
    if ((await ask('Again: ')) !== password)
      throw new Error('The two are not the same. Nothing was changed.');
    return password;
  } finally {
    questions.close();
  }
}
