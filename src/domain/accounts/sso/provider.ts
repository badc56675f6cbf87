import { DomainError } from '../../../errors.ts';

/** The operator's rules for those whom one provider signs in. An empty list asks for nothing. */
export type ProviderRules = {
  /** Whether this issuer proves addresses, so that an address alone joins an account. */
  trustsEmail: boolean;
  allowedDomains: string[];
  allowedGroups: string[];
  groupsClaim: string;
  adminGroups: string[];
  subscribedGroups: string[];
  /** What is asked of the provider, and says as `acr` or in `amr` that it asked for several factors. */
  acrValues: string[];
  /** Whether it says whom somebody is in Slack. */
  linksSlack: boolean;
};

/** What ties the answer of a provider to its question: `state` to the request, `nonce` to the ID token, the verifier to the code. */
export type SignInFlow = { state: string; nonce: string; codeVerifier: string };

/** Whom a provider vouches for. The claims are those of the ID token, and of UserInfo where that lacks some. */
export type Identified = {
  issuer: string;
  subject: string;
  /** The session at the provider (`sid`), which its back-channel logout names. */
  providerSession: string | undefined;
  idToken: string;
  /** When its user proved there who they are (`auth_time`), in epoch milliseconds; undefined if it does not say. */
  authenticatedAt: number | undefined;
  claims: Record<string, unknown>;
};

/** A logout token whose signature, issuer, audience and age are right. */
export type LogoutToken = {
  issuer: string;
  tokenId: string;
  subject: string | undefined;
  providerSession: string | undefined;
};

/**
 * An OpenID Connect provider. Adapters implement it, with every check of the protocol; they know no accounts. Each function
 * throws `unavailable` while the provider is out of reach, and `forbidden` for an answer that is wrong.
 */
export type IdentityProvider = {
  name: string;
  label: string;
  issuer: string;
  rules: ProviderRules;
  /** Where a browser asks the provider to sign its user in: once more, although it knows them, if `isFresh`. */
  authorizationUrl(flow: SignInFlow, options?: { isFresh?: boolean | undefined }): Promise<string>;
  /** Exchanges the code of the provider's answer, and verifies the ID token. */
  identify(answer: URLSearchParams, flow: SignInFlow): Promise<Identified>;
  /** Throws `invalid` for a token that is none, or too old. */
  readLogoutToken(token: string): Promise<LogoutToken>;
  /** Where a browser ends its session at the provider; undefined if the provider has no such page. */
  maybeEndSessionUrl(idToken: string | undefined): Promise<string | undefined>;
};

export function requireProvider(providers: IdentityProvider[], name: string): IdentityProvider {
  const provider = providers.find((each) => each.name === name);
  if (provider === undefined) throw new DomainError('not_found', 'providerNotFound');
  return provider;
}

/** Whether a token's issuer is that of a provider. Settings and documents differ in the slash at the end. */
export const isIssuerOf = ({ issuer }: IdentityProvider, given: string): boolean =>
  issuer.replace(/\/$/, '') === given.replace(/\/$/, '');
