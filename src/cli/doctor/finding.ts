import { findings } from './findings.ts';

/** The result of a check, with advice unless it is `ok`. */
export type Finding = Words & { code: FindingCode };

export type FindingCode = keyof typeof findings;

type Words = {
  check: string;
  state: 'ok' | 'warning' | 'failure';
  finding: string;
  advice?: string;
};

/** What a check found, in the words of the table. */
export function report<Code extends FindingCode>(
  code: Code,
  ...values: Parameters<(typeof findings)[Code]>
): Finding {
  const word = findings[code] as (...values: unknown[]) => Words;
  return { code, ...word(...values) };
}
