import { z } from 'zod';
import { passwordBytesMax } from '../../crypto/pepper.ts';
import { dayMs } from '../../time.ts';
import type { PushSettings } from '../settings.ts';
import { asMessage } from '../validation.ts';
import { durationFields, lifetimeOf, secondDuration } from './durations.ts';
import { flag, optionalInteger, optionalText, optionalTextOf, wellFormedText } from './fields.ts';
import { noticeFields } from './noticeFields.ts';
import { encryptedKinds, type PayloadInput, payloadMax, payloadProblem } from './payload.ts';
import { pushKinds } from './push.ts';
import {
  hasViewsOfRecipients,
  type RecipientViews,
  recipientFields,
  reservedViewsIn,
} from './recipientFields.ts';

/** The longest texts about a push, in characters. */
export const pushTextMax = { name: 255, note: 2_000 };

export type PushSchema = ReturnType<typeof buildPushSchema>;

/**
 * The validation of a push's input, with the operator's defaults and bounds. The API, the pages and the chats share
 * it.
 */
export function buildPushSchema({ defaults, bounds }: PushSettings) {
  const { max: viewsMax } = bounds.expireAfterViews;
  return z
    .object({
      payload: z.preprocess(orDefault(''), wellFormedText()).meta({
        description: `The secret: text of at most ${payloadMax.text} characters, a URL, or what a QR code holds (${payloadMax.qr})`,
      }),
      kind: z
        .preprocess(readKind, z.enum(pushKinds, asMessage({ code: 'oneOf', values: pushKinds })))
        .meta({ description: 'What the payload is; text by default' }),
      encrypted: flag(false).meta({
        description:
          'Whether the payload, of kind text or file, and the files are encrypted as docs/encryption.md describes, under a key that the server never gets; false by default',
      }),
      passphrase: optionalText()
        .refine(
          (text) => text === null || Buffer.byteLength(text) <= passwordBytesMax,
          asMessage({ code: 'maxLength', max: passwordBytesMax, unit: 'bytes' }),
        )
        .meta({ description: `What viewers must enter, at most ${passwordBytesMax} bytes` }),
      name: optionalTextOf(pushTextMax.name).meta({ description: 'Shown to the creator' }),
      note: optionalTextOf(pushTextMax.note).meta({
        description: 'Shown to the creator; stored only for authenticated callers',
      }),
      ...durationFields({ days: bounds.expireAfterDays, daysByDefault: defaults.expireAfterDays }),
      expireAfterViews: optionalInteger(bounds.expireAfterViews).meta({
        default: defaults.expireAfterViews,
        description: `Views until the push expires; ${defaults.expireAfterViews} by default, and with recipients as many as all of them have`,
      }),
      ...recipientFields(viewsMax),
      deletableByViewer: flag(defaults.deletableByViewer).meta({
        description: `Whether anybody with the link may expire the push; ${defaults.deletableByViewer} by default`,
      }),
      retrievalStep: flag(defaults.retrievalStep).meta({
        description: `Whether the page asks before it uses a view, so that link previews use none; ${defaults.retrievalStep} by default`,
      }),
      notify: noticeFields().meta({
        description:
          'Notices for the creator; unset ones follow the account. Stored only for authenticated callers',
      }),
    })
    .refine((push) => payloadProblem(push) === undefined, {
      path: ['payload'],
      error: ({ input }) => {
        const problem = payloadProblem(input as PayloadInput);
        return problem && asMessage(problem);
      },
      when: isObject,
    })
    .refine(({ encrypted, kind }) => !encrypted || encryptedKinds.includes(kind), {
      path: ['kind'],
      error: asMessage({ code: 'oneOf', values: encryptedKinds }),
    })
    .superRefine(
      (push, { addIssue }) => {
        const second = secondDuration(push);
        if (second === undefined) return;
        addIssue({ code: 'custom', path: [second], message: asMessage({ code: 'secondDuration' }) });
      },
      { when: isObject },
    )
    .refine((push) => reservedViewsIn(push) <= viewsMax, {
      path: ['recipients'],
      error: ({ input }) =>
        asMessage({
          code: 'maxCount',
          max: Math.floor(viewsMax / (input as RecipientViews).viewsPerRecipient),
        }),
    })
    .refine(hasViewsOfRecipients, {
      path: ['expireAfterViews'],
      error: ({ input }) =>
        asMessage({ code: 'unequalViews', views: reservedViewsIn(input as RecipientViews) }),
    })
    .transform((push) => ({
      payload: push.payload,
      kind: push.kind,
      encrypted: push.encrypted,
      passphrase: push.passphrase,
      name: push.name,
      note: push.note,
      recipients: push.recipients,
      viewsPerRecipient: push.viewsPerRecipient,
      deletableByViewer: push.deletableByViewer,
      retrievalStep: push.retrievalStep,
      notify: push.notify,
      viewsMax: reservedViewsIn(push) || (push.expireAfterViews ?? defaults.expireAfterViews),
      lifetimeMs: lifetimeOf(push) ?? defaults.expireAfterDays * dayMs,
    }));
}

const isObject = ({ value }: { value: unknown }) => typeof value === 'object' && value !== null;

/** Public clients send `password`, which Password Pusher once ignored. */
function readKind(kind: unknown): unknown {
  return kind == null || kind === 'password' ? 'text' : kind;
}

function orDefault(byDefault: string) {
  return (value: unknown) => value ?? byDefault;
}
