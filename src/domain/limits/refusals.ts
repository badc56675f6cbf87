import { DomainError } from '../../errors.ts';

/** The refusal of a caller who has used up a limit. */
export function tooMany(retryAfterSeconds: number): DomainError {
  return new DomainError('too_many', 'tooManyRequests', {
    values: { seconds: retryAfterSeconds },
    retryAfterSeconds,
  });
}
