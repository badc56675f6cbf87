/** What a check found, and for anything but `ok` what to do about it. */
export type CheckResult = {
  check: string;
  state: 'ok' | 'warning' | 'failure';
  finding: string;
  advice?: string;
};

export function ok(check: string, finding: string): CheckResult {
  return { check, state: 'ok', finding };
}

export function warning(check: string, finding: string, advice: string): CheckResult {
  return { check, state: 'warning', finding, advice };
}

export function failure(check: string, finding: string, advice: string): CheckResult {
  return { check, state: 'failure', finding, advice };
}
