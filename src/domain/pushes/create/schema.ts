import { z } from 'zod';
import { passwordBytesMax } from '../../../crypto/pepper.ts';
import { dayMs } from '../../../time.ts';
import {
  asMessage,
  flag,
  isBlank,
  optionalFlag,
  optionalInteger,
  optionalTextOf,
  type PushSettings,
  wellFormedText,
} from '../../base/index.ts';
import { type NoticeSwitch, noticeKinds, noticeSwitches, viewedOptions } from '../../outbox/index.ts';
import { eachFlag, type PushFlag, pushFlags } from '../flags.ts';
import { passphraseSchema } from '../passphrase.ts';
import { encryptedKinds, payloadMax, payloadProblem, pushKinds } from '../payload.ts';
import { durationFields, lifetimeOf, secondDuration } from './durations.ts';
import {
  hasViewsOfRecipients,
  type RecipientViews,
  recipientFields,
  reservedViewsIn,
} from './recipientFields.ts';

/** The longest texts about a push, in characters. */
export const pushTextMax = { name: 255, note: 2_000, sender: 100 };

export type PushSchema = ReturnType<typeof buildPushSchema>;

/**
 * The validation of a push's input, with the operator's defaults and bounds. The API, the pages and the chats share it.
 * Valid input is parsed by generated code, in less than half the time. That stops at the first error, so all other input
 * is parsed again, by Zod itself, to report everything that is wrong at once.
 */
export function buildPushSchema(settings: PushSettings) {
  const valid = z.compile(schemaOf(settings), { strict: true });
  return z.withParser(schemaOf(settings, evenIfInvalid), (input) => {
    if (hasLongPayload(input)) return z.INVALID; // to check it takes long, so that is done once
    const { success, data } = valid.safeParse(input);
    return success ? data : z.INVALID;
  });
}

const longPayload = 65_536;

function hasLongPayload(input: unknown): boolean {
  const { payload } = (input ?? {}) as { payload?: unknown };
  return typeof payload === 'string' && payload.length > longPayload;
}

/** Runs a check of the whole push even if one of its fields is invalid. */
const evenIfInvalid = {
  when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
};

function schemaOf(
  { defaults, bounds, mailDomains }: PushSettings,
  wholePush: Partial<typeof evenIfInvalid> = {},
) {
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
      passphrase: passphraseSchema().meta({
        description: `What viewers must enter, at most ${passwordBytesMax} bytes`,
      }),
      sender: optionalTextOf(pushTextMax.sender).meta({
        description: 'Who shares it, such as “Ana, IT”: shown to whoever opens the push, with the secret',
      }),
      name: optionalTextOf(pushTextMax.name).meta({ description: 'Shown to the creator' }),
      note: optionalTextOf(pushTextMax.note).meta({
        description: 'Shown to the creator; stored only for authenticated callers',
      }),
      ...durationFields({ days: bounds.expireAfterDays, daysByDefault: defaults.expireAfterDays }),
      expireAfterViews: optionalInteger(bounds.expireAfterViews).meta({
        default: defaults.expireAfterViews,
        description: `Views until the push expires; ${defaults.expireAfterViews} by default, and with recipients as many as all of them have`,
      }),
      ...recipientFields({ bounds, mailDomains }),
      ...eachFlag((name) => flagField(pushFlags[name], defaults)),
      notify: noticeFields().meta({
        description:
          'Notices for the creator; unset ones follow the account. Stored only for authenticated callers',
      }),
    })
    .superRefine((push, { addIssue }) => {
      const problem = payloadProblem(push);
      if (problem) addIssue({ code: 'custom', path: ['payload'], message: asMessage(problem) });
    }, wholePush)
    .refine(({ encrypted, kind }) => !encrypted || encryptedKinds.includes(kind), {
      path: ['kind'],
      error: asMessage({ code: 'oneOf', values: encryptedKinds }),
    })
    .superRefine((push, { addIssue }) => {
      const second = secondDuration(push);
      if (second)
        addIssue({ code: 'custom', path: [second], message: asMessage({ code: 'secondDuration' }) });
    }, wholePush)
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
    .transform((push) =>
      Object.assign(push, {
        viewsMax: reservedViewsIn(push) || (push.expireAfterViews ?? defaults.expireAfterViews),
        lifetimeMs: lifetimeOf(push) ?? defaults.expireAfterDays * dayMs,
      }),
    );
}

function flagField(
  { byDefault, description }: (typeof pushFlags)[PushFlag],
  defaults: PushSettings['defaults'],
) {
  const value = byDefault(defaults);
  return flag(value).meta({ description: `${description}; ${value} by default` });
}

/** Public clients send `password`, which Password Pusher once ignored. */
function readKind(kind: unknown): unknown {
  return kind == null || kind === 'password' ? 'text' : kind;
}

function orDefault(byDefault: string) {
  return (value: unknown) => value ?? byDefault;
}

/** The notices that the creator chose. Unset ones follow the account's preferences. */
function noticeFields() {
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
