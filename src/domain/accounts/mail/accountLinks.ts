import { createPasswordLinks, type PasswordLinkDependencies } from '../passwordLinks.ts';
import type { SecurityLog } from '../security/log.ts';
import { type AskingDependencies, createMailAsking } from './asking.ts';
import { createMailChoice, type MailChoiceDependencies } from './choice.ts';
import { createMailReading, type ReadingDependencies } from './reading.ts';
import { createMailLinkUses, type UsingDependencies } from './using.ts';
import { createMarkVerified } from './verified.ts';

type Dependencies = Omit<PasswordLinkDependencies, 'markVerified'> &
  AskingDependencies &
  MailChoiceDependencies &
  Omit<UsingDependencies, 'markVerified'> &
  Omit<ReadingDependencies, 'passwordLinks'> & { securityLog: Pick<SecurityLog, 'record' | 'maybeFind'> };

/** What the mails of accounts say, for those who deliver them. */
export type AccountMails = ReturnType<typeof createAccountLinks>['accountMails'];

/** Links that work once: for a new password, handed over or mailed, and those that show that an address is somebody's. */
export function createAccountLinks(dependencies: Dependencies) {
  const { mail, settings, securityLog } = dependencies;
  const markVerified = createMarkVerified(dependencies);
  const { createForMail, ...passwordLinks } = createPasswordLinks({ ...dependencies, markVerified });
  return {
    passwordLinks,
    mailLinks: {
      isOn: mail.isOn,
      /** Whether whoever signs up gets a mail first. */
      verifiesSignUp: mail.isOn && settings.signUp === 'verified',
      ...createMailAsking(dependencies),
      ...createMailLinkUses({ ...dependencies, markVerified }),
      ...createMailChoice(dependencies),
    },
    accountMails: {
      read: createMailReading({ ...dependencies, passwordLinks: { createForMail } }),
      maybeFindEvent: securityLog.maybeFind,
    },
  };
}
