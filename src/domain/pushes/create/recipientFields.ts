import { z } from 'zod';
import { asMessage, hasAtMost, integer, isBlank, tooLong, wellFormedText } from '../../base/index.ts';

/** As many people as a push can be made for. */
export const recipientsMax = 50;
/** In characters. */
const recipientNameMax = 100;

/** What an input says about recipients and their views. */
export type RecipientViews = { recipients: string[]; viewsPerRecipient: number };

/** The fields of a push's input that say who it is for. `viewsMax` is how many views a push can have. */
export function recipientFields(viewsMax: number) {
  return {
    recipients: recipientNames().meta({
      description: `The names of at most ${recipientsMax} people who get a link each, with views that nobody else can use. Needs an account`,
    }),
    viewsPerRecipient: integer({ min: 1, max: viewsMax }, 1).meta({
      description: 'How often the link of each recipient opens the push; 1 by default',
    }),
  };
}

function recipientNames() {
  const name = wellFormedText()
    .trim()
    .min(1, asMessage({ code: 'required' }))
    .refine((text) => hasAtMost(recipientNameMax, text), asMessage(tooLong(recipientNameMax)));
  const count = asMessage({ code: 'maxCount', max: recipientsMax });
  return z.preprocess(
    (value) => (isBlank(value) ? [] : typeof value === 'string' ? [value] : value),
    z.array(name).max(recipientsMax, count),
  );
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
