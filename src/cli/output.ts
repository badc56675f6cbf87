import { type DomainError, toRefusal } from '../domain/index.ts';
import { en } from '../locales/en.ts';
import { refusalText } from '../locales/wording.ts';

type Table = Record<string, string | number | boolean | null>[];

/** Prints a result: the value as JSON with `--json`, else the text. */
export function print(json: boolean | undefined, value: unknown, text: string): void {
  console.log(json === true ? JSON.stringify(value) : text);
}

/** A table with aligned columns. */
export function formatTable(rows: Table, whenEmpty: string): string {
  const [first] = rows;
  if (first === undefined) return whenEmpty;
  const names = Object.keys(first);
  const cells = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '-')))];
  const widths = names.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  return cells
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** One line about an error, safe to show: a database error is named, never quoted. */
export function errorText(error: unknown): string {
  const refusal = toRefusal(error);
  if (refusal === undefined) return error instanceof Error ? error.message : 'Something went wrong.';
  const text = refusalText(en, refusal);
  return refusal.code === 'unavailable' && refusal.cause instanceof Error
    ? `${text} (${causeOf(refusal)})`
    : text;
}

function causeOf({ cause }: DomainError): string {
  const { name, message, code, parent } = cause as Error & { code?: string; parent?: { code?: string } };
  return parent?.code ?? code ?? (name === 'Error' ? message : name);
}

export function iso(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}
