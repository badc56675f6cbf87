import { expect } from 'chai';
import { DomainError } from '../../src/errors.ts';

/** The error with which the domain refuses an action. */
export async function refusalOf(action: Promise<unknown>): Promise<DomainError> {
  const error = await action.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof DomainError) return error;
  return expect.fail(`not a refusal: ${error}`);
}
