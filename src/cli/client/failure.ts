import {
  ConnectionError,
  type ConnectionProblem,
  type RefusalCode,
  RefusedError,
  type SealingError,
} from '../../client/client.ts';
import { CancelledError } from '../cancelled.ts';
import { visible } from './terminal.ts';

/** What went wrong with a command of the client: an error of the library, or one that only the command has. */
export type FailureCode =
  | RefusalCode
  | ConnectionProblem
  | 'expired'
  | 'encrypted'
  | 'not_encrypted'
  | 'swapped';

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
  swapped: noAnswer,
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

/** What a program may do about a failure. */
type FailureDetails = { code?: FailureCode; status?: number };

/** Explains why a command of the client failed. */
export class ClientCommandError extends Error {
  readonly details: FailureDetails;
  readonly exitCode: number;

  constructor(sentence: string, details: FailureDetails = {}, cause?: unknown) {
    super(visible(sentence), { cause }); // a server may have worded it
    this.details = details;
    this.exitCode = details.code === undefined ? 1 : exitCodes[details.code];
  }
}

/** What to say about an error: what happened, and what to do. */
export function explain(error: unknown): Error {
  if (error instanceof ClientCommandError || error instanceof CancelledError) return error;
  if (error instanceof RefusedError) {
    const { code, status } = error;
    return new ClientCommandError(refusalSentence(error), { code, status }, error);
  }
  if (error instanceof ConnectionError) {
    const advice = error.code === 'foreign' ? ' Is the address right?' : '';
    return new ClientCommandError(error.message + advice, { code: error.code }, error);
  }
  if (isSealingError(error)) return new ClientCommandError(error.message, { code: error.code }, error);
  const { message, code, path } = error as NodeJS.ErrnoException;
  const sentence = code === 'ENOENT' && path !== undefined ? `There is no ${path}.` : message;
  return new ClientCommandError(sentence, {}, error);
}

/** Its class is loaded only by what seals. */
const isSealingError = (error: unknown): error is SealingError =>
  error instanceof Error && error.name === 'SealingError';

function refusalSentence({
  message,
  advice,
  code,
  fields,
  retryAfterSeconds,
  requestId,
}: RefusedError): string {
  const problems = Object.entries(fields).map(([name, [problem]]) => `${name} ${problem}`);
  const sentence = problems.length > 1 ? problems.join('; ') : message;
  return [
    withFullStop(sentence),
    code === 'passphrase' ? undefined : advice, // it is meant for programs
    code === 'unauthenticated' ? 'Run hushpush sign-in, or set HUSHPUSH_TOKEN.' : undefined,
    // Some servers say it themselves.
    retryAfterSeconds !== undefined && !/\d/.test(message)
      ? `Try again in ${retryAfterSeconds} seconds.`
      : undefined,
    code === 'failed' && requestId !== undefined ? `Its operator finds it as ${requestId}.` : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(' ');
}

/** Servers word their errors with and without one. */
export const withFullStop = (sentence: string) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`);
