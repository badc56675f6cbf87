import type { DatabaseWithKeys, OneTimeLinks, SignInSettings } from '../base/index.ts';
import type { Limits, PasswordHasher } from '../limits/index.ts';
import type { AccountActs } from './acts.ts';
import type { StepUp } from './factors/stepUp.ts';
import type { KnownBrowsers } from './knownBrowsers.ts';
import type { SecurityLog } from './security/log.ts';
import type { Sessions } from './sessions.ts';

/** What the use cases of accounts work with. */
export type AccountDependencies = DatabaseWithKeys & {
  links: OneTimeLinks;
  limits: Limits;
  passwords: PasswordHasher;
  knownBrowsers: KnownBrowsers;
  sessions: Sessions;
  acts: AccountActs;
  stepUp: StepUp;
  securityLog: SecurityLog;
  settings: SignInSettings;
};
