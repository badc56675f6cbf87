import type { PushRow } from './push.ts';

/** Converts booleans, which the databases give as 0 and 1. */
export function withBooleans<Row extends PushRow>(row: Row): Row {
  return {
    ...row,
    deletableByViewer: Boolean(row.deletableByViewer),
    retrievalStep: Boolean(row.retrievalStep),
    deleted: Boolean(row.deleted),
  };
}
