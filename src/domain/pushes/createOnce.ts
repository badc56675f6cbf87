import { createHash } from 'node:crypto';
import type { Caller } from '../caller.ts';
import type { CreatePush, CreatePushOptions } from './create.ts';
import type { Idempotency } from './idempotency.ts';
import type { Push } from './push.ts';

/** Creates pushes by requests that clients may repeat because they got no response. */
export function createRepeatableCreation(create: CreatePush, idempotency: Idempotency) {
  /**
   * Like `create`. If the upload has an idempotency key, the same request creates one push within a day, and gets it again
   * as it was created. Throws `conflict` while an earlier request is in progress, and `invalid` if it was another one. A
   * request that fails creates nothing, and may be corrected.
   */
  return async function createOnce(
    input: unknown,
    caller: Caller,
    options: Omit<CreatePushOptions, 'beforeCommit'> = {},
  ): Promise<Push> {
    const { upload } = options;
    const repeat = upload?.idempotency;
    if (repeat === undefined) return create(input, caller, options);
    await upload?.finish();
    const requestDigest = createHash('sha256').update(repeat.digest()).update(JSON.stringify(input));
    const claim = await idempotency.claim(repeat.key, caller, requestDigest.digest('base64'));
    if (claim.created !== undefined) return claim.created;
    try {
      return await create(input, caller, { ...options, beforeCommit: claim.store });
    } catch (error) {
      await claim.release();
      throw error;
    }
  };
}
