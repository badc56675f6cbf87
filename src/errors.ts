/* Long because it lists every code that `src/locales` words. */

import type {
  FactorCode,
  FileCode,
  IdentityTokenCode,
  NamedProviderCode,
  OpeningCode,
  Problems,
  ProviderCode,
} from './problems.ts';

export type { Problem, Problems } from './problems.ts';

/** Why the domain refused. Adapters translate each code once: HTTP status, card in a chat, exit code. */
export type ErrorCode =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'too_many'
  | 'too_large'
  | 'unavailable';

/** The messages that state values. */
export type MessageValues = {
  tooManyRequests: { seconds: number };
  fileTooLarge: { max: number };
  filesTooLarge: { max: number };
  lifetimeTooLong: { days: number };
  passkeyElsewhere: { address: string };
  accountNotFound: { email: string };
  accountExists: { email: string };
  passwordExists: { email: string };
  tokenExists: { name: string };
  tokenNotFound: { name: string };
  ruleExists: { name: string };
  identityClaim: { claim: string };
  answerSentBefore: { receipt: string };
  jobNotFound: { name: string; names: string };
  keyNotFound: { keyId: number };
  keyIsActive: { keyId: number };
  keyEncryptsRecords: { keyId: number; records: number };
  keyEncryptsExpiring: { keyId: number; records: number; until: number };
  keyJustReplaced: { keyId: number; seconds: number; names: string };
} & Record<'tooManyWebhooks' | 'tooManyTokens' | 'tooManyPasskeys' | 'tooManyRules', { max: number }> &
  Record<NamedProviderCode, { provider: string; claim?: string }>;

/** The messages that state none. */
type PlainMessageCode =
  | ProviderCode
  | IdentityTokenCode
  | FactorCode
  // pushes
  | 'tokenRequiredToCreate'
  | 'encryptionDisabled'
  | 'pushNotFound'
  | 'notOwner'
  | 'notDeletableByViewers'
  | 'recipientsNeedAccount'
  | 'reservedForRecipients'
  | 'notRecipient'
  | 'mayNotPush'
  | 'mayNotOpen'
  | 'mayNotManage'
  | 'standingUnknown'
  | 'openedAlready'
  | 'hasLinkAlready'
  | 'noViewLeft'
  | 'openedByAll'
  | 'reminderTooLate'
  | OpeningCode
  | 'idempotencyKeyInUse'
  | 'idempotencyKeyReused'
  | 'expiryNotLater'
  | 'expiryTooLate'
  | FileCode
  // accounts
  | 'tokenRequired'
  | 'invalidToken'
  | 'emptyToken'
  | 'tokenExpired'
  | 'tokenOnlyCreates'
  | 'tokenOnlyReads'
  | 'ruleNotFound'
  | 'deviceCodeUnknown'
  | 'signUpDisabled'
  | 'passwordSignInOff'
  | 'mailOff'
  | 'addressUnconfirmed'
  | 'sessionNotFound'
  | 'accountErased'
  | 'accountDisabled'
  | 'chatAccountPassword'
  | 'accountChanged'
  | 'ownAccount'
  // chats
  | 'chatNotFound'
  | 'identityOwnsAccount'
  | 'identityNotLinked'
  | 'notInChat'
  | 'alreadyDone'
  | 'createTooSlow'
  | 'requestToSelf'
  | 'tooManyOpenRequests'
  | 'requestDueOutOfRange'
  | 'requestEnded'
  | 'linkUsed'
  | 'linkRequestEnded'
  | 'signInElsewhere'
  // webhooks
  | 'webhookExists'
  | 'webhookNotFound'
  | 'webhookDisabled'
  | 'deliveryNotFound'
  // the service
  | 'databaseBusy'
  | 'parentRemoved'
  | 'databaseUnreachable'
  | 'databaseFull'
  | 'databaseInterrupted'
  | 'commitUnconfirmed'
  | 'migrationLocked'
  | 'schemaReverted'
  | 'schemaDiffers'
  | 'tooManyPasswordChecks'
  | 'notReady'
  | 'stopping'
  | 'keyMissing'
  | 'recordDamaged'
  | 'discordOff';

/** Names a sentence of `src/locales` that says why something was refused. */
export type MessageCode = keyof MessageValues | PlainMessageCode;

type AnyValues = MessageValues[keyof MessageValues];
type AnyDetails = Details & { values?: AnyValues };
type Details = {
  problems?: Problems;
  retryAfterSeconds?: number;
  triesLeft?: number | undefined;
  cause?: unknown;
};

/** A code without values, a code with its values, or problems alone. */
type Reason =
  | [message: PlainMessageCode, details?: Details]
  | {
      [Code in keyof MessageValues]: [message: Code, details: Details & { values: MessageValues[Code] }];
    }[keyof MessageValues]
  | [details: Details & { problems: Problems }];

/** Settings, keys or a schema that cannot work. Starting again does not help. Its message is for the operator. */
export class SetupError extends Error {}

/** Its message names every invalid setting. */
export class ConfigError extends SetupError {}

/** The exit code after a SetupError (EX_CONFIG of sysexits.h). */
export const exitConfig = 78;

/** A refusal: the caller can act on it, and everything in it is safe to show. Everything else that is thrown is a failure. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly messageCode: MessageCode | undefined;
  readonly values: AnyValues | undefined;
  readonly problems: Problems;
  readonly retryAfterSeconds: number | undefined;
  /** How many more wrong passphrases are allowed. */
  readonly triesLeft: number | undefined;

  constructor(code: ErrorCode, ...reason: Reason) {
    const [first, second = {}] = reason;
    const [messageCode, details] = typeof first === 'string' ? [first, second] : [undefined, first];
    const { problems = {}, values, retryAfterSeconds, triesLeft, cause }: AnyDetails = details;
    super(messageCode ?? summaryOf(problems), { cause });
    this.name = 'DomainError';
    this.code = code;
    this.messageCode = messageCode;
    this.values = values;
    this.problems = problems;
    this.retryAfterSeconds = retryAfterSeconds;
    this.triesLeft = triesLeft;
  }
}

/** For logs: `payload: required; name: maxLength`. */
function summaryOf(problems: Problems): string {
  return Object.entries(problems)
    .map(([field, found]) => `${field}: ${found.map(({ code }) => code).join(', ')}`)
    .join('; ');
}

/** The refusal for a store that is out of reach or too busy; nothing was decided, so trying again is safe. */
export function unavailable(message: PlainMessageCode, cause?: unknown, retryAfterSeconds = 5): DomainError {
  return new DomainError('unavailable', message, { cause, retryAfterSeconds });
}
