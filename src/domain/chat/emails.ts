import { DomainError } from '../../errors.ts';
import { addressesIn, maybeMailAddress } from '../../mailAddress.ts';
import type { Problem } from '../../problems.ts';
import type { PushSettings } from '../base/index.ts';
import { isMailAllowed } from '../pushes/index.ts';
import type { FormDefaults } from './formDefaults.ts';

/** As much of a text that is no address as a refusal repeats. */
const repeatedMax = 60;

/**
 * The e-mail addresses in what was typed, each once. Throws `forbidden` where there is no mail server, and `invalid` (`field`)
 * for what is no address, and for one that may not have links: by the operator's rules, or those of the workspace.
 */
export function readEmails(
  text: string | undefined,
  { mailDomains }: Pick<PushSettings, 'mailDomains'>,
  { canMail }: Pick<FormDefaults, 'canMail'>,
  field = 'emails',
): string[] {
  const refusal = (problem: Problem) => new DomainError('invalid', { problems: { [field]: [problem] } });
  const typed = addressesIn(text ?? '');
  if (typed.length === 0) return [];
  if (mailDomains === null) throw new DomainError('forbidden', 'mailOff');
  if (!canMail) throw refusal({ code: 'membersOnly' });
  const addresses = typed.map((each) => {
    const address = maybeMailAddress(each);
    if (address === undefined)
      throw refusal({ code: 'notMailable', address: each.slice(0, repeatedMax), domains: [] });
    if (!isMailAllowed(address, mailDomains))
      throw refusal({ code: 'notMailable', address, domains: mailDomains });
    return address;
  });
  return [...new Map(addresses.map((address) => [address.toLowerCase(), address])).values()];
}
