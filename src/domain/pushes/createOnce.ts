import { createHash } from 'node:crypto';
import type { CreatePush } from './create.ts';
import type { Idempotency } from './idempotency.ts';

/** Creates pushes by requests that clients may repeat because they got no response. */
export function createRepeatableCreation(create: CreatePush, idempotency: Idempotency): CreatePush {
  /**
   * Like `create`. If the upload has an idempotency key, the same request creates one push within a day, and gets it again
   * as it was created. Throws `conflict` while an earlier request is in progress, and `invalid` if it was another one. A
   * request that fails creates nothing, and may be corrected.
   */
  return async function createOnce(input, caller, options = {}) {
    const { upload } = options;
    const repeat = upload?.idempotency;
    if (repeat === undefined) return create(input, caller, options);
    await upload?.finish();
    const requestDigest = createHash('sha256').update(repeat.digest()).update(JSON.stringify(input));
    const claim = await idempotency.claim(repeat.key, caller, requestDigest.digest('base64'));
    if (claim.created !== undefined) return claim.created;
    try {
      return await create(input, caller, {
        ...options,
        async inTransaction(tx, id, push) {
          await options.inTransaction?.(tx, id, push);
          await claim.store(push, tx);
        },
      });
    } catch (error) {
      await claim.release();
      throw error;
    }
  };
}
