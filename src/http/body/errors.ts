/** Why a body was refused. The HTTP layer maps it to a status: 400, 413, 415, 408; after `aborted` nobody listens. */
export type BodyErrorCode = 'malformed' | 'too_large' | 'unsupported_media_type' | 'timeout' | 'aborted';

/** A body that cannot be taken. Its message quotes nothing of the body and is safe to show and to log. */
export class BodyError extends Error {
  override readonly name = 'BodyError';
  readonly code: BodyErrorCode;

  constructor(code: BodyErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The refusal for whatever does not keep to its own format. */
export function malformed(message: string): BodyError {
  return new BodyError('malformed', message);
}
