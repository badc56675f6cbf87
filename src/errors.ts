/** Why the domain refused; adapters translate each code once (HTTP status, chat words, exit code). */
export type ErrorCode =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'too_many'
  | 'too_large'
  | 'unavailable';

/** What was wrong with each named input: field name → sentences without the name, such as “must be between 1 and 100”. */
export type FieldErrors = Record<string, string[]>;

type Details = {
  fields?: FieldErrors;
  retryAfterSeconds?: number;
  triesLeft?: number | undefined;
  cause?: unknown;
};

/** A refusal: the caller can act on it and its message is safe to show. Everything else that is thrown is a failure. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly fields: FieldErrors;
  readonly retryAfterSeconds: number | undefined;
  /** How often a wrong passphrase may still be followed by another. */
  readonly triesLeft: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    { fields = {}, retryAfterSeconds, triesLeft, cause }: Details = {},
  ) {
    super(message, { cause });
    this.name = 'DomainError';
    this.code = code;
    this.fields = fields;
    this.retryAfterSeconds = retryAfterSeconds;
    this.triesLeft = triesLeft;
  }
}

/** The refusal for a store that is out of reach or too busy; nothing was decided, so trying again is safe. */
export function unavailable(message: string, cause?: unknown, retryAfterSeconds = 5): DomainError {
  return new DomainError('unavailable', message, { cause, retryAfterSeconds });
}
