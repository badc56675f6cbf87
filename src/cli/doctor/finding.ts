import { databaseFindings } from './findings/database.ts';
import { serviceFindings } from './findings/service.ts';
import { settingsFindings } from './findings/settings.ts';
import type { Words } from './findings/words.ts';
import { workFindings } from './findings/work.ts';

const findings = { ...settingsFindings, ...databaseFindings, ...workFindings, ...serviceFindings };

type FindingCode = keyof typeof findings;

/** The result of a check, with advice unless it is `ok`. */
export type Finding = Words & { code: FindingCode };

/** What a check found, in the words of the tables. */
export function report<Code extends FindingCode>(
  code: Code,
  ...values: Parameters<(typeof findings)[Code]>
): Finding {
  const word = findings[code] as (...values: unknown[]) => Words;
  return { code, ...word(...values) };
}
