import type { Problem } from '../../../errors.ts';

/** What a token must say: values by claim. One that ends in `*` is a prefix. */
export type Claims = Record<string, string>;

const claimsMax = 10;
const nameMax = 100;
const valueMax = 255;

/** All tokens of an issuer have these, or anybody chooses them. */
const sayNothing = ['iss', 'aud', 'exp', 'nbf', 'iat', 'jti', 'auth_time', 'azp', 'typ'];

/**
 * Issuers that anybody gets tokens of, and their claims that say whose a token is. Others, such as `ref`, are the same for all
 * their customers.
 */
const sharedIssuers = new Map([
  [
    'https://token.actions.githubusercontent.com',
    ['sub', 'repository', 'repository_id', 'repository_owner', 'repository_owner_id', 'job_workflow_ref'],
  ],
  ['https://gitlab.com', ['sub', 'project_path', 'project_id', 'namespace_path', 'namespace_id']],
]);

/** Claims from lines such as `repository = acme/app`, or as they are. */
export function parseClaims(input: unknown): unknown {
  if (typeof input !== 'string') return input;
  const lines = input.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
      return name === undefined ? [line, undefined] : [name, value];
    }),
  );
}

/** Claims in lines, as `parseClaims` takes them. */
export const writeClaims = (claims: Claims): string =>
  Object.entries(claims)
    .map(([name, value]) => `${name} = ${value}`)
    .join('\n');

/** What is wrong with the claims of a rule for an issuer; undefined if they match no tokens of strangers. */
export function problemOfClaims(claims: Claims, issuer: string): Problem | undefined {
  const entries = Object.entries(claims);
  if (entries.length > claimsMax) return { code: 'maxCount', max: claimsMax };
  const isTooLong = ([name, value]: [string, string]) => name.length > nameMax || value.length > valueMax;
  if (entries.some(isTooLong)) return { code: 'maxLength', max: valueMax, unit: 'characters' };
  const telling = entries.filter(([name]) => !sayNothing.includes(name));
  if (telling.length === 0) return { code: 'issuerAlone' };
  const wide = telling.find(([name, value]) => isWide(name, value));
  if (wide !== undefined) return { code: 'widePrefix', claim: wide[0] };
  const owning = sharedIssuers.get(issuer.replace(/\/$/, ''));
  if (owning !== undefined && !telling.some(([name]) => owning.includes(name)))
    return { code: 'sharedIssuer', values: owning };
  return undefined;
}

/**
 * Whether a prefix fits more than it seems to. `repo:acme/app*` fits `repo:acme/app-evil`, so a prefix ends at a delimiter. And
 * `repo:*` fits everybody: the first part of a subject says what it is, not whose.
 */
function isWide(name: string, value: string): boolean {
  if (!value.endsWith('*')) return false;
  const parts = value.slice(0, -1).split(/[:/]/);
  const isCutInside = parts.pop() !== '';
  const partsMin = name === 'sub' ? 2 : 1;
  return isCutInside || parts.length < partsMin || parts.includes('');
}

/** The first claim that a token lacks, or that differs; undefined if all match. Only text, numbers and booleans do. */
export function claimThatDiffers(claims: Claims, token: Record<string, unknown>): string | undefined {
  return Object.entries(claims).find(([name, wanted]) => {
    const given = Object.hasOwn(token, name) ? token[name] : undefined;
    if (!['string', 'number', 'boolean'].includes(typeof given)) return true;
    const text = String(given);
    return wanted.endsWith('*') ? !text.startsWith(wanted.slice(0, -1)) : text !== wanted;
  })?.[0];
}
