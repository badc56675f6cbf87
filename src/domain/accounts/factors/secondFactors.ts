import type { Signing } from '../../../crypto/signing.ts';
import type { AccountDependencies } from '../dependencies.ts';
import { createAuthenticators } from './authenticators.ts';
import { createFactors } from './factors.ts';
import { createPasskeys } from './passkeys/passkeys.ts';
import { createRecoveryCodes } from './recoveryCodes.ts';
import { createSecondStep } from './secondStep.ts';

/** The second factors of accounts, and the step of signing in that asks for them. */
export function createSecondFactors(dependencies: AccountDependencies & { signing: Signing }) {
  const { host } = new URL(dependencies.settings.url);
  const passkeys = createPasskeys(dependencies);
  const factors = createFactors({
    ...dependencies,
    passkeys,
    authenticators: createAuthenticators({ ...dependencies, host }),
    recoveryCodes: createRecoveryCodes(dependencies),
  });
  return { factors, passkeys, secondStep: createSecondStep({ ...dependencies, factors, passkeys }) };
}
