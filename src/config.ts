import { availableParallelism } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import proxyAddr from 'proxy-addr';
import { z } from 'zod';
import type { Bounds, DomainSettings, Rate } from './domain/index.ts';
import { dayMs } from './time.ts';

/** Everything an operator can set; names are the same in the environment, the documentation and `.env.example`. */
export type Config = z.output<typeof schema>;

/** Thrown with one message that names every mistake in the settings. */
export class ConfigError extends Error {}

const trueWords = ['true', 'on', 'yes', '1'];
const falseWords = ['false', 'off', 'no', '0'];

const flag = (defaultValue: boolean) =>
  z
    .enum([...trueWords, ...falseWords], 'must be true or false')
    .transform((word) => trueWords.includes(word))
    .default(defaultValue);

const wholeNumber = ({ min, max }: Bounds) => {
  const range = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number(range).int(range).min(min, range).max(max, range);
};

const ports = { min: 0, max: 65_535 };

const integer = (bounds: Bounds, defaultValue: number) => wholeNumber(bounds).default(defaultValue);

const units = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** Reads `20/1m`: twenty in a minute. */
function readRate(text: string): Rate | undefined {
  const [, points, count, unit] = /^(\d{1,9})\/(\d{1,5})([smhd])$/.exec(text.trim()) ?? [];
  const rate = {
    points: Number(points),
    seconds: Number(count) * units[(unit ?? 's') as keyof typeof units],
  };
  return rate.points >= 1 && rate.seconds >= 1 ? rate : undefined;
}

const rates = (defaultValue: string) =>
  z
    .string()
    .default(defaultValue)
    .transform((text, { addIssue }) => {
      const parsed = text.split(',').map(readRate);
      if (parsed.includes(undefined)) addIssue('must read COUNT/PERIOD, such as 20/1m or 20/1m,300/1d');
      return parsed.filter((rate) => rate !== undefined);
    });

const rate = (defaultValue: string) =>
  z
    .string()
    .default(defaultValue)
    .transform((text, { addIssue }) => {
      const parsed = readRate(text);
      if (parsed === undefined) addIssue('must read COUNT/PERIOD, such as 5/10m');
      return parsed ?? { points: 1, seconds: 1 };
    });

const databaseUrl = z
  .string()
  .default('sqlite:./data/hushpush.db')
  .refine(isDatabaseUrl, 'must read sqlite:PATH or mysql://USER:PASSWORD@HOST:PORT/DATABASE, percent-encoded')
  .transform((url) => (url.startsWith('sqlite:') ? `sqlite:${resolve(url.slice('sqlite:'.length))}` : url));

function isDatabaseUrl(url: string): boolean {
  if (url.startsWith('sqlite:')) return url.length > 'sqlite:'.length;
  try {
    decodeURIComponent(url);
    return /^(mysql|mariadb):\/\//.test(url) && new URL(url).pathname.length > 1;
  } catch {
    return false;
  }
}

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

const baseUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address, such as https://push.example.com' })
  .refine((url) => !/[?#]/.test(url), 'must have no query and no fragment')
  .transform((url) => url.replace(/\/+$/, ''))
  .optional();

const filesUrl = z
  .string()
  .regex(
    /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[\w!.*'()/-]*)?$/,
    'must read s3://BUCKET or s3://BUCKET/PREFIX',
  )
  .transform((url) => {
    const [, bucket = '', prefix = ''] = /^s3:\/\/([^/]+)\/?(.*?)\/?$/.exec(url) ?? [];
    return { bucket, prefix: prefix === '' ? '' : `${prefix}/` };
  })
  .optional();

const endpoint = z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional();

const proxies = z
  .string()
  .default('')
  .transform((text) => text.split(/[,\s]+/).filter((entry) => entry !== ''))
  .refine(areProxies, 'must list addresses or ranges, such as 10.0.0.0/8,127.0.0.1');

/** Judged by what will use them. */
function areProxies(entries: string[]): boolean {
  try {
    proxyAddr.compile(entries);
    return true;
  } catch {
    return false;
  }
}

const webProcesses = z
  .string()
  .default('1')
  .refine(
    (text) => text === 'auto' || /^[1-9]\d?$/.test(text),
    'must be auto, or a whole number from 1 to 99',
  )
  .transform((text) => (text === 'auto' ? availableParallelism() : Number(text)));

const mebibyte = 1024 * 1024;
const days: Bounds = { min: 1, max: 3_650 };
const views: Bounds = { min: 1, max: 100 };
const mebibytes: Bounds = { min: 1, max: 65_536 };
const retention: Bounds = { min: 0, max: 3_650 };

const schema = z
  .object({
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: integer({ min: 1, max: 500 }, 10),
    BASE_URL: baseUrl,
    HOST: z.string().default('127.0.0.1'),
    PORT: integer(ports, 5_100),
    WEB_PROCESSES: webProcesses,
    MASTER_KEYS: z.string().optional(),
    MASTER_KEYS_FILE: z.string().optional(),
    PEPPER: z.string().optional(),
    TRUSTED_PROXIES: proxies,
    ALLOW_ANONYMOUS: flag(true),
    ALLOW_SIGN_UP: flag(true),
    DEFAULT_EXPIRE_AFTER_DAYS: integer(days, 7),
    DEFAULT_EXPIRE_AFTER_VIEWS: integer(views, 5),
    DEFAULT_DELETABLE_BY_VIEWER: flag(true),
    DEFAULT_RETRIEVAL_STEP: flag(true),
    MIN_EXPIRE_AFTER_DAYS: integer(days, 1),
    MAX_EXPIRE_AFTER_DAYS: integer(days, 90),
    MIN_EXPIRE_AFTER_VIEWS: integer(views, 1),
    MAX_EXPIRE_AFTER_VIEWS: integer(views, 100),
    RETENTION_DAYS: integer(retention, 90),
    FILES: z
      .enum(['everyone', 'subscribed', 'off'], 'must be everyone, subscribed or off')
      .default('subscribed'),
    FILES_DIR: z.string().optional(),
    FILES_URL: filesUrl,
    AWS_ENDPOINT_URL: endpoint,
    AWS_ENDPOINT_URL_S3: endpoint,
    MAX_FILES: integer({ min: 1, max: 50 }, 10),
    MAX_FILE_MIB: integer(mebibytes, 25),
    MAX_UPLOAD_MIB: integer(mebibytes, 100),
    MAX_UPLOAD_SECONDS: integer({ min: 10, max: 86_400 }, 120),
    WEBHOOK_ALLOW_PRIVATE: flag(false),
    SLACK_MODE: z.enum(['http', 'socket'], 'must be http or socket').default('http'),
    SLACK_SIGNING_SECRET: z.string().optional(),
    SLACK_CLIENT_ID: z.string().optional(),
    SLACK_CLIENT_SECRET: z.string().optional(),
    SLACK_APP_TOKEN: z.string().startsWith('xapp-', 'must begin with xapp-').optional(),
    SLACK_BOT_TOKEN: z.string().startsWith('xoxb-', 'must begin with xoxb-').optional(),
    SLACK_API_URL: httpUrl.default('https://slack.com/api/'),
    SLACK_AUTHORIZE_URL: httpUrl.default('https://slack.com/oauth/v2/authorize'),
    DISCORD_MODE: z.enum(['gateway', 'http'], 'must be gateway or http').default('gateway'),
    DISCORD_TOKEN: z.string().regex(/^\S+$/, 'must have no spaces').optional(),
    DISCORD_APPLICATION_ID: z
      .string()
      .regex(/^\d{17,20}$/, 'must have 17 to 20 digits')
      .optional(),
    DISCORD_PUBLIC_KEY: z
      .string()
      .regex(/^[\da-f]{64}$/i, 'must have 64 hexadecimal digits')
      .optional(),
    DISCORD_API_URL: httpUrl.default('https://discord.com/api'),
    JOBS: flag(true),
    METRICS_TOKEN: z
      .string()
      .regex(/^[\w.~+/-]{16,}=*$/, 'must have at least 16 characters, letters, digits and -._~+/ alone')
      .optional(),
    WORKER_PORT: wholeNumber(ports).optional(),
    RATE_LIMITS: flag(true),
    LIMIT_REQUESTS: rates('30/1s,120/1m'),
    LIMIT_TOKEN_REQUESTS: rates('600/1m'),
    LIMIT_ANONYMOUS_CREATE: rates('20/1m,300/1d'),
    LIMIT_TOKEN_CREATE: rates('120/1m'),
    LIMIT_COMMANDS: rates('20/1m'),
    LIMIT_UNKNOWN_TOKENS: rate('20/1m'),
    LIMIT_SIGN_UP: rates('10/1h'),
    LIMIT_ASK_AGAIN: rates('10/1h'),
    LIMIT_SIGN_IN_BY_CLIENT: rate('5/15m'),
    LIMIT_SIGN_IN_BY_ACCOUNT: rate('30/15m'),
    LIMIT_PASSPHRASE_BY_CLIENT: rate('5/10m'),
    LIMIT_PASSPHRASE_BY_PUSH: rate('20/10m'),
    LOG_LEVEL: z
      .enum(['debug', 'info', 'warn', 'error', 'silent'], 'must be debug, info, warn, error or silent')
      .default('info'),
  })
  .superRefine(
    (config, { addIssue }) => {
      for (const what of ['DAYS', 'VIEWS'] as const) {
        const [min, max] = [config[`MIN_EXPIRE_AFTER_${what}`], config[`MAX_EXPIRE_AFTER_${what}`]];
        const defaultValue = config[`DEFAULT_EXPIRE_AFTER_${what}`];
        if (defaultValue >= min && defaultValue <= max) continue;
        const message = `must be within MIN_EXPIRE_AFTER_${what} and MAX_EXPIRE_AFTER_${what}, which are ${min} and ${max}`;
        addIssue({ code: 'custom', path: [`DEFAULT_EXPIRE_AFTER_${what}`], message });
      }
    },
    { when: ({ issues }) => !issues.some(({ path = [] }) => /_EXPIRE_AFTER_/.test(String(path[0]))) },
  )
  .superRefine(
    ({ MASTER_KEYS, PEPPER }, { addIssue }) => {
      if (MASTER_KEYS === undefined || PEPPER !== undefined) return;
      addIssue({ code: 'custom', path: ['PEPPER'], message: 'must be set when MASTER_KEYS is' });
    },
    { when: () => true },
  )
  .superRefine(
    (config, { addIssue }) => {
      const given = slackCredentials.filter((name) => config[name] !== undefined);
      if (given.length === 0) return;
      for (const [name, why] of missingForSlack(config))
        addIssue({ code: 'custom', path: [name], message: `must be set for Slack ${why}` });
    },
    { when: () => true },
  )
  .superRefine(
    (config, { addIssue }) => {
      if (discordCredentials.every((name) => config[name] === undefined)) return;
      for (const name of ['DISCORD_TOKEN', 'DISCORD_APPLICATION_ID'] as const)
        if (config[name] === undefined)
          addIssue({ code: 'custom', path: [name], message: 'must be set for Discord' });
      if (config.DISCORD_MODE === 'http' && config.DISCORD_PUBLIC_KEY === undefined) {
        const message = 'must be set for Discord where DISCORD_MODE is http';
        addIssue({ code: 'custom', path: ['DISCORD_PUBLIC_KEY'], message });
      }
    },
    { when: () => true },
  );

const discordCredentials = ['DISCORD_TOKEN', 'DISCORD_APPLICATION_ID', 'DISCORD_PUBLIC_KEY'] as const;

const slackCredentials = [
  'SLACK_SIGNING_SECRET',
  'SLACK_CLIENT_ID',
  'SLACK_CLIENT_SECRET',
  'SLACK_APP_TOKEN',
  'SLACK_BOT_TOKEN',
] as const;

/** What Slack cannot do without, once any of its credentials is set. */
function missingForSlack(
  config: Partial<Record<(typeof slackCredentials)[number] | 'SLACK_MODE', string | undefined>>,
): [name: string, why: string][] {
  const required: [name: (typeof slackCredentials)[number], why: string][] =
    config.SLACK_MODE === 'socket'
      ? [['SLACK_APP_TOKEN', 'where SLACK_MODE is socket']]
      : [['SLACK_SIGNING_SECRET', 'where SLACK_MODE is http']];
  if (config.SLACK_BOT_TOKEN === undefined) {
    required.push(['SLACK_CLIENT_ID', 'unless SLACK_BOT_TOKEN is']);
    required.push(['SLACK_CLIENT_SECRET', 'unless SLACK_BOT_TOKEN is']);
  }
  return required.filter(([name]) => config[name] === undefined);
}

/** How Slack is reached, and as which app; absent when none of its credentials is set, and then it is off. */
export function slackSettings(config: Config, port?: number) {
  if (slackCredentials.every((name) => config[name] === undefined)) return undefined;
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

/** How Discord is reached, and as which application; absent when none of its credentials is set, and then it is off. */
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

/** The names of all settings, for whoever lists or documents them. */
export const settingNames: readonly string[] = Object.keys(schema.shape);

/** Reads the settings; an empty one counts as unset. Throws ConfigError. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim() !== ''));
  const parsed = schema.safeParse(set);
  if (parsed.success) return parsed.data;
  const mistakes = parsed.error.issues.map(({ path, message }) => `  ${path.join('.')} ${message}`);
  throw new ConfigError(`These settings are wrong:\n${mistakes.join('\n')}`);
}

/** Loads `.env` of the working folder, where there is one; what the environment already says wins. */
export function loadDotEnv(): void {
  try {
    process.loadEnvFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new ConfigError('The file .env cannot be read.');
  }
}

/** Whether a host is this machine itself, and no other reaches it. */
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

/** The file that holds the master keys, as an absolute path; `data/master.key` unless set. */
export function keyFileOf({ MASTER_KEYS_FILE, DATABASE_URL }: Config): string {
  if (MASTER_KEYS_FILE !== undefined)
    return isAbsolute(MASTER_KEYS_FILE) ? MASTER_KEYS_FILE : resolve(MASTER_KEYS_FILE);
  const isEmbedded = DATABASE_URL.startsWith('sqlite:');
  return isEmbedded
    ? resolve(DATABASE_URL.slice('sqlite:'.length), '..', 'master.key')
    : resolve('data/master.key');
}

/** The folder that holds the files where no FILES_URL is set, as an absolute path. */
function filesFolderOf({ FILES_DIR, DATABASE_URL }: Config): string {
  if (FILES_DIR !== undefined) return resolve(FILES_DIR);
  return DATABASE_URL.startsWith('sqlite:')
    ? resolve(DATABASE_URL.slice('sqlite:'.length), '..', 'files')
    : resolve('data/files');
}

/** Where files are stored: a bucket where FILES_URL is set, else a folder. */
export function fileStoreSettings(config: Config) {
  return config.FILES_URL === undefined
    ? { folder: filesFolderOf(config) }
    : { ...config.FILES_URL, endpoint: config.AWS_ENDPOINT_URL_S3 ?? config.AWS_ENDPOINT_URL };
}

/** The part of the settings that the domain decides by. */
export function domainSettings(config: Config): DomainSettings {
  return {
    limits: config.RATE_LIMITS
      ? {
          requests: config.LIMIT_REQUESTS,
          tokenRequests: config.LIMIT_TOKEN_REQUESTS,
          anonymousCreate: config.LIMIT_ANONYMOUS_CREATE,
          tokenCreate: config.LIMIT_TOKEN_CREATE,
          commands: config.LIMIT_COMMANDS,
          unknownTokens: config.LIMIT_UNKNOWN_TOKENS,
          signUp: config.LIMIT_SIGN_UP,
          askAgain: config.LIMIT_ASK_AGAIN,
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
