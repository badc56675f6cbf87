import { z } from 'zod';
import { maybeMailAddress } from '../../../mailAddress.ts';
import {
  asMessage,
  flag,
  hasAtMost,
  integer,
  isBlank,
  type PushSettings,
  tooLong,
  wellFormedText,
} from '../../base/index.ts';

/** As many people as a push can be made for. */
export const recipientsMax = 50;
/** In characters. */
const recipientNameMax = 100;
const addressMax = 254;

/** What an input says about recipients and their views. */
export type RecipientViews = { recipients: string[]; viewsPerRecipient: number };

/**
 * The fields of a push's input that say who it is for. `viewsMax` is how many views a push can have, `mailDomains` where mails may
 * go; null where there is no mail server.
 */
export function recipientFields({ bounds, mailDomains }: Pick<PushSettings, 'bounds' | 'mailDomains'>) {
  const byMail =
    mailDomains === null ? '' : '. Whoever is named by an e-mail address gets their link in a mail';
  return {
    recipients: recipientNames(mailDomains).meta({
      description: `The names of at most ${recipientsMax} people who get a link each, with views that nobody else can use${byMail}. Needs an account`,
    }),
    viewsPerRecipient: integer({ min: 1, max: bounds.expireAfterViews.max }, 1).meta({
      description: 'How often the link of each recipient opens the push; 1 by default',
    }),
    recipientCode: flag(true).meta({
      description:
        'Whether the links of recipients who are named by an e-mail address open only with a code that goes to that address at that moment; true by default',
    }),
  };
}

function recipientNames(mailDomains: string[] | null) {
  const name = wellFormedText()
    .trim()
    .min(1, asMessage({ code: 'required' }))
    .refine(
      (text) => hasAtMost(mailDomains !== null && isLikeAddress(text) ? addressMax : recipientNameMax, text),
      asMessage(tooLong(recipientNameMax)),
    )
    .transform((text, context) =>
      mailDomains === null || !isLikeAddress(text) ? text : readAddress(text, mailDomains, context),
    );
  const count = asMessage({ code: 'maxCount', max: recipientsMax });
  return z.preprocess(
    (value) => (isBlank(value) ? [] : typeof value === 'string' ? [value] : value),
    z.array(name).max(recipientsMax, count).transform(withoutRepeated),
  );
}

/** Whether a name is meant as an e-mail address. `@bob` and `Bob @ Acme` are names. */
const isLikeAddress = (text: string) => /[^\s@]@+[^\s@]/.test(text);

/** For a transform: an e-mail address as it is stored. Adds an issue if it is none, or none where links may be mailed to. */
export function readAddress(text: string, domains: string[], context: z.RefinementCtx<string>): string {
  const address = maybeMailAddress(text);
  // `addIssue` of generated code needs its `this`.
  if (address === undefined) context.addIssue(asMessage({ code: 'email' }));
  else if (!isMailAllowed(address, domains))
    context.addIssue(asMessage({ code: 'mailDomain', values: domains }));
  return address ?? text;
}

/** Whether links may be mailed to an address. */
export const isMailAllowed = (address: string, domains: string[]): boolean =>
  domains.length === 0 || domains.includes(address.slice(address.indexOf('@') + 1));

/** Each e-mail address once. Several people may have the same name. */
function withoutRepeated(names: string[]): string[] {
  const keyOf = (text: string, index: number) => (maybeMailAddress(text) ?? String(index)).toLowerCase();
  return [...new Map(names.map((text, index) => [keyOf(text, index), text])).values()];
}

/** The views of all recipients together. */
export const reservedViewsIn = ({ recipients, viewsPerRecipient }: RecipientViews): number =>
  recipients.length * viewsPerRecipient;

/** Whether the views of a push are those of its recipients, if it has any. */
export function hasViewsOfRecipients(
  push: RecipientViews & { expireAfterViews?: number | undefined },
): boolean {
  const reserved = reservedViewsIn(push);
  return reserved === 0 || push.expireAfterViews === undefined || push.expireAfterViews === reserved;
}
