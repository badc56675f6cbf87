import type { Measurement } from './measure.ts';

/** The rounds of each server, step and number of connections. */
export function roundsOf(measurements: Measurement[]): Measurement[][] {
  const groups = new Map<string, Measurement[]>();
  for (const measurement of measurements) {
    const { connections, step, server } = measurement;
    const key = [connections, step, server].join(' ');
    groups.set(key, [...(groups.get(key) ?? []), measurement]);
  }
  return [...groups.values()];
}

/** One row for each server, step and number of connections: the medians of the rounds. */
const summarize = (measurements: Measurement[]): Measurement[] => roundsOf(measurements).map(medianOf);

function medianOf(group: Measurement[]): Measurement {
  const [first] = group;
  if (first === undefined) throw new Error('a group has no measurement');
  const numbers = Object.keys(first).filter(
    (key) => key !== 'server' && key !== 'step',
  ) as (keyof Measurement)[];
  return {
    ...first,
    ...Object.fromEntries(numbers.map((key) => [key, median(group.map((each) => Number(each[key])))])),
  };
}

/** The middle of some numbers, the higher of two; 0 if there are none. */
export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** The middle of some numbers, and the lowest and highest of them. */
export function spreadOf(values: number[]): string {
  const [low, middle, high] = [Math.min(...values), median(values), Math.max(...values)].map(Math.round);
  return low === high ? String(middle) : `${middle} (${low}–${high})`;
}

/** A Markdown table, aligned so that it also reads well in a terminal. */
export function markdownTable(rows: Record<string, string | number>[]): string {
  const titles = Object.keys(rows[0] ?? {});
  const cells = [
    titles,
    titles.map(() => '---'),
    ...rows.map((row) => titles.map((title) => String(row[title]))),
  ];
  const widths = titles.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`)
    .join('\n');
}

/** The table of a run. `yardstick` is the server whose throughput is 1. */
export function throughputTable(measurements: Measurement[], yardstick?: string): string {
  const rows = summarize(measurements);
  const reference = ({ connections, step }: Measurement) =>
    rows.find((row) => row.server === yardstick && row.connections === connections && row.step === step);
  return markdownTable(
    rows.map((row) => {
      const compared = reference(row);
      return {
        connections: row.connections,
        step: row.step,
        server: row.server,
        'per second': Math.round(row.perSecond),
        ...(yardstick !== undefined && {
          [`of ${yardstick}`]: compared ? (row.perSecond / compared.perSecond).toFixed(2) : '',
        }),
        'p50 ms': row.p50.toFixed(2),
        'p99 ms': row.p99.toFixed(2),
        'CPU µs': Math.round(row.serverMicros),
        'database CPU µs': Math.round(row.databaseMicros),
        MiB: row.mebibytes,
      };
    }),
  );
}
