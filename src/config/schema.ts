import { z } from 'zod';
import { chatShape, missingForChats } from '../bots/chatModules.ts';
import type { Bounds } from '../domain/index.ts';
import { type ProviderSettings, providerShape } from './identityProviders.ts';
import { mailShape } from './mail.ts';
import {
  baseUrl,
  contact,
  databaseUrl,
  egressProxy,
  filesUrl,
  flagSetting,
  hosts,
  httpUrl,
  integerSetting,
  issuers,
  origins,
  proxies,
  rate,
  rates,
  webProcesses,
  wholeNumber,
} from './values.ts';

const ports: Bounds = { min: 0, max: 65_535 };
const connections: Bounds = { min: 1, max: 1_000_000 };
const days: Bounds = { min: 1, max: 3_650 };
const views: Bounds = { min: 1, max: 100 };
const mebibytes: Bounds = { min: 1, max: 65_536 };
const retention: Bounds = { min: 0, max: 3_650 };

/** Everything an operator can set. Names are the same in the environment, the documentation and `.env.example`. */
export type Config = z.output<typeof configSchema> & {
  /** The `.env` that was read, if there is one. */
  envFile?: string;
  /** Who may sign people in, besides their passwords. */
  identityProviders: ProviderSettings[];
};

/** One object, so that all mistakes are reported together; `when` runs a check although another setting is wrong. */
export const configSchema = z
  .object({
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: integerSetting({ min: 1, max: 500 }, 10),
    BASE_URL: baseUrl,
    HOST: z.string().default('127.0.0.1'),
    PORT: integerSetting(ports, 5_100),
    WEB_PROCESSES: webProcesses,
    STOP_DELAY_SECONDS: integerSetting({ min: 0, max: 300 }, 0),
    MAX_CONNECTIONS: integerSetting(connections, 2_000),
    MAX_CONNECTIONS_PER_CLIENT: integerSetting(connections, 200),
    MASTER_KEYS: z.string().optional(),
    MASTER_KEYS_FILE: z.string().optional(),
    PEPPER: z.string().optional(),
    TRUSTED_PROXIES: proxies,
    GEOIP_DATABASE: z.string().optional(),
    OPERATOR_NAME: z.string().max(100, 'must have at most 100 characters').optional(),
    OPERATOR_CONTACT: contact.optional(),
    LOOK_DIR: z.string().optional(),
    ALLOW_ANONYMOUS: flagSetting(true),
    ALLOW_SIGN_UP: flagSetting(true),
    SIGN_UP: z.enum(['open', 'verified'], 'must be open or verified').default('open'),
    PASSWORD_SIGN_IN: flagSetting(true),
    SECOND_FACTOR: z
      .enum(['optional', 'admins', 'everyone'], 'must be optional, admins or everyone')
      .default('optional'),
    ...providerShape,
    ALLOW_ENCRYPTED: flagSetting(true),
    ALLOWED_ORIGINS: origins,
    DEFAULT_EXPIRE_AFTER_DAYS: integerSetting(days, 7),
    DEFAULT_EXPIRE_AFTER_VIEWS: integerSetting(views, 5),
    DEFAULT_DELETABLE_BY_VIEWER: flagSetting(true),
    DEFAULT_RETRIEVAL_STEP: flagSetting(true),
    FORM_EXPIRE_AFTER_VIEWS: integerSetting(views, 1),
    FORM_ENCRYPTED: flagSetting(false),
    MIN_EXPIRE_AFTER_DAYS: integerSetting(days, 1),
    MAX_EXPIRE_AFTER_DAYS: integerSetting(days, 90),
    MIN_EXPIRE_AFTER_VIEWS: integerSetting(views, 1),
    MAX_EXPIRE_AFTER_VIEWS: integerSetting(views, 100),
    RETENTION_DAYS: integerSetting(retention, 90),
    FILES: z
      .enum(['everyone', 'subscribed', 'off'], 'must be everyone, subscribed or off')
      .default('subscribed'),
    FILES_DIR: z.string().optional(),
    FILES_URL: filesUrl,
    AWS_ENDPOINT_URL: httpUrl.optional(),
    AWS_ENDPOINT_URL_S3: httpUrl.optional(),
    MAX_FILES: integerSetting({ min: 1, max: 50 }, 10),
    MAX_FILE_MIB: integerSetting(mebibytes, 25),
    MAX_UPLOAD_MIB: integerSetting(mebibytes, 100),
    MAX_UPLOAD_SECONDS: integerSetting({ min: 10, max: 86_400 }, 120),
    PRIVATE_ISSUERS: issuers,
    WEBHOOK_ALLOW_PRIVATE: flagSetting(false),
    EGRESS_PROXY: egressProxy.optional(),
    EGRESS_NO_PROXY: hosts,
    SLASH_TEXT: z.enum(['allow', 'refuse'], 'must be allow or refuse').default('allow'),
    ...chatShape,
    ...mailShape,
    MAIL_RATE: integerSetting({ min: 1, max: 100_000 }, 300),
    JOBS: flagSetting(true),
    METRICS_TOKEN: z
      .string()
      .regex(/^[\w.~+/-]{16,}=*$/, 'must have at least 16 characters, letters, digits and -._~+/ alone')
      .optional(),
    WORKER_PORT: wholeNumber(ports).optional(),
    RATE_LIMITS: flagSetting(true),
    LIMIT_REQUESTS: rates('30/1s,120/1m'),
    LIMIT_AUTHENTICATED_REQUESTS: rates('2400/1m'),
    LIMIT_ACCOUNT_REQUESTS: rates('1200/1m'),
    LIMIT_TOKEN_REQUESTS: rates('600/1m'),
    LIMIT_ANONYMOUS_CREATE: rates('20/1m,300/1d'),
    LIMIT_ACCOUNT_CREATE: rates('120/1m'),
    LIMIT_COMMANDS: rates('20/1m'),
    LIMIT_UNKNOWN_TOKENS: rate('20/1m'),
    LIMIT_SIGN_UP: rates('10/1h'),
    LIMIT_ASK_AGAIN: rates('10/1h'),
    LIMIT_ASKED_MAIL: rates('10/1h'),
    LIMIT_MAIL_BY_ADDRESS: rates('5/1h,20/1d'),
    LIMIT_MAIL_BY_ACCOUNT: rates('100/1d'),
    LIMIT_ANSWERS: rates('20/10m,100/1d'),
    LIMIT_ANSWERS_BY_LINK: rates('60/10m'),
    LIMIT_ANSWERS_BY_ACCOUNT: rates('300/1h'),
    LIMIT_FAILED_SIGN_INS: rate('20/15m'),
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
      for (const unit of ['DAYS', 'VIEWS'] as const) {
        const [min, max] = [config[`MIN_EXPIRE_AFTER_${unit}`], config[`MAX_EXPIRE_AFTER_${unit}`]];
        const defaultValue = config[`DEFAULT_EXPIRE_AFTER_${unit}`];
        if (defaultValue >= min && defaultValue <= max) continue;
        const message = `must be within MIN_EXPIRE_AFTER_${unit} and MAX_EXPIRE_AFTER_${unit}, which are ${min} and ${max}`;
        addIssue({ code: 'custom', path: [`DEFAULT_EXPIRE_AFTER_${unit}`], message });
      }
      if (config.FORM_EXPIRE_AFTER_VIEWS > config.MAX_EXPIRE_AFTER_VIEWS) {
        const message = `must be at most MAX_EXPIRE_AFTER_VIEWS, which is ${config.MAX_EXPIRE_AFTER_VIEWS}`;
        addIssue({ code: 'custom', path: ['FORM_EXPIRE_AFTER_VIEWS'], message });
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
    ({ SMTP_URL, MAIL_FROM, SIGN_UP }, { addIssue }) => {
      if (SIGN_UP === 'verified' && SMTP_URL === undefined)
        addIssue({ code: 'custom', path: ['SMTP_URL'], message: 'must be set when SIGN_UP is verified' });
      const missing = SMTP_URL === undefined ? 'SMTP_URL' : 'MAIL_FROM';
      if ((SMTP_URL === undefined) === (MAIL_FROM === undefined)) return;
      const other = missing === 'SMTP_URL' ? 'MAIL_FROM' : 'SMTP_URL';
      addIssue({ code: 'custom', path: [missing], message: `must be set when ${other} is` });
    },
    // of a setting that is invalid, nothing else is said
    { when: ({ issues }) => !issues.some(({ path = [] }) => /^(SMTP_URL|MAIL_FROM)$/.test(String(path[0]))) },
  )
  .superRefine(
    ({ PORT, BASE_URL }, { addIssue }) => {
      if (PORT !== 0 || BASE_URL !== undefined) return;
      const message = 'must be set when PORT is 0, because links cannot name a port that is selected later';
      addIssue({ code: 'custom', path: ['BASE_URL'], message });
    },
    { when: () => true },
  )
  .superRefine(
    (config, { addIssue }) => {
      for (const { name, problem } of missingForChats(config))
        addIssue({ code: 'custom', path: [name], message: problem });
    },
    { when: () => true },
  );
