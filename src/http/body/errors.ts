/** Why a body was refused; http/errors.ts maps it to a status. After `aborted` nobody reads the response. */
export type BodyErrorCode = 'malformed' | 'too_large' | 'unsupported_media_type' | 'timeout' | 'aborted';

/** A body that cannot be read. Its message quotes nothing of the body, so it is safe to show and to log. */
export class BodyError extends Error {
  override readonly name = 'BodyError';
  readonly code: BodyErrorCode;
  /** Names the text that says what to do about it. */
  readonly cure: 'sendUtf8' | undefined;

  constructor(code: BodyErrorCode, message: string, cure?: 'sendUtf8') {
    super(message);
    this.code = code;
    this.cure = cure;
  }
}

/** The error for a body that violates its own format. */
export function malformed(message: string, cure?: 'sendUtf8'): BodyError {
  return new BodyError('malformed', message, cure);
}
