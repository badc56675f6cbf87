import type { Delivery } from '../domain/index.ts';

/** What a call to a chat failed with. */
export type ChatFailure = {
  /** Follows the name of the chat, as in “refused with 50007”. May be logged: it has nothing of the request. */
  reason: string;
  /** The message to edit no longer exists. */
  isLost?: boolean;
  /** No message will ever reach this person. */
  isUnreachable?: boolean;
  /** The token does not work. */
  isTokenRefused?: boolean;
  /** Trying again does not help. */
  isFinal?: boolean;
  /** How long not to try again. */
  afterMs?: number | undefined;
};

/** Undefined for an error that is not of the chat. */
export type ExplainFailure = (error: unknown) => ChatFailure | undefined;

/** An error that may be logged: those of the chats' libraries carry requests, with their texts and tokens. */
export function toLoggable(error: unknown, name: string, explain: ExplainFailure): Error {
  const failure = explain(error);
  if (failure !== undefined) return new Error(`${name} ${failure.reason}`);
  return error instanceof Error ? error : new Error('a value that is not an Error was thrown');
}

/** How a failure affects the notice that was to be delivered in the chat of this name. */
export function toDelivery(name: string, failure?: ChatFailure): Delivery {
  const { isUnreachable, isFinal, afterMs } = failure ?? {};
  const reason = `${name} ${failure?.reason ?? 'did not respond as expected'}`;
  if (isUnreachable || isFinal) return { outcome: 'never', reason };
  return { outcome: 'later', reason, ...(afterMs !== undefined && { afterMs }) };
}

/** What a chat says about a credential. `refused` and `unreachable` come with its reason, which holds no secret. */
export type TokenCheck = { setting: string; result: 'accepted' | 'refused' | 'unreachable'; reason?: string };

/** Whether a chat accepts a token, by a call that needs it. */
export async function checkToken(
  setting: string,
  call: Promise<unknown>,
  explain: ExplainFailure,
): Promise<TokenCheck> {
  try {
    await call;
    return { setting, result: 'accepted' };
  } catch (error) {
    const { reason, isTokenRefused } = explain(error) ?? { reason: 'could not be reached' };
    return { setting, result: isTokenRefused ? 'refused' : 'unreachable', reason };
  }
}
