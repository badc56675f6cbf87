import { fitTable } from './client/tables.ts';
import { visible } from './client/terminal.ts';

type Cell = string | number | boolean | null;
type Table = Record<string, Cell>[];

/** The options of a command that prints a result. */
export type OutputOptions = { json?: true };

/** Prints a result: the value as JSON with `--json`, in which nothing controls a terminal, else the text. */
export function print(json: boolean | undefined, value: unknown, text: string): void {
  console.log(json === true ? visible(JSON.stringify(value)) : text);
}

/** A table of all that the rows have. Some of it may have been named by anybody. */
export function formatTable(rows: Table, whenEmpty: string): string {
  const [first] = rows;
  if (first === undefined) return whenEmpty;
  return fitTable(
    Object.keys(first).map((name) => ({ title: name, cells: rows.map((row) => cellText(row[name])) })),
  );
}

function cellText(cell: Cell | undefined): string {
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  return String(cell ?? '-');
}

/** What a shell says of a program that SIGPIPE ended: 128 and the number of the signal. Node.js ignores the signal itself. */
const exitBrokenPipe = 141;

/** Ends the process when its output cannot be written: quietly when nobody reads it any more, as in `hushpush list | head -1`. */
export function endOnOutputError(print: (error: string) => void): void {
  onOutputError(({ code, message }) => {
    if (code === 'EPIPE') process.exit(exitBrokenPipe);
    print(`The output cannot be written: ${message}.`);
    process.exit(1);
  });
}

/** Lets a service go on when nobody reads its log any more. */
export function ignoreOutputErrors(): void {
  onOutputError(() => {});
}

function onOutputError(listener: (error: NodeJS.ErrnoException) => void): void {
  for (const stream of [process.stdout, process.stderr])
    stream.removeAllListeners('error').on('error', listener);
}
