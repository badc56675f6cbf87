import { resolve } from 'node:path';
import { publicUrl } from './config/addresses.ts';
import { isSlackOff } from './config/chats.ts';
import { type DotEnv, readDotEnv } from './config/dotEnv.ts';
import { ConfigError } from './config/error.ts';
import { isServiceLink, misspeltNames, unknownNames } from './config/names.ts';
import { type Config, configSchema } from './config/schema.ts';
import type { DomainSettings } from './domain/index.ts';
import { dayMs } from './time.ts';

export { isLoopback, localUrl, publicUrl } from './config/addresses.ts';
export { ConfigError } from './config/error.ts';
export type { Config } from './config/schema.ts';

const mebibyte = 1024 * 1024;

export const settingNames: readonly string[] = Object.keys(configSchema.shape);

/** The settings of this process, from its environment and from `.env` in the working folder. Throws ConfigError. */
export function loadConfig(): Config {
  const file = readDotEnv(resolve('.env'));
  for (const [name, value] of Object.entries(file?.settings ?? {}))
    if (name.startsWith('AWS_')) process.env[name] ??= value; // the AWS library reads them there
  // It would print lines about the Node that we support, between those of the log.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  return readConfig(process.env, file);
}

/** The environment takes precedence over the file. Empty settings count as unset. Throws ConfigError. */
export function readConfig(environment: NodeJS.ProcessEnv, file?: DotEnv): Config {
  const inFile = filled(file?.settings ?? {});
  const inEnvironment = filled(environment).filter(([name, value]) => !isServiceLink(name, value));
  const set = Object.fromEntries([...inFile, ...inEnvironment]);
  const parsed = configSchema.safeParse(set);
  const problems = [
    ...unknownNames(Object.keys(file?.settings ?? {}), settingNames, file?.path),
    ...misspeltNames(
      inEnvironment.map(([name]) => name),
      settingNames.filter((name) => set[name] === undefined),
    ),
    ...(parsed.error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`),
  ];
  if (parsed.success && problems.length === 0) return { ...parsed.data, ...(file && { envFile: file.path }) };
  throw new ConfigError(`These settings are invalid:\n${problems.map((line) => `  ${line}`).join('\n')}`);
}

function filled(settings: NodeJS.ProcessEnv): [name: string, value: string][] {
  return Object.entries(settings).flatMap(([name, value = '']) =>
    value.trim() === '' ? [] : [[name, value]],
  );
}

/** The absolute path of the key file; unless set, `master.key` beside the embedded database, or in `data`. */
export function keyFileOf(config: Config): string {
  const { MASTER_KEYS_FILE } = config;
  return MASTER_KEYS_FILE === undefined ? inDataFolder(config, 'master.key') : resolve(MASTER_KEYS_FILE);
}

/** The absolute path of the folder for files; unless set, `files` beside the embedded database, or in `data`. */
function filesFolderOf(config: Config): string {
  const { FILES_DIR } = config;
  return FILES_DIR === undefined ? inDataFolder(config, 'files') : resolve(FILES_DIR);
}

function inDataFolder(config: Config, name: string): string {
  const database = databaseFileOf(config);
  return database === undefined ? resolve('data', name) : resolve(database, '..', name);
}

/** The absolute path of the embedded database; undefined with any other. */
export function databaseFileOf({ DATABASE_URL }: Config): string | undefined {
  return DATABASE_URL.startsWith('sqlite:') ? DATABASE_URL.slice('sqlite:'.length) : undefined;
}

/** A bucket if FILES_URL is set, else a folder. */
export function fileStoreSettings(config: Config) {
  return config.FILES_URL === undefined
    ? { folder: filesFolderOf(config) }
    : { ...config.FILES_URL, endpoint: config.AWS_ENDPOINT_URL_S3 ?? config.AWS_ENDPOINT_URL };
}

/** Undefined if Slack is off. */
export function slackSettings(config: Config, port?: number) {
  if (isSlackOff(config)) return undefined;
  return {
    mode: config.SLACK_MODE,
    signingSecret: config.SLACK_SIGNING_SECRET,
    clientId: config.SLACK_CLIENT_ID,
    clientSecret: config.SLACK_CLIENT_SECRET,
    appToken: config.SLACK_APP_TOKEN,
    botToken: config.SLACK_BOT_TOKEN,
    apiUrl: config.SLACK_API_URL,
    authorizeUrl: config.SLACK_AUTHORIZE_URL,
    baseUrl: publicUrl(config, port),
  };
}

/** Undefined if Discord is off. */
export function discordSettings(config: Config) {
  const { DISCORD_TOKEN: token, DISCORD_APPLICATION_ID: applicationId } = config;
  if (token === undefined || applicationId === undefined) return undefined;
  return {
    mode: config.DISCORD_MODE,
    token,
    applicationId,
    publicKey: config.DISCORD_PUBLIC_KEY,
    apiUrl: config.DISCORD_API_URL,
  };
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
          failedSignIns: config.LIMIT_FAILED_SIGN_INS,
          signInByClient: config.LIMIT_SIGN_IN_BY_CLIENT,
          signInByAccount: config.LIMIT_SIGN_IN_BY_ACCOUNT,
          passphraseByClient: config.LIMIT_PASSPHRASE_BY_CLIENT,
          passphraseByPush: config.LIMIT_PASSPHRASE_BY_PUSH,
        }
      : 'off',
    pushes: {
      allowAnonymous: config.ALLOW_ANONYMOUS,
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
