import { resolve } from 'node:path';
import { publicUrl } from './config/addresses.ts';
import { isSlackOff } from './config/chats.ts';
import { type DotEnv, readDotEnv } from './config/dotEnv.ts';
import { givenSettings } from './config/given.ts';
import { misspeltNames, unknownNames } from './config/names.ts';
import { type Config, configSchema } from './config/schema.ts';
import { maskedSetting, readSecretFiles, secretNames } from './config/secretFiles.ts';
import { ConfigError } from './errors.ts';

export { isLoopback, localUrl, publicUrl } from './config/addresses.ts';
export { domainSettings } from './config/domain.ts';
export { databaseFileOf, fileStoreSettings, geoDatabaseOf, keyFileOf } from './config/paths.ts';
export type { Config } from './config/schema.ts';

export const settingNames: readonly string[] = Object.keys(configSchema.shape);

/** What may be set: every setting, and the files of secrets. */
const knownNames = [...settingNames, ...secretNames.map((name) => `${name}_FILE`)];

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
  const parsed = configSchema.safeParse({ ...set, ...secrets });
  const problems = [
    ...unknownNames(Object.keys(file?.settings ?? {}), knownNames, file?.path),
    ...misspeltNames(
      given.filter(({ from }) => from === 'environment').map(({ name }) => name),
      knownNames.filter((name) => set[name] === undefined),
    ),
    ...secretProblems,
    ...(parsed.error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`),
  ];
  if (parsed.success && problems.length === 0) return { ...parsed.data, ...(file && { envFile: file.path }) };
  throw new ConfigError(`These settings are invalid:\n${problems.map((line) => `  ${line}`).join('\n')}`);
}

/** The settings of this process that are set, valid or not, and where each comes from. Secrets are masked. */
export function listSettings(): { setting: string; value: string; from: string }[] {
  return givenSettings(process.env, readDotEnv(resolve('.env')))
    .filter(({ name }) => knownNames.includes(name))
    .map(({ name, text, from }) => ({ setting: name, value: maskedSetting(name, text), from }));
}

/** Undefined if Slack is off. */
export function slackSettings(config: Config) {
  if (isSlackOff(config)) return undefined;
  return {
    mode: config.SLACK_MODE,
    signingSecret: config.SLACK_SIGNING_SECRET,
    clientId: config.SLACK_CLIENT_ID,
    clientSecret: config.SLACK_CLIENT_SECRET,
    appToken: config.SLACK_APP_TOKEN,
    botToken: config.SLACK_BOT_TOKEN,
    readsFiles: config.SLACK_FILES,
    readsUserGroups: config.SLACK_USER_GROUPS,
    apiUrl: config.SLACK_API_URL,
    authorizeUrl: config.SLACK_AUTHORIZE_URL,
    baseUrl: publicUrl(config),
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
