/** What a check found, and for anything but `ok` what to do about it. */
export type Words = { check: string; state: 'ok' | 'warning' | 'failure'; finding: string; advice?: string };

export function ok(check: string, finding: string): Words {
  return { check, state: 'ok', finding };
}

export function warning(check: string, finding: string, advice: string): Words {
  return { check, state: 'warning', finding, advice };
}

export function failure(check: string, finding: string, advice: string): Words {
  return { check, state: 'failure', finding, advice };
}
