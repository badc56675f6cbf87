import type { DomainSettings } from '../domain/index.ts';
import { dayMs } from '../time.ts';
import type { Config } from './schema.ts';

const mebibyte = 1024 * 1024;

/** The settings that the domain works with. */
export function domainSettings(config: Config): DomainSettings {
  return {
    limits: config.RATE_LIMITS
      ? {
          requests: config.LIMIT_REQUESTS,
          authenticatedRequests: config.LIMIT_AUTHENTICATED_REQUESTS,
          accountRequests: config.LIMIT_ACCOUNT_REQUESTS,
          tokenRequests: config.LIMIT_TOKEN_REQUESTS,
          anonymousCreate: config.LIMIT_ANONYMOUS_CREATE,
          accountCreate: config.LIMIT_ACCOUNT_CREATE,
          commands: config.LIMIT_COMMANDS,
          unknownTokens: config.LIMIT_UNKNOWN_TOKENS,
          signUp: config.LIMIT_SIGN_UP,
          askAgain: config.LIMIT_ASK_AGAIN,
          failedSignIns: config.LIMIT_FAILED_SIGN_INS,
          signInByClient: config.LIMIT_SIGN_IN_BY_CLIENT,
          signInByAccount: config.LIMIT_SIGN_IN_BY_ACCOUNT,
          passphraseByClient: config.LIMIT_PASSPHRASE_BY_CLIENT,
          passphraseByPush: config.LIMIT_PASSPHRASE_BY_PUSH,
        }
      : 'off',
    pushes: {
      allowAnonymous: config.ALLOW_ANONYMOUS,
      allowEncrypted: config.ALLOW_ENCRYPTED,
      allowSlashText: config.SLASH_TEXT === 'allow',
      defaults: {
        expireAfterDays: config.DEFAULT_EXPIRE_AFTER_DAYS,
        expireAfterViews: config.DEFAULT_EXPIRE_AFTER_VIEWS,
        deletableByViewer: config.DEFAULT_DELETABLE_BY_VIEWER,
        retrievalStep: config.DEFAULT_RETRIEVAL_STEP,
      },
      bounds: {
        expireAfterDays: { min: config.MIN_EXPIRE_AFTER_DAYS, max: config.MAX_EXPIRE_AFTER_DAYS },
        expireAfterViews: { min: config.MIN_EXPIRE_AFTER_VIEWS, max: config.MAX_EXPIRE_AFTER_VIEWS },
      },
      retentionMs: config.RETENTION_DAYS * dayMs,
      showsPlaces: config.GEOIP_DATABASE !== undefined,
    },
    webhooks: { allowPrivate: config.WEBHOOK_ALLOW_PRIVATE },
    signIn: { allowSignUp: config.ALLOW_SIGN_UP },
    files: {
      enabledFor: config.FILES,
      countMax: config.MAX_FILES,
      fileBytesMax: config.MAX_FILE_MIB * mebibyte,
      totalBytesMax: config.MAX_UPLOAD_MIB * mebibyte,
      uploadMs: config.MAX_UPLOAD_SECONDS * 1_000,
    },
  };
}
