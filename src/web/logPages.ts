import type { AuditEntry } from '../domain/index.ts';

/** A log of 2,000 rows has fewer pages. */
export const lastLogPage = 100;
const logPageSize = 50;

/** Whether a log has a page after this one. Only behind a full page can there be one, so only then is it read. */
export async function hasNextLogPage(
  log: AuditEntry[],
  readNext: () => Promise<AuditEntry[]>,
): Promise<boolean> {
  return log.length === logPageSize && (await readNext()).length > 0;
}
