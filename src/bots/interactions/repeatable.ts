import type { ChatCaller } from '../../domain/index.ts';

/** The caller of what only reads, and so may be done twice for one action. */
export const repeatable = (caller: ChatCaller): ChatCaller => ({ ...caller, idempotencyKey: null });
