import type { Mutant } from '../history/mutants.ts';

/** Defects that this experiment must find. */
export const mailMutants: Record<string, Mutant> = {
  /** A mail that is sent again looks like another one. */
  'new-id': {
    symptom: 'under another id',
    edits: [
      {
        file: 'src/mail/transport.ts',
        find: 'messageId: identifier(id),',
        replace: 'messageId: identifier(id + Math.random()),',
      },
    ],
  },
  /** A notice counts as sent before it is. */
  'sent-before': {
    symptom: 'a mail was lost',
    edits: [
      {
        file: 'src/domain/delivery/delivery.ts',
        find: 'const attempt = await tryOnce(',
        replace: `await record(row, { outcome: 'sent' }, messenger?.giveUpAfterMs);
        const attempt = await tryOnce(`,
      },
    ],
  },
  /** Notices of a push do not wait for those before them. */
  'no-order': {
    symptom: 'out of order',
    edits: [
      {
        file: 'src/domain/delivery/queue.ts',
        find: 'const isNext = `NOT EXISTS (SELECT 1 FROM notices earlier\n  WHERE',
        replace: 'const isNext = `NOT EXISTS (SELECT 1 FROM notices earlier\n  WHERE 1 = 0 AND',
      },
    ],
  },
  /** The address of a link is logged. */
  'logged-link': {
    symptom: 'is in the log',
    edits: [
      {
        file: 'src/mail/transport.ts',
        find: "return { outcome: 'handedOver',",
        replace: "console.log(text);\n      return { outcome: 'handedOver',",
      },
    ],
  },
};
