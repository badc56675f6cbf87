import type { JWTPayload, JWTVerifyOptions } from 'jose';
import { DomainError, type IdentityTokens } from '../domain/index.ts';
import { secondMs } from '../time.ts';
import { createIssuerKeys, type IssuerSettings } from './issuerKeys.ts';
import { toleranceSeconds } from './logoutToken.ts';

/** RFC 8725, section 3.1. Those with a secret are none of them, so no public key passes for one. */
const algorithms = ['RS256', 'ES256', 'EdDSA', 'Ed25519'];

/** Verifies tokens of issuers with `jose`, which is loaded when somebody first exchanges one. */
export function createIdentityTokens(settings: IssuerSettings): IdentityTokens {
  const keys = createIssuerKeys(settings);

  return {
    async verify(token, { issuer, audience, now }) {
      const { jwtVerify, errors } = await import('jose');
      const options: JWTVerifyOptions = {
        ...{ issuer, audience, algorithms, currentDate: new Date(now) },
        clockTolerance: toleranceSeconds,
        requiredClaims: ['exp'],
      };
      try {
        const { payload } = await jwtVerify(token, (...header) => keys.find(issuer, ...header), options);
        requirePast(payload, now);
        return payload;
      } catch (error) {
        if (error instanceof errors.JOSEError) throw refusalOf(error);
        // The library's word for keys that are too short, or of another kind than they say
        throw error instanceof TypeError
          ? new DomainError('forbidden', 'issuerUnusable', { cause: error })
          : error;
      }
    },
  };
}

/** The library looks at `iat` only where it limits the age. */
function requirePast({ iat = 0 }: JWTPayload, now: number): void {
  if (iat * secondMs > now + toleranceSeconds * secondMs) throw new DomainError('forbidden', 'identityEarly');
}

const codes = {
  ERR_JWT_EXPIRED: 'identityExpired',
  ERR_JOSE_ALG_NOT_ALLOWED: 'identityAlgorithm',
  ERR_JOSE_NOT_SUPPORTED: 'identityAlgorithm',
  ERR_JWKS_NO_MATCHING_KEY: 'identityKeyUnknown',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'identityKeyUnknown',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'identitySignature',
  aud: 'identityAudience',
  iss: 'identityIssuer',
  nbf: 'identityEarly',
} as const;

/** What is wrong, by the code of the library, or by the claim that failed. What the token says itself is not repeated. */
function refusalOf(error: Error & { code?: string; claim?: unknown }): DomainError {
  const { code = '', claim } = error;
  const found = [code, String(claim)].find((each): each is keyof typeof codes => Object.hasOwn(codes, each));
  if (found !== undefined) return new DomainError('forbidden', codes[found], { cause: error });
  return claim === 'exp'
    ? new DomainError('forbidden', 'identityClaim', { values: { claim }, cause: error })
    : new DomainError('forbidden', 'identityUnreadable', { cause: error });
}
