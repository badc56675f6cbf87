import { DomainError } from '../../errors.ts';
import type { PushSettings } from '../base/index.ts';
import type { Caller } from '../people/index.ts';
import type { Limits } from './limits.ts';

type Dependencies = { limits: Limits; settings: PushSettings };

export type AdmitCreation = ReturnType<typeof createPushAdmission>;

/** Counts the creation of a push. Refuses callers who may not create pushes, or who have created too many. */
export function createPushAdmission({ limits, settings }: Dependencies) {
  return async function admitCreation({ account, client }: Caller): Promise<void> {
    if (account === null && !settings.allowAnonymous)
      throw new DomainError('unauthenticated', 'tokenRequiredToCreate');
    await (account === null
      ? limits.consume('anonymousCreate', { client })
      : limits.consume('accountCreate', { account: account.id }));
  };
}
