import type { createRemoteJWKSet } from 'jose';
import type { Configuration } from 'openid-client';
import type { ProviderSettings } from '../config.ts';
import { DomainError, type LogoutToken } from '../domain/index.ts';
import { minuteMs, secondMs } from '../time.ts';

/** For each request to a provider. Nobody waits longer for one that hangs. */
export const timeoutSeconds = 5;
/** For clocks that differ. */
export const toleranceSeconds = 60;

const event = 'http://schemas.openid.net/event/backchannel-logout';
/** Unknown keys make the keys be read again, but not more often. */
const cooldownMs = minuteMs;

/**
 * Returns what reads logout tokens (OpenID Connect Back-Channel Logout 1.0, section 2.6). Throws `invalid` for one that is wrong,
 * and an error of the library while keys cannot be read. A JWKS holds public keys, so the library takes neither HS256 nor `none`.
 */
export function createLogoutTokenReader({ clientId }: Pick<ProviderSettings, 'clientId'>) {
  let keys: { of: string; find: ReturnType<typeof createRemoteJWKSet> } | undefined;

  return async (config: Configuration, token: string): Promise<LogoutToken> => {
    const jose = await import('jose');
    const { issuer, jwks_uri: of = '' } = config.serverMetadata();
    if (keys?.of !== of) {
      const timeoutDuration = timeoutSeconds * secondMs;
      keys = {
        of,
        find: jose.createRemoteJWKSet(new URL(of), { cooldownDuration: cooldownMs, timeoutDuration }),
      };
    }
    const { find } = keys;
    try {
      const { payload } = await jose.jwtVerify(token, find, {
        issuer,
        audience: clientId,
        clockTolerance: toleranceSeconds,
        maxTokenAge: '10m',
        requiredClaims: ['iat', 'jti', 'events'],
      });
      return read(issuer, payload);
    } catch (error) {
      const isOutOfReach =
        !(error instanceof jose.errors.JOSEError) || error instanceof jose.errors.JWKSTimeout;
      if (isOutOfReach) throw error;
      throw new DomainError('invalid', 'logoutTokenInvalid', { cause: error });
    }
  };
}

/** What is special to logout tokens: the event, no nonce, so that no ID token passes for one, and whom it is about. */
function read(issuer: string, { jti, sub, sid, events, nonce }: Record<string, unknown>): LogoutToken {
  const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, event);
  const [subject, providerSession] = [sub, sid].map((claim) =>
    typeof claim === 'string' ? claim : undefined,
  );
  const isAboutSomebody = subject !== undefined || providerSession !== undefined;
  if (!isLogout || nonce !== undefined || !isAboutSomebody || typeof jti !== 'string')
    throw new DomainError('invalid', 'logoutTokenInvalid');
  return { issuer, tokenId: jti, subject, providerSession };
}
