import { resolve } from 'node:path';
import type { ActiveChat } from './bots/chatModule.ts';
import { chatsIn } from './bots/chatModules.ts';
import { publicUrl } from './config/addresses.ts';
import { type DotEnv, readDotEnv } from './config/dotEnv.ts';
import {
  namedPrefixes,
  providerSecrets,
  providerSettings,
  readProviders,
} from './config/identityProviders.ts';
import { mailSettingsOf } from './config/mail.ts';
import { isServiceLink, misspeltNames, unknownNames } from './config/names.ts';
import { type Config, configSchema } from './config/schema.ts';
import { maskedSetting, readSecretFiles, secretNames } from './config/secretFiles.ts';
import type { DomainSettings } from './domain/index.ts';
import { ConfigError } from './errors.ts';
import { dayMs } from './time.ts';

export { localUrl, publicUrl } from './config/addresses.ts';
export type { ProviderSettings } from './config/identityProviders.ts';
export { type MailSettings, mailSettingsOf, type SmtpServer } from './config/mail.ts';
export { databaseFileOf, fileStoreSettings, geoDatabaseOf, keyFileOf, lookFolderOf } from './config/paths.ts';
export type { Config } from './config/schema.ts';
export { isLoopback } from './config/values.ts';

const mebibyte = 1024 * 1024;

export const settingNames: readonly string[] = Object.keys(configSchema.shape);

/** What may be set: every setting, those of the identity providers that these settings name, and the files of secrets. */
function knownNamesFor(settings: string[]): string[] {
  const named = namedPrefixes(settings);
  const secrets = [...secretNames, ...named.flatMap(providerSecrets)];
  return [...settingNames, ...named.flatMap(providerSettings), ...secrets.map((name) => `${name}_FILE`)];
}

/** The settings of this process, from its environment and from `.env` in the working folder. Throws ConfigError. */
export function loadConfig(): Config {
  const file = readDotEnv(resolve('.env'));
  for (const [name, value] of Object.entries(file?.settings ?? {}))
    if (name.startsWith('AWS_')) process.env[name] ??= value; // the AWS library reads them there
  // It would print lines about the Node that we support, between those of the log.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  return readConfig(process.env, file);
}

/**
 * The environment takes precedence over `.env`, and empty settings count as unset. Reads the files that hold secrets.
 * Throws ConfigError.
 */
export function readConfig(environment: NodeJS.ProcessEnv, file?: DotEnv): Config {
  const given = givenSettings(environment, file);
  const set = Object.fromEntries(given.map(({ name, text }) => [name, text]));
  const { secrets, problems: secretProblems } = readSecretFiles(set);
  const knownNames = knownNamesFor(Object.keys(set));
  const parsed = configSchema.safeParse({ ...set, ...secrets });
  const providers = readProviders({ ...set, ...secrets }, namedPrefixes(Object.keys(set)));
  const problems = [
    ...unknownNames(Object.keys(file?.settings ?? {}), knownNames, file?.path),
    ...misspeltNames(
      given.filter(({ from }) => from === 'environment').map(({ name }) => name),
      knownNames.filter((name) => set[name] === undefined),
    ),
    ...secretProblems,
    ...(parsed.error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`),
    ...providers.problems,
  ];
  if (parsed.data?.PASSWORD_SIGN_IN === false && providers.providers.length === 0)
    problems.push('PASSWORD_SIGN_IN must be on where no identity provider is set: nobody could sign in');
  if (parsed.success && problems.length === 0)
    return { ...parsed.data, identityProviders: providers.providers, ...(file && { envFile: file.path }) };
  const lines = [...new Set(problems)].map((line) => `  ${line}`);
  throw new ConfigError(`These settings are invalid:\n${lines.join('\n')}`);
}

type GivenSetting = { name: string; text: string; from: string };

/** What is set, and where: in `.env`, or in the environment, which takes precedence. Empty settings count as unset. */
function givenSettings(environment: NodeJS.ProcessEnv, file?: DotEnv): GivenSetting[] {
  const given = [
    ...filled(file?.settings ?? {}, file?.path ?? ''),
    ...filled(environment, 'environment').filter(({ name, text }) => !isServiceLink(name, text)),
  ];
  return [...new Map(given.map((one) => [one.name, one])).values()];
}

function filled(settings: NodeJS.ProcessEnv, from: string): GivenSetting[] {
  return Object.entries(settings).flatMap(([name, text = '']) =>
    text.trim() === '' ? [] : [{ name, text, from }],
  );
}

/** The settings of this process that are set, valid or not, and where each comes from. Secrets are masked. */
export function listSettings(): { setting: string; value: string; from: string }[] {
  const given = givenSettings(process.env, readDotEnv(resolve('.env')));
  const knownNames = knownNamesFor(given.map(({ name }) => name));
  return given
    .filter(({ name }) => knownNames.includes(name))
    .map(({ name, text, from }) => ({ setting: name, value: maskedSetting(name, text), from }));
}

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
          askedMail: config.LIMIT_ASKED_MAIL,
          mailByAddress: config.LIMIT_MAIL_BY_ADDRESS,
          mailByAccount: config.LIMIT_MAIL_BY_ACCOUNT,
          answers: config.LIMIT_ANSWERS,
          answersByLink: config.LIMIT_ANSWERS_BY_LINK,
          answersByAccount: config.LIMIT_ANSWERS_BY_ACCOUNT,
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
      formDefaults: {
        expireAfterViews: Math.max(config.FORM_EXPIRE_AFTER_VIEWS, config.MIN_EXPIRE_AFTER_VIEWS),
        encrypted: config.FORM_ENCRYPTED,
      },
      bounds: {
        expireAfterDays: { min: config.MIN_EXPIRE_AFTER_DAYS, max: config.MAX_EXPIRE_AFTER_DAYS },
        expireAfterViews: { min: config.MIN_EXPIRE_AFTER_VIEWS, max: config.MAX_EXPIRE_AFTER_VIEWS },
      },
      retentionMs: config.RETENTION_DAYS * dayMs,
      showsPlaces: config.GEOIP_DATABASE !== undefined,
      mailDomains: mailSettingsOf(config) === undefined ? null : config.MAIL_ALLOWED_DOMAINS,
    },
    webhooks: { allowPrivate: config.WEBHOOK_ALLOW_PRIVATE },
    signIn: {
      allowSignUp: config.ALLOW_SIGN_UP,
      allowPasswords: config.PASSWORD_SIGN_IN,
      signUp: config.SIGN_UP,
      secondFactor: config.SECOND_FACTOR,
      url: publicUrl(config),
    },
    trust: { privateIssuers: config.PRIVATE_ISSUERS },
    mail: { isOn: mailSettingsOf(config) !== undefined },
    files: {
      enabledFor: config.FILES,
      countMax: config.MAX_FILES,
      fileBytesMax: config.MAX_FILE_MIB * mebibyte,
      totalBytesMax: config.MAX_UPLOAD_MIB * mebibyte,
      uploadMs: config.MAX_UPLOAD_SECONDS * 1_000,
    },
  };
}

/** The chats that are on. */
export const activeChats = (config: Config): ActiveChat[] => chatsIn(config, publicUrl(config));
