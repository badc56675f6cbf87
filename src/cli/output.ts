import { fitTable } from './client/tables.ts';

type Cell = string | number | boolean | null;
type Table = Record<string, Cell>[];

/** The options of a command that prints a result. */
export type OutputOptions = { json?: true };

/** Prints a result: the value as JSON with `--json`, else the text. */
export function print(json: boolean | undefined, value: unknown, text: string): void {
  console.log(json === true ? JSON.stringify(value) : text);
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
