import { on } from 'node:events';
import { emitKeypressEvents, type Key } from 'node:readline';
import { text } from 'node:stream/consumers';
import { CancelledError } from './cancelled.ts';

/** The streams of a question: those of the terminal, except in tests. */
type Terminal = {
  input: NodeJS.ReadableStream & { isTTY?: boolean; setRawMode?: (isRaw: boolean) => void };
  output: NodeJS.WritableStream;
};

const ownTerminal: Terminal = { input: process.stdin, output: process.stderr };

/** Terminals mark a text that is pasted, while they are asked to (bracketed paste). */
const pasteMarks = { on: '\u001b[?2004h', off: '\u001b[?2004l' };

/**
 * Reads a password: at a terminal twice, without showing it, or else the whole of standard input if `stdin` is set. One
 * line break at the end of standard input is dropped.
 */
export async function readPassword(
  { stdin = false }: { stdin?: boolean | undefined },
  terminal: Terminal = ownTerminal,
): Promise<string> {
  if (terminal.input.isTTY) return askHiddenTwice('New password: ', 'Nothing was changed.', terminal);
  if (!stdin)
    throw new Error(
      'There is no terminal to ask for the password. Add --stdin to read it from standard input.',
    );
  return (await text(terminal.input)).replace(/\r?\n$/, '');
}

/** Asks at the terminal for the same text twice. `consequence` says what a difference means. */
export async function askHiddenTwice(
  question: string,
  consequence: string,
  terminal: Terminal = ownTerminal,
): Promise<string> {
  const [first = '', second] = await askHidden([question, 'Again: '], terminal);
  if (first !== second) throw new Error(`The two do not match. ${consequence}`);
  return first;
}

/**
 * Asks at the terminal, without showing what is entered. Enter ends an answer, but not within a pasted text: its other
 * lines would get to the shell, as commands. Throws a CancelledError after Ctrl-C.
 */
export async function askHidden(
  questions: string[],
  { input, output }: Terminal = ownTerminal,
): Promise<string[]> {
  const answers: string[] = [];
  emitKeypressEvents(input);
  const keys = on(input, 'keypress', { close: ['end'] });
  input.setRawMode?.(true);
  input.resume();
  output.write(pasteMarks.on);
  try {
    for (const question of questions) {
      output.write(question);
      answers.push(await readAnswer(keys).finally(() => output.write('\n')));
    }
    return answers;
  } finally {
    output.write(pasteMarks.off);
    await keys.return?.();
    input.setRawMode?.(false);
    input.pause();
  }
}

/** What is entered up to Enter. Terminals send the line breaks of a pasted text as carriage returns. */
async function readAnswer(keys: AsyncIterator<unknown[]>): Promise<string> {
  let answer = '';
  let isPasting = false;
  for (;;) {
    const { done, value } = await keys.next();
    if (done) throw new CancelledError();
    const key = value[1] as Key;
    if (key.name === 'paste-start' || key.name === 'paste-end') isPasting = key.name === 'paste-start';
    else if (isPasting) answer += key.sequence;
    else if (endsAnswer(key)) return answer.replace(/\r\n?/g, '\n');
    else answer = edit(answer, key);
  }
}

const endsAnswer = ({ name, ctrl }: Key) => name === 'return' || name === 'enter' || (ctrl && name === 'd');

/** What a key makes of a line. Keys that move a cursor do nothing. */
function edit(line: string, { name, ctrl, meta, sequence = '' }: Key): string {
  if (ctrl && name === 'c') throw new CancelledError();
  if (ctrl && name === 'u') return '';
  if (name === 'backspace') return [...line].slice(0, -1).join('');
  return ctrl || meta || sequence.startsWith('\u001b') ? line : line + sequence;
}
