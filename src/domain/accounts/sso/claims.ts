import { DomainError } from '../../../errors.ts';
import { accountSchema } from '../accountSchema.ts';
import type { IdentityProvider } from './provider.ts';

/** What claims say of somebody, by the rules of their provider. */
export type Granted = {
  email: string | undefined;
  /** Whether the provider says that the address was proved to be theirs. */
  isEmailVerified: boolean;
  /** Undefined where no setting follows the provider's groups. */
  isAdmin: boolean | undefined;
  subscribed: boolean | undefined;
};

type Claims = Record<string, unknown>;
type Provider = Pick<IdentityProvider, 'label' | 'rules'>;

/** Its addresses may be of any domain; `hd` is the organisation that manages the account (Google, OpenID Connect). */
const google = 'https://accounts.google.com';

/**
 * Reads what a provider's claims grant. Throws `forbidden` for somebody whom the settings do not let in, with what to do about it:
 * another domain, an address without proof, another group, groups that are missing or left out.
 */
export function readClaims(provider: Provider, issuer: string, claims: Claims): Granted {
  const { adminGroups, subscribedGroups, allowedGroups } = provider.rules;
  const parsed = accountSchema.shape.email.safeParse(claims.email);
  const email = parsed.success ? parsed.data : undefined;
  const isEmailVerified = isTrue(claims.email_verified) || isTrue(claims.xms_edov);
  requireDomain(provider, email, isEmailVerified, issuer === google ? claims.hd : email?.split('@')[1]);
  const groups = asksForGroups(provider.rules) ? groupsIn(claims, provider) : undefined;
  const isIn = (wanted: string[]) => wanted.some((group) => groups?.includes(group));
  if (allowedGroups.length > 0 && !isIn(allowedGroups))
    throw new DomainError('forbidden', groups === undefined ? 'providerWithoutGroups' : 'providerGroup', {
      values: { provider: provider.label, claim: provider.rules.groupsClaim },
    });
  return {
    email,
    isEmailVerified,
    isAdmin: adminGroups.length > 0 ? isIn(adminGroups) : undefined,
    subscribed: subscribedGroups.length > 0 ? isIn(subscribedGroups) : undefined,
  };
}

/** Only an address that was proved says something about its domain. */
function requireDomain(
  { label, rules }: Provider,
  email: string | undefined,
  isEmailVerified: boolean,
  domain: unknown,
): void {
  if (rules.allowedDomains.length === 0) return;
  const values = { provider: label };
  if (email === undefined) throw new DomainError('forbidden', 'providerWithoutEmail', { values });
  if (!isEmailVerified) throw new DomainError('forbidden', 'providerEmailUnproved', { values });
  if (!rules.allowedDomains.includes(String(domain).toLowerCase()))
    throw new DomainError('forbidden', 'providerDomain', { values });
}

const asksForGroups = ({
  adminGroups,
  subscribedGroups,
  allowedGroups,
}: IdentityProvider['rules']): boolean =>
  [adminGroups, subscribedGroups, allowedGroups].some((groups) => groups.length > 0);

/** Whether claims lack what the rules of a provider ask for, so that UserInfo may have it. */
export const lacksClaims = (rules: IdentityProvider['rules'], claims: Claims): boolean =>
  claims.email === undefined || (asksForGroups(rules) && claimAt(claims, rules.groupsClaim) === undefined);

const knowledge = ['pwd', 'pin', 'kba'];
const possession = ['otp', 'hwk', 'swk', 'sc', 'sms', 'tel', 'fpt', 'face', 'iris', 'retina', 'vbm'];

/** What `acr` says of more than one factor: OpenID EAP ACR Values 1.0, and PAPE 1.0. */
const strongClasses = ['phr', 'phrh', 'http://schemas.openid.net/pape/policies/2007/06/multi-factor'];

/** Whether a provider says that it asked for more than one factor (`amr`, RFC 8176; `acr`), in words of its own if the settings list them. */
export function hasSecondFactor(
  { acrValues }: Pick<IdentityProvider['rules'], 'acrValues'>,
  claims: Claims,
): boolean {
  const { amr, acr } = claims;
  const methods = [amr].flat();
  if ([acr, ...methods].some((value) => acrValues.includes(String(value)))) return true;
  if (strongClasses.includes(String(acr))) return true;
  const hasOneOf = (names: string[]) => names.some((name) => methods.includes(name));
  return methods.includes('mfa') || (hasOneOf(knowledge) && hasOneOf(possession));
}

/** Some providers send it as text. Microsoft's `xms_edov` is `1` as well. */
const isTrue = (claim: unknown): boolean => [true, 'true', 1, '1'].includes(claim as string);

/**
 * The names of somebody's groups; undefined if there is no such claim: some providers leave it out for whoever is in none. Entra
 * leaves it out as well above 200 groups, and says where to ask for them (`_claim_names`, or `hasgroups`): that is an error, since
 * nobody may lose rights by being in too many groups.
 */
function groupsIn(claims: Claims, { label, rules }: Provider): string[] | undefined {
  const claim = rules.groupsClaim;
  const names = claims._claim_names;
  const isElsewhere = typeof names === 'object' && names !== null && Object.hasOwn(names, claim);
  const found = claimAt(claims, claim);
  if (found === undefined && (isElsewhere || isTrue(claims.hasgroups)))
    throw new DomainError('forbidden', 'providerGroupsOverage', { values: { provider: label } });
  if (found === undefined) return undefined;
  return [found].flat().filter((group): group is string => typeof group === 'string');
}

/** A claim by its name, or by its path: Keycloak has the roles of a realm at `realm_access.roles`. */
function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  let value: unknown = claims;
  for (const name of path.split('.'))
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Claims)[name]
        : undefined;
  return value;
}
