import { createPasswordLinks, type PasswordLinkDependencies } from '../passwordLinks.ts';
import type { SecurityLog } from '../security/log.ts';
import { type AskingDependencies, createMailAsking } from './asking.ts';
import { createMailReading, type ReadingDependencies } from './reading.ts';
import { createMailLinkUses, type UsingDependencies } from './using.ts';

type Dependencies = PasswordLinkDependencies &
  AskingDependencies &
  UsingDependencies &
  Omit<ReadingDependencies, 'passwordLinks'> & { securityLog: Pick<SecurityLog, 'record' | 'maybeFind'> };

/** What the mails of accounts say, for those who deliver them. */
export type AccountMails = ReturnType<typeof createAccountLinks>['accountMails'];

/** Links that work once: for a new password, handed over or mailed, and those that show that an address is somebody's. */
export function createAccountLinks(dependencies: Dependencies) {
  const { mail, settings, securityLog } = dependencies;
  const { createForMail, ...passwordLinks } = createPasswordLinks(dependencies);
  return {
    passwordLinks,
    mailLinks: {
      isOn: mail.isOn,
      /** Whether whoever signs up gets a mail first. */
      verifiesSignUp: mail.isOn && settings.signUp === 'verified',
      ...createMailAsking(dependencies),
      ...createMailLinkUses(dependencies),
    },
    accountMails: {
      read: createMailReading({ ...dependencies, passwordLinks: { createForMail } }),
      maybeFindEvent: securityLog.maybeFind,
    },
  };
}
