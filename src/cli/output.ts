type Cell = string | number | boolean | null;
type Table = Record<string, Cell>[];

/** Prints a result: the value as JSON with `--json`, else the text. */
export function print(json: boolean | undefined, value: unknown, text: string): void {
  console.log(json === true ? JSON.stringify(value) : text);
}

/** A table with aligned columns. */
export function formatTable(rows: Table, whenEmpty: string): string {
  const [first] = rows;
  if (first === undefined) return whenEmpty;
  const names = Object.keys(first);
  const cells = [names, ...rows.map((row) => names.map((name) => cellText(row[name])))];
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

function cellText(cell: Cell | undefined): string {
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  return String(cell ?? '-');
}

export function iso(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}
