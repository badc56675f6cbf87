/** The result of a check, with advice unless it is `ok`. */
export type Finding = {
  check: string;
  state: 'ok' | 'warning' | 'failure';
  finding: string;
  advice?: string;
};

export function ok(check: string, finding: string): Finding {
  return { check, state: 'ok', finding };
}

export function warning(check: string, finding: string, advice: string): Finding {
  return { check, state: 'warning', finding, advice };
}

export function failure(check: string, finding: string, advice: string): Finding {
  return { check, state: 'failure', finding, advice };
}
