import type { CheckResult } from './findings/checkResult.ts';
import { databaseFindings } from './findings/database.ts';
import { serviceFindings } from './findings/service.ts';
import { settingsFindings } from './findings/settings.ts';
import { workFindings } from './findings/work.ts';

const findings = { ...settingsFindings, ...databaseFindings, ...workFindings, ...serviceFindings };

type FindingCode = keyof typeof findings;

/** The result of a check, with advice unless it is `ok`. */
export type Finding = CheckResult & { code: FindingCode };

/** The result of a check, by its code in the tables. */
export function report<Code extends FindingCode>(
  code: Code,
  ...values: Parameters<(typeof findings)[Code]>
): Finding {
  const resultOf = findings[code] as (...values: unknown[]) => CheckResult;
  return { code, ...resultOf(...values) };
}
