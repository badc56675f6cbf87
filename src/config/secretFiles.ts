import { readFileSync } from 'node:fs';
import { chatSecrets } from '../bots/chatModules.ts';
import { namedPrefixes, providerSecrets } from './identityProviders.ts';

/** What the file that `NAME_FILE` names may hold. MASTER_KEYS_FILE is a setting of its own: hushpush writes to it. */
export const secretNames: readonly string[] = [
  'DATABASE_URL',
  'PEPPER',
  'EGRESS_PROXY',
  'SMTP_URL',
  ...providerSecrets('OIDC'),
  ...chatSecrets,
  'METRICS_TOKEN',
];

/** The same, with the secrets of the identity providers that these settings name. */
const secretNamesIn = (settings: string[]): string[] => [
  ...secretNames,
  ...namedPrefixes(settings).flatMap(providerSecrets),
];

/** The secrets in files that the settings name, and what is wrong with those files. */
export function readSecretFiles(settings: Record<string, string>): {
  secrets: Record<string, string>;
  problems: string[];
} {
  const [secrets, problems]: [Record<string, string>, string[]] = [{}, []];
  for (const name of secretNamesIn(Object.keys(settings))) {
    const path = settings[`${name}_FILE`];
    if (path === undefined) continue;
    const { secret, problem } = readSecret(path);
    if (settings[name] !== undefined) problems.push(`${name} and ${name}_FILE are both set`);
    else if (secret === undefined) problems.push(`${name}_FILE names ${path}, which ${problem}`);
    else secrets[name] = secret;
  }
  return { secrets, problems };
}

/** The text of a setting as it may be shown: of addresses without the password, of other secrets nothing. */
export function maskedSetting(name: string, text: string): string {
  const mask = '********';
  if (['DATABASE_URL', 'EGRESS_PROXY', 'SMTP_URL'].includes(name))
    return text.replace(/(:\/\/[^:/@]*):.*@/s, `$1:${mask}@`);
  return [...secretNamesIn([name]), 'MASTER_KEYS'].includes(name) ? mask : text;
}

function readSecret(path: string): { secret?: string; problem?: string } {
  try {
    const secret = readFileSync(path, 'utf8').trim();
    if (secret === '') return { problem: 'is empty' };
    return /[\r\n]/.test(secret) ? { problem: 'has more than one line' } : { secret };
  } catch (error) {
    return { problem: `cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
}
