/** Why a body was refused; http/errors.ts maps it to a status. After `aborted` nobody reads the response. */
export type BodyErrorCode = 'malformed' | 'too_large' | 'unsupported_media_type' | 'timeout' | 'aborted';

/** A body that cannot be read. Its message quotes nothing of the body, so it is safe to show and to log. */
export class BodyError extends Error {
  override readonly name = 'BodyError';
  readonly code: BodyErrorCode;

  constructor(code: BodyErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The error for a body that violates its own format. */
export function malformed(message: string): BodyError {
  return new BodyError('malformed', message);
}
