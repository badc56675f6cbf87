import { z } from 'zod';
import type { Problem } from '../../errors.ts';
import { dayMs, hourMs, minuteMs } from '../../time.ts';
import { type NoticeSwitch, noticeKinds, noticeSwitches, viewedOptions } from '../notices/preferences.ts';
import type { Bounds, PushSettings } from '../settings.ts';
import { asMessage } from '../validation.ts';
import { pushKinds } from './push.ts';

const shortestMs = 5 * minuteMs;

const textMax = 1_048_576;
const qrMax = 1_024;
const urlMax = 2_048;
const nameMax = 255;
const noteMax = 2_000;
const passphraseMaxBytes = 1_024;

export type PushSchema = ReturnType<typeof buildPushSchema>;

/** The rules for what a creator may ask for, with the operator's defaults and bounds; every door of the service shares them. */
export function buildPushSchema({ defaults, bounds }: PushSettings) {
  const { max: daysMax } = bounds.expireAfterDays;
  return z
    .object({
      payload: z.preprocess(orDefault(''), wellFormed()).meta({
        description: `The secret: text of at most ${textMax} characters, a URL, or what a QR code holds (${qrMax})`,
      }),
      kind: z
        .preprocess(orDefault('text'), z.enum(pushKinds, asMessage({ code: 'oneOf', values: pushKinds })))
        .meta({ description: 'What the payload is; text by default' }),
      passphrase: optionalText()
        .refine(
          (text) => text === null || Buffer.byteLength(text) <= passphraseMaxBytes,
          asMessage({ code: 'maxLength', max: passphraseMaxBytes, unit: 'bytes' }),
        )
        .meta({ description: `What viewers must enter, at most ${passphraseMaxBytes} bytes` }),
      name: optionalTextOf(nameMax).meta({ description: 'Shown to the creator' }),
      note: optionalTextOf(noteMax).meta({
        description: 'Shown to the creator; kept only with a credential',
      }),
      expireAfterDays: optionalInteger(bounds.expireAfterDays).meta({
        description: `Erased after so many days; ${defaults.expireAfterDays} by default`,
      }),
      expireAfterHours: optionalInteger({ min: 1, max: daysMax * 24 }).meta({
        description: 'Or after so many hours',
      }),
      expireAfterMinutes: optionalInteger({ min: shortestMs / minuteMs, max: daysMax * 24 * 60 }).meta({
        description: 'Or after so many minutes',
      }),
      expireAfterViews: integer(bounds.expireAfterViews, defaults.expireAfterViews).meta({
        description: `Erased after so many views; ${defaults.expireAfterViews} by default`,
      }),
      deletableByViewer: flag(defaults.deletableByViewer).meta({
        description: `Whoever has the link may expire it; ${defaults.deletableByViewer} by default`,
      }),
      retrievalStep: flag(defaults.retrievalStep).meta({
        description: `The page asks before it spends a view, so link previews spend none; ${defaults.retrievalStep} by default`,
      }),
      notify: noticePreferences().meta({
        description:
          'What to tell the creator of; each by default as the account has it. Kept only with a credential',
      }),
    })
    .refine((push) => payloadProblem(push) === undefined, {
      path: ['payload'],
      error: ({ input }) => {
        const problem = payloadProblem(input as Input);
        return problem && asMessage(problem);
      },
      when: evenIfOthersFail,
    })
    .refine((push) => durationsIn(push).length <= 1, {
      path: ['expireAfterHours'],
      error: asMessage({ code: 'secondDuration' }),
      when: evenIfOthersFail,
    })
    .transform(({ expireAfterDays, expireAfterHours, expireAfterMinutes, expireAfterViews, ...push }) => ({
      ...push,
      viewsMax: expireAfterViews,
      lifetimeMs:
        (expireAfterHours ?? 0) * hourMs +
          (expireAfterMinutes ?? 0) * minuteMs +
          (expireAfterDays ?? 0) * dayMs || defaults.expireAfterDays * dayMs,
    }));
}

/** What the rules across fields see: fields that broke a rule of their own may hold anything. */
type Input = { kind?: unknown; payload?: unknown };

const evenIfOthersFail = ({ value }: { value: unknown }) => typeof value === 'object' && value !== null;

const durations = ['expireAfterDays', 'expireAfterHours', 'expireAfterMinutes'] as const;

function durationsIn(push: object): string[] {
  return durations.filter((name) => name in push && push[name as keyof typeof push] !== undefined);
}

function payloadProblem({ kind, payload }: Input): Problem | undefined {
  if (typeof payload !== 'string') return undefined;
  if (kind === 'url') return isWebAddress(payload) ? undefined : { code: 'url', max: urlMax };
  if (kind !== 'file' && !/\S/.test(payload)) return { code: 'required' };
  const max = kind === 'qr' ? qrMax : textMax;
  return hasAtMost(max, payload) ? undefined : tooLong(max);
}

/** Characters are Unicode code points, of which a JavaScript string holds at least half its length. */
function hasAtMost(max: number, text: string): boolean {
  if (text.length <= max) return true;
  if (text.length > 2 * max) return false;
  let characters = 0;
  for (const _ of text) characters++;
  return characters <= max;
}

const tooLong = (max: number): Problem => ({ code: 'maxLength', max, unit: 'characters' });

function isWebAddress(text: string): boolean {
  return text.length <= urlMax && /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) && URL.canParse(text);
}

function wellFormed() {
  return z
    .string(asMessage({ code: 'text' }))
    .refine((text) => text.isWellFormed(), asMessage({ code: 'wellFormed' }));
}

function optionalText() {
  return z.preprocess((value) => (isBlank(value) ? null : value), wellFormed().nullable());
}

function optionalTextOf(max: number) {
  return optionalText()
    .refine((text) => text === null || hasAtMost(max, text), asMessage(tooLong(max)))
    .meta({ maxLength: max });
}

function integer({ min, max }: Bounds, byDefault: number) {
  return z
    .preprocess((value) => readInteger(value) ?? byDefault, within({ min, max }))
    .meta({ default: byDefault });
}

function optionalInteger(bounds: Bounds) {
  return z.preprocess(readInteger, within(bounds).optional());
}

function within({ min, max }: Bounds) {
  const range = asMessage({ code: 'between', min, max });
  return z.int(range).min(min, range).max(max, range);
}

/** Scripts in Python that leave a number out of a form send the word None for it. */
export function isOmitted(value: unknown): boolean {
  return isBlank(value) || value === 'None';
}

function readInteger(value: unknown): unknown {
  if (isOmitted(value)) return undefined;
  return typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value) ? Number(value) : value;
}

/** Spellings of yes and no that HTML forms and older clients send. */
const spellings = new Map<unknown, boolean>([
  ...[true, 'true', 'True', 'on', 'yes', 'checked', '1', 1].map((yes): [unknown, boolean] => [yes, true]),
  ...[false, 'false', 'False', 'off', 'no', '0', 0, ''].map((no): [unknown, boolean] => [no, false]),
]);

function flag(byDefault: boolean) {
  return z
    .preprocess((value) => readFlag(value) ?? byDefault, z.boolean(asMessage({ code: 'boolean' })))
    .meta({ default: byDefault });
}

function optionalFlag() {
  return z.preprocess(readFlag, z.boolean(asMessage({ code: 'boolean' })).optional());
}

/** Undefined where nothing is said; what is neither yes nor no stays something that is no truth. */
function readFlag(value: unknown): unknown {
  return value == null ? undefined : (spellings.get(value) ?? 'neither');
}

/** Which notices the creator wants, as far as it is said. */
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

function orDefault(byDefault: string) {
  return (value: unknown) => value ?? byDefault;
}

function isBlank(value: unknown): boolean {
  return value == null || (typeof value === 'string' && value.trim() === '');
}
