import { resolve } from 'node:path';
import type { z } from 'zod';
import { isSlackOff } from './config/chats.ts';
import { configSchema } from './config/schema.ts';
import type { DomainSettings } from './domain/index.ts';
import { dayMs } from './time.ts';

/** Everything an operator can set. Names are the same in the environment, the documentation and `.env.example`. */
export type Config = z.output<typeof configSchema>;

/** Its message names every invalid setting. */
export class ConfigError extends Error {}

const mebibyte = 1024 * 1024;

export const settingNames: readonly string[] = Object.keys(configSchema.shape);

/** Reads the settings; empty ones count as unset. Throws ConfigError. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim() !== ''));
  const parsed = configSchema.safeParse(set);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `  ${path.join('.')} ${message}`);
  throw new ConfigError(`These settings are invalid:\n${problems.join('\n')}`);
}

/** Loads `.env` from the working folder, if it exists; the environment takes precedence. */
export function loadDotEnv(): void {
  try {
    process.loadEnvFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new ConfigError('The file .env cannot be read.');
  }
}

/** Whether only this machine can reach the host. */
export function isLoopback(host: string): boolean {
  return ['localhost', '::1', '[::1]'].includes(host) || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Where people reach the service: BASE_URL, or the address it listens on. */
export function publicUrl(config: Config, port?: number): string {
  return config.BASE_URL ?? localUrl(config, port);
}

/** The address that the service listens on. */
export function localUrl({ HOST, PORT }: Config, port = PORT): string {
  return `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${port}`;
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
