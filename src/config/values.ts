import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import proxyAddr from 'proxy-addr';
import { z } from 'zod';
import { maybeUrl } from '../client/url.ts';
import type { Bounds, Rate } from '../domain/index.ts';
import { maybeMailAddress } from '../mailAddress.ts';

const trueWords = ['true', 'on', 'yes', '1'];
const falseWords = ['false', 'off', 'no', '0'];

const flag = z
  .enum([...trueWords, ...falseWords], 'must be true or false')
  .transform((word) => trueWords.includes(word));

export const flagSetting = (defaultValue: boolean) => flag.default(defaultValue);

/** A flag whose default depends on other settings. */
export const flagWithoutDefault = flag.optional();

/** A setting that is shown masked, and may come from a file. */
export const secretSetting = (schema: z.ZodString = z.string()) => schema.optional().meta({ isSecret: true });

export const isSecretSetting = (schema: z.core.$ZodType): boolean =>
  z.globalRegistry.get(schema)?.isSecret === true;

export const wholeNumber = ({ min, max }: Bounds) => {
  const range = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number(range).int(range).min(min, range).max(max, range);
};

export const integerSetting = (bounds: Bounds, defaultValue: number) =>
  wholeNumber(bounds).default(defaultValue);

/** Whether only this machine can reach the host. */
export function isLoopback(host: string): boolean {
  return ['localhost', '::1', '[::1]'].includes(host) || /^127(\.\d{1,3}){3}$/.test(host);
}

const units = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** `20/1m` is twenty per minute. */
function parseRate(text: string): Rate | undefined {
  const [, points, count, unit] = /^(\d{1,9})\/(\d{1,5})([smhd])$/.exec(text.trim()) ?? [];
  const rate = {
    points: Number(points),
    seconds: Number(count) * units[(unit ?? 's') as keyof typeof units],
  };
  return rate.points >= 1 && rate.seconds >= 1 ? rate : undefined;
}

export const rates = (defaultValue: string) =>
  z
    .string()
    .default(defaultValue)
    .transform((text, { addIssue }) => {
      const parsed = text.split(',').map(parseRate);
      if (parsed.includes(undefined)) addIssue('must be COUNT/PERIOD, such as 20/1m or 20/1m,300/1d');
      return parsed.filter((rate) => rate !== undefined);
    });

export const rate = (defaultValue: string) =>
  z
    .string()
    .default(defaultValue)
    .transform((text, { addIssue }) => {
      const parsed = parseRate(text);
      if (parsed === undefined) addIssue('must be COUNT/PERIOD, such as 5/10m');
      return parsed ?? { points: 1, seconds: 1 };
    });

export const databaseUrl = z
  .string()
  .default('sqlite:./data/hushpush.db')
  .refine(isDatabaseUrl, 'must be sqlite:PATH or mysql://USER:PASSWORD@HOST:PORT/DATABASE, percent-encoded')
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

export const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

export const egressProxy = z.url({
  protocol: /^https?$/,
  error: 'must be the address of an HTTP proxy, such as http://proxy.example.com:3128',
});

/** An e-mail address, or a page. */
export const contact = z.union(
  [z.email(), httpUrl],
  'must be an e-mail address, or an http or https address',
);

export const baseUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address, such as https://push.example.com' })
  .refine((url) => !/[?#]/.test(url), 'must have no query and no fragment')
  .transform((url) => url.replace(/\/+$/, ''))
  .optional();

export const filesUrl = z
  .string()
  .refine((url) => !/^s3:\/\/[^/]{0,2}(\/|$)/.test(url), {
    error: 'must name a bucket, and names of buckets have at least 3 characters',
    abort: true,
  })
  .regex(
    /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[\w!.*'()/-]*)?$/,
    'must be s3://BUCKET or s3://BUCKET/PREFIX',
  )
  .transform((url) => {
    const [, bucket = '', prefix = ''] = /^s3:\/\/([^/]+)\/?(.*?)\/?$/.exec(url) ?? [];
    return { bucket, prefix: prefix === '' ? '' : `${prefix}/` };
  })
  .optional();

/** Entries between commas or spaces. */
const list = z
  .string()
  .default('')
  .transform((text) => text.split(/[,\s]+/).filter((entry) => entry !== ''));

export const proxies = list
  .refine((entries) => !entries.some((entry) => /\/0+$/.test(entry)), {
    error: 'must not list all addresses: anybody could then claim any address, and get past every limit',
    abort: true,
  })
  .refine(areProxies, 'must list addresses or ranges, such as 10.0.0.0/8,127.0.0.1');

/** Hosts, and domains with all that is below them. */
export const hosts = list
  .transform((entries) => entries.map((entry) => entry.toLowerCase().replace(/^\*?\./, '')))
  .refine(
    (entries) => entries.every((entry) => /^([a-z\d-]+(\.[a-z\d-]+)*|\[[\da-f:.]+\])$/.test(entry)),
    'must list hosts or domains, such as files.internal,example.org',
  );

const mailDomainOf = (entry: string) => maybeMailAddress(`name@${entry}`)?.slice('name@'.length);

/** Domains of e-mail addresses, as addresses are stored. */
export const mailDomains = list
  .refine((entries) => entries.every(mailDomainOf), 'must list domains, such as example.com,example.org')
  .transform((entries) => entries.flatMap((entry) => mailDomainOf(entry) ?? []));

/** OpenID Connect Discovery 1.0, section 3: https, without query and fragment. http is for this machine alone. */
export const issuers = list.refine(
  (entries) =>
    entries.every((entry) => {
      const { protocol, hostname } = maybeUrl(entry) ?? { protocol: '', hostname: '' };
      const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
      return isSafe && !/[?#@]/.test(entry);
    }),
  'must list https addresses, such as https://kubernetes.default.svc',
);

export const origins = list.refine(
  (entries) => entries.every((entry) => entry === '*' || maybeUrl(entry)?.origin === entry),
  'must list origins, such as https://intranet.example.com, or be *',
);

/** Asks the library that will use them. */
function areProxies(entries: string[]): boolean {
  try {
    proxyAddr.compile(entries);
    return true;
  } catch {
    return false;
  }
}

export const webProcesses = z
  .string()
  .default('1')
  .refine(
    (text) => text === 'auto' || /^[1-9]\d?$/.test(text),
    'must be auto, or a whole number from 1 to 99',
  )
  .transform((text) => (text === 'auto' ? availableParallelism() : Number(text)));
