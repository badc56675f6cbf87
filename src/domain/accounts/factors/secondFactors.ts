import type { Signing } from '../../../crypto/signing.ts';
import type { DatabaseWithKeys, OneTimeLinks, SignInSettings } from '../../base/index.ts';
import type { Limits } from '../../limits/index.ts';
import type { AccountActs } from '../acts.ts';
import type { KnownBrowsers } from '../knownBrowsers.ts';
import type { SecurityLog } from '../security/log.ts';
import type { Sessions } from '../sessions.ts';
import { createAuthenticators } from './authenticators.ts';
import { createFactors } from './factors.ts';
import { createPasskeys } from './passkeys/passkeys.ts';
import { createRecoveryCodes } from './recoveryCodes.ts';
import { createSecondStep } from './secondStep.ts';
import type { StepUp } from './stepUp.ts';

type Dependencies = DatabaseWithKeys & {
  links: OneTimeLinks;
  limits: Limits;
  knownBrowsers: KnownBrowsers;
  sessions: Sessions;
  acts: AccountActs;
  stepUp: StepUp;
  securityLog: Pick<SecurityLog, 'record' | 'count'>;
  signing: Signing;
  settings: SignInSettings;
};

/** The second factors of accounts, and the step of signing in that asks for them. */
export function createSecondFactors(dependencies: Dependencies) {
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
