import { type AccountLinkDependencies, createPasswordLinks } from '../passwordLinks.ts';
import { createMailAsking } from './asking.ts';
import { createMailChoice } from './choice.ts';
import { createMailReading } from './reading.ts';
import { createMailLinkUses } from './using.ts';
import { createMarkVerified } from './verified.ts';

/** Says what the mails of accounts bring, for those who deliver them. */
export type ReadAccountMail = ReturnType<typeof createMailReading>;

/** Links that work once: for a new password, handed over or mailed, and those that show that an address is somebody's. */
export function createAccountLinks(given: Omit<AccountLinkDependencies, 'markVerified'>) {
  const { mail, settings } = given;
  const dependencies = { ...given, markVerified: createMarkVerified(given) };
  const { createForMail, ...passwordLinks } = createPasswordLinks(dependencies);
  return {
    passwordLinks,
    mailLinks: {
      isOn: mail.isOn,
      /** Whether whoever signs up gets a mail first. */
      verifiesSignUp: mail.isOn && settings.signUp === 'verified',
      ...createMailAsking(dependencies),
      ...createMailLinkUses(dependencies),
      ...createMailChoice(dependencies),
    },
    readAccountMail: createMailReading({ ...dependencies, createForMail }),
  };
}
