import { DomainError, type Problems } from '../../errors.ts';
import { dayMs, hourMs, minuteMs } from '../../time.ts';
import { isOmitted } from '../base/index.ts';
import { eachFlag, type PushFlag, recipientsMax } from '../pushes/index.ts';
import type { FormDefaults } from './formDefaults.ts';

/** A submitted form. Undefined fields follow the defaults. */
export type PushForm = { [Name in PushFlag]?: boolean | undefined } & {
  kind?: string | undefined;
  encrypted?: boolean | undefined;
  payload: string;
  /** E-mail addresses, as they were typed: each is a recipient, whose link goes there and opens with a code. */
  emails?: string | undefined;
  /** With recipients, the views of each: one by default. */
  expireAfterViews?: number | string | undefined;
  /** Whether each recipient gets a link only when they ask for it; true by default. */
  isBound?: boolean | undefined;
  expireAfterDays?: number | string | undefined;
  /** Hours and minutes replace days. */
  expireAfterHours?: number | string | undefined;
  expireAfterMinutes?: number | string | undefined;
  passphrase?: string | undefined;
  name?: string | undefined;
  note?: string | undefined;
  notify?: object | undefined;
};

type PushInput = Omit<PushForm, 'isBound' | 'emails' | 'retrievalStep'> &
  Required<Pick<PushForm, 'expireAfterViews'>> & { retrievalStep: true };

/**
 * Converts a form and its defaults to the input of a push for so many recipients. Always sets the retrieval step, since
 * chats preview links. Drops everything but the fields of a form.
 */
export function toPushInput(form: PushForm, defaults: FormDefaults, recipients: number): PushInput {
  const { kind, encrypted, payload, passphrase, name, note, notify } = form;
  const [expireAfterHours, expireAfterMinutes] = [
    unlessOmitted(form.expireAfterHours),
    unlessOmitted(form.expireAfterMinutes),
  ];
  const isShort = expireAfterHours !== undefined || expireAfterMinutes !== undefined;
  return {
    kind,
    encrypted,
    payload,
    passphrase,
    name,
    note,
    ...(isShort
      ? { expireAfterHours, expireAfterMinutes }
      : { expireAfterDays: unlessOmitted(form.expireAfterDays) ?? defaults.days }),
    expireAfterViews:
      recipients === 0
        ? (unlessOmitted(form.expireAfterViews) ?? defaults.views)
        : recipients * viewsPerRecipient(form, defaults, recipients),
    notify,
    ...eachFlag((flag) => form[flag]),
    retrievalStep: true,
  };
}

/** How often the link of each recipient opens a push: once, unless the form, they or their workspace have set a number. */
export const viewsPerRecipient = (
  { expireAfterViews }: PushForm,
  { viewsForOne, maxViews }: FormDefaults,
  recipients: number,
): number =>
  Number(
    unlessOmitted(expireAfterViews) ?? Math.max(1, Math.min(viewsForOne, Math.floor(maxViews / recipients))),
  );

/** Defaults must be set here: those of the push schema may exceed the workspace's limits. */
const unlessOmitted = (value: number | string | undefined) => (isOmitted(value) ? undefined : value);

/** Throws `invalid`, naming each field, for what the workspace does not allow. */
export function requireWithinRules(
  { maxViews, maxDays, requireRecipients }: FormDefaults,
  { expireAfterViews, expireAfterDays = 0, expireAfterHours = 0, expireAfterMinutes = 0 }: PushInput,
  recipients: number,
): void {
  const lifetimeMs =
    Number(expireAfterDays) * dayMs +
    Number(expireAfterHours) * hourMs +
    Number(expireAfterMinutes) * minuteMs;
  const problems: Problems = {};
  if (requireRecipients && recipients === 0) problems.recipients = [{ code: 'requiredByWorkspace' }];
  if (recipients > recipientsMax) problems.recipients = [{ code: 'maxCount', max: recipientsMax }];
  const maxEach = Math.floor(maxViews / Math.max(1, recipients));
  if (maxEach === 0) problems.recipients = [{ code: 'workspaceMax', max: maxViews }];
  else if (Number(expireAfterViews) > maxViews)
    problems.expireAfterViews = [{ code: 'workspaceMax', max: maxEach }];
  if (lifetimeMs > maxDays * dayMs) problems.expireAfterDays = [{ code: 'workspaceMax', max: maxDays }];
  if (Object.keys(problems).length > 0) throw new DomainError('invalid', { problems });
}
