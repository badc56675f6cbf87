/** What a session begins with. */
type SignInWay = 'password' | 'provider' | 'passkey' | 'chat' | 'link';

/**
 * What somebody has proved with: `otp` is a code of an authenticator, `recovery` one of the codes for its loss. `mfa` if an
 * identity provider said that it asked for more than one factor (RFC 8176).
 */
const signInFactors = ['password', 'otp', 'recovery', 'passkey', 'provider', 'mfa', 'chat'] as const;
export type SignInFactor = (typeof signInFactors)[number];

/**
 * How somebody signed in. `name` is that of the provider, of the passkey, or of the chat. `authenticatedAt` is when they proved who
 * they are, in epoch milliseconds: now, if it is left out or the clock there is ahead, and 0 if nobody knows.
 */
export type SignInMethod = {
  way: SignInWay;
  name?: string | undefined;
  factors: readonly SignInFactor[];
  authenticatedAt?: number | undefined;
};

export const byPassword: SignInMethod = { way: 'password', factors: ['password'] };

/** As a column stores them. */
export const encodeFactors = (factors: readonly SignInFactor[]): string => factors.join();

export const decodeFactors = (stored: string | null): SignInFactor[] =>
  signInFactors.filter((factor) => stored?.split(',').includes(factor));
