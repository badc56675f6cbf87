import { isUrlToken } from '../../crypto/tokens.ts';
import { DomainError } from '../../errors.ts';

/** Rejects text that cannot be a url token, without a query. */
export function requireUrlTokenFormat(urlToken: string): void {
  if (!isUrlToken(urlToken)) throw pushNotFound();
}

/** The refusal of a push that does not exist, or that the caller may not see. */
export function pushNotFound(): DomainError {
  return new DomainError('not_found', 'pushNotFound');
}
