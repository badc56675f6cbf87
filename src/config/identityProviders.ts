import { z } from 'zod';
import { maybeUrl } from '../client/url.ts';
import type { ProviderRules } from '../domain/index.ts';
import {
  flagSetting,
  flagWithoutDefault,
  httpUrl,
  isLoopback,
  isSecretSetting,
  secretSetting,
} from './values.ts';

/** Names may contain spaces, so commas alone separate them. */
const names = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  );

const domains = names
  .transform((entries) => entries.map((entry) => entry.toLowerCase().replace(/^@/, '')))
  .refine(
    (entries) => entries.every((entry) => /^[a-z\d-]+(\.[a-z\d-]+)+$/.test(entry)),
    'must list domains of e-mail addresses, such as example.com,example.org',
  );

/** OpenID Connect Discovery 1.0, section 3: https, without query and fragment. http is for this machine alone. */
const issuer = httpUrl
  .refine((url) => !url.startsWith('http:') || isLoopback(new URL(url).hostname), {
    error: 'must be an https address: anybody on the way could sign in as anybody otherwise',
    abort: true,
  })
  .refine((url) => !/[?#]/.test(url), 'must have no query and no fragment')
  .refine(
    (url) =>
      !/\{tenantid\}|^https:\/\/(?:login\.microsoftonline\.[a-z]+|sts\.windows\.net)\/(?:common|organizations|consumers)\b/i.test(
        url,
      ),
    'must name your tenant, such as https://login.microsoftonline.com/TENANT-ID/v2.0: this one is of all tenants',
  );

/** Who may say whom somebody is in Slack: Slack itself, and Slack for the government of the United States. */
const slackIssuers = ['https://slack.com', 'https://slack-gov.com'];

const isSlack = (issuer: string): boolean => slackIssuers.includes(issuer.replace(/\/$/, ''));

/** The settings of an identity provider, by the ends of their names. */
const shape = {
  ISSUER: issuer.optional(),
  CLIENT_ID: z.string().optional(),
  CLIENT_SECRET: secretSetting(),
  LABEL: z.string().max(40, 'must have at most 40 characters').optional(),
  SCOPES: z
    .string()
    .default('openid email profile')
    .refine((text) => /^openid\b/.test(text), 'must begin with openid'),
  ALLOWED_DOMAINS: domains,
  ALLOWED_GROUPS: names,
  GROUPS_CLAIM: z.string().default('groups'),
  ADMIN_GROUPS: names,
  SUBSCRIBED_GROUPS: names,
  TRUST_EMAIL: flagSetting(false),
  ACR_VALUES: names,
  LINK_SLACK: flagWithoutDefault,
};
type Shape = typeof shape;
type Ending = keyof Shape;
type Values = z.output<z.ZodObject<Shape>>;

const prefixed = (prefix: string) =>
  Object.fromEntries(Object.entries(shape).map(([ending, schema]) => [`${prefix}_${ending}`, schema]));

/** The settings of the provider without a name. */
export const providerShape = prefixed('OIDC') as { [E in Ending as `OIDC_${E}`]: Shape[E] };

const secretEndings = Object.entries<z.core.$ZodType>(shape)
  .filter(([, schema]) => isSecretSetting(schema))
  .map(([ending]) => ending);

const namedSetting = new RegExp(`^(OIDC_[A-Z][A-Z0-9_]*?)_(?:${Object.keys(shape).join('|')})(?:_FILE)?$`);

/** What the settings of providers begin with that have names: `OIDC_OKTA`. */
export const namedPrefixes = (settings: string[]): string[] => [
  ...new Set(settings.flatMap((name) => namedSetting.exec(name)?.[1] ?? [])),
];

/** The settings of providers with names, and those of them that are secrets. */
export const providerSettings = (prefix: string): string[] => Object.keys(prefixed(prefix));
export const providerSecrets = (prefix: string): string[] =>
  secretEndings.map((ending) => `${prefix}_${ending}`);

/** How to reach an identity provider, as which client, and whom it may sign in. */
export type ProviderSettings = {
  /** Part of its addresses here. */
  name: string;
  label: string;
  issuer: string;
  clientId: string;
  /** Undefined for a public client. */
  clientSecret: string | undefined;
  scopes: string;
  rules: ProviderRules;
};

/** The providers of all settings, and what is wrong with those that have names. */
export function readProviders(set: Record<string, string>, named: string[]) {
  const found = ['OIDC', ...named].map((prefix) => readProvider(set, prefix));
  return {
    providers: found.flatMap(({ provider }) => provider ?? []),
    problems: found.flatMap(({ problems }) => problems),
  };
}

function readProvider(
  set: Record<string, string>,
  prefix: string,
): { provider?: ProviderSettings; problems: string[] } {
  const isOff = ['ISSUER', 'CLIENT_ID', 'CLIENT_SECRET'].every(
    (ending) => set[`${prefix}_${ending}`] === undefined,
  );
  if (isOff) return { problems: [] };
  const own = Object.keys(shape).flatMap((ending) => {
    const text = set[`${prefix}_${ending}`];
    return text === undefined ? [] : [[ending, text]];
  });
  const parsed = z.object(shape).safeParse(Object.fromEntries(own));
  const problems = (parsed.error?.issues ?? []).map(
    ({ path, message }) => `${prefix}_${path.join('.')} ${message}`,
  );
  for (const ending of ['ISSUER', 'CLIENT_ID'])
    if (set[`${prefix}_${ending}`] === undefined)
      problems.push(`${prefix}_${ending} must be set when another setting of that provider is`);
  const { ISSUER: given = '', LINK_SLACK } = parsed.data ?? {};
  if (LINK_SLACK === true && !isSlack(given) && !isLoopback(maybeUrl(given)?.hostname ?? ''))
    problems.push(`${prefix}_LINK_SLACK must be off: only ${slackIssuers[0]} says who somebody is in Slack`);
  const name = prefix === 'OIDC' ? 'oidc' : prefix.slice('OIDC_'.length).toLowerCase().replaceAll('_', '-');
  if (prefix === 'OIDC_OIDC') problems.push('OIDC_OIDC_ISSUER must have another name than OIDC');
  const provider = parsed.success ? toProvider(name, parsed.data) : undefined;
  return { ...(provider && { provider }), problems };
}

function toProvider(name: string, values: Values): ProviderSettings | undefined {
  const { ISSUER, CLIENT_ID } = values;
  if (ISSUER === undefined || CLIENT_ID === undefined) return undefined;
  const named = name.charAt(0).toUpperCase() + name.slice(1);
  return {
    name,
    label: values.LABEL ?? (name === 'oidc' ? new URL(ISSUER).hostname : named),
    issuer: ISSUER,
    clientId: CLIENT_ID,
    clientSecret: values.CLIENT_SECRET,
    scopes: values.SCOPES,
    rules: {
      trustsEmail: values.TRUST_EMAIL,
      allowedDomains: values.ALLOWED_DOMAINS,
      allowedGroups: values.ALLOWED_GROUPS,
      groupsClaim: values.GROUPS_CLAIM,
      adminGroups: values.ADMIN_GROUPS,
      subscribedGroups: values.SUBSCRIBED_GROUPS,
      acrValues: values.ACR_VALUES,
      linksSlack: values.LINK_SLACK ?? isSlack(ISSUER),
    },
  };
}
