import type { ConnectionProblem, RefusalCode } from '../../client/client.ts';

/** What went wrong with a command of the client: an error of the library, or one that only the command has. */
export type FailureCode = RefusalCode | ConnectionProblem | 'expired' | 'encrypted' | 'not_encrypted';

const noAnswer = 3;
const credentials = 4;
const gone = 5;
const locked = 6;
const later = 7;
const refused = 8;

/** The kinds of failures that a script tells apart; docs/client.md has them in a table. */
export const exitCodes: Record<FailureCode, number> = {
  unreachable: noAnswer,
  timeout: noAnswer,
  redirected: noAnswer,
  foreign: noAnswer,
  not_encrypted: noAnswer,
  failed: noAnswer,
  unauthenticated: credentials,
  forbidden: credentials,
  not_found: gone,
  expired: gone,
  passphrase: locked,
  encrypted: locked,
  too_many: later,
  unavailable: later,
  malformed: refused,
  invalid: refused,
  too_large: refused,
  conflict: refused,
  unsupported: refused,
};
