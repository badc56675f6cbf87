import { z } from 'zod';
import { passwordBytesMax } from '../../crypto/pepper.ts';
import { dayMs } from '../../time.ts';
import { noticeKinds } from '../notices/events.ts';
import { type NoticeSwitch, noticeSwitches, viewedOptions } from '../notices/preferences.ts';
import type { PushSettings } from '../settings.ts';
import { asMessage } from '../validation.ts';
import { durationFields, lifetimeOf, secondDuration } from './durations.ts';
import {
  flag,
  hasAtMost,
  integer,
  isBlank,
  optionalFlag,
  optionalInteger,
  optionalText,
  optionalTextOf,
  tooLong,
  wellFormedText,
} from './fields.ts';
import { type PayloadInput, payloadMax, payloadProblem } from './payload.ts';
import { pushKinds } from './push.ts';

/** As many people as a push can be made for. */
export const recipientsMax = 50;
/** In characters. */
const recipientNameMax = 100;
const nameMax = 255;
const noteMax = 2_000;

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
      passphrase: optionalText()
        .refine(
          (text) => text === null || Buffer.byteLength(text) <= passwordBytesMax,
          asMessage({ code: 'maxLength', max: passwordBytesMax, unit: 'bytes' }),
        )
        .meta({ description: `What viewers must enter, at most ${passwordBytesMax} bytes` }),
      name: optionalTextOf(nameMax).meta({ description: 'Shown to the creator' }),
      note: optionalTextOf(noteMax).meta({
        description: 'Shown to the creator; stored only for authenticated callers',
      }),
      ...durationFields({ days: bounds.expireAfterDays, daysByDefault: defaults.expireAfterDays }),
      expireAfterViews: optionalInteger(bounds.expireAfterViews).meta({
        default: defaults.expireAfterViews,
        description: `Views until the push expires; ${defaults.expireAfterViews} by default, and with recipients as many as all of them have`,
      }),
      recipients: recipientNames().meta({
        description: `The names of at most ${recipientsMax} people who get a link each, with views that nobody else can use. Needs an account`,
      }),
      viewsPerRecipient: integer({ min: 1, max: viewsMax }, 1).meta({
        description: 'How often the link of each recipient opens the push; 1 by default',
      }),
      deletableByViewer: flag(defaults.deletableByViewer).meta({
        description: `Whether anybody with the link may expire the push; ${defaults.deletableByViewer} by default`,
      }),
      retrievalStep: flag(defaults.retrievalStep).meta({
        description: `Whether the page asks before it uses a view, so that link previews use none; ${defaults.retrievalStep} by default`,
      }),
      notify: noticePreferences().meta({
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
        asMessage({ code: 'maxCount', max: Math.floor(viewsMax / (input as Reserving).viewsPerRecipient) }),
    })
    .refine(hasViewsOfRecipients, {
      path: ['expireAfterViews'],
      error: ({ input }) => asMessage({ code: 'unequalViews', views: reservedViewsIn(input as Reserving) }),
    })
    .transform(({ expireAfterViews, ...push }) => {
      const { expireAfterDays, expireAfterHours, expireAfterMinutes, expireAfterDuration, ...rest } = push;
      const lifetimeMs = lifetimeOf(push) ?? defaults.expireAfterDays * dayMs;
      const viewsMax = reservedViewsIn(push) || (expireAfterViews ?? defaults.expireAfterViews);
      return { ...rest, viewsMax, lifetimeMs };
    });
}

/** The views of all recipients together. */
const reservedViewsIn = ({ recipients, viewsPerRecipient }: Reserving) =>
  recipients.length * viewsPerRecipient;

type Reserving = { recipients: string[]; viewsPerRecipient: number };

/** Whether the views of a push are those of its recipients, if it has any. */
function hasViewsOfRecipients(push: Reserving & { expireAfterViews?: number | undefined }): boolean {
  const reserved = reservedViewsIn(push);
  return reserved === 0 || push.expireAfterViews === undefined || push.expireAfterViews === reserved;
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

const isObject = ({ value }: { value: unknown }) => typeof value === 'object' && value !== null;

/** The notices that the creator chose. Unset ones follow the account's preferences. */
function noticePreferences() {
  return z.preprocess(
    (value) => value ?? {},
    z.object(
      {
        viewed: z
          .preprocess(
            (value) => (isBlank(value) ? undefined : value),
            z.enum(viewedOptions, asMessage({ code: 'oneOf', values: viewedOptions })).optional(),
          )
          .meta({ description: noticeKinds.viewed.description }),
        ...(Object.fromEntries(
          noticeSwitches.map((kind) => [
            kind,
            optionalFlag().meta({ description: noticeKinds[kind].description }),
          ]),
        ) as Record<NoticeSwitch, ReturnType<typeof optionalFlag>>),
      },
      asMessage({ code: 'object' }),
    ),
  );
}

/** Public clients send `password`, which Password Pusher once ignored. */
function readKind(kind: unknown): unknown {
  return kind == null || kind === 'password' ? 'text' : kind;
}

function orDefault(byDefault: string) {
  return (value: unknown) => value ?? byDefault;
}
