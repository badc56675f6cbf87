import { DomainError, type Problems } from '../../errors.ts';
import { dayMs, hourMs, minuteMs } from '../../time.ts';
import { isOmitted } from '../pushes/fields.ts';
import type { FormDefaults } from './formDefaults.ts';

/** A submitted form. Undefined fields follow the defaults. */
export type PushForm = {
  kind?: string | undefined;
  payload: string;
  expireAfterViews?: number | string | undefined;
  expireAfterDays?: number | string | undefined;
  /** Hours and minutes replace days. */
  expireAfterHours?: number | string | undefined;
  expireAfterMinutes?: number | string | undefined;
  passphrase?: string | undefined;
  name?: string | undefined;
  note?: string | undefined;
  deletableByViewer?: boolean | undefined;
  notify?: object | undefined;
};

type PushInput = PushForm & Required<Pick<PushForm, 'expireAfterViews'>> & { retrievalStep: true };

/**
 * Converts a form and its defaults to the input of a push. Always sets the retrieval step, since chats preview links.
 * Drops everything but the fields of a form.
 */
export function toPushInput(form: PushForm, defaults: FormDefaults, recipients: unknown[]): PushInput {
  const { kind, payload, passphrase, name, note, deletableByViewer, notify } = form;
  const [expireAfterHours, expireAfterMinutes] = [
    unlessOmitted(form.expireAfterHours),
    unlessOmitted(form.expireAfterMinutes),
  ];
  const isShort = expireAfterHours !== undefined || expireAfterMinutes !== undefined;
  return {
    kind,
    payload,
    passphrase,
    name,
    note,
    ...(isShort
      ? { expireAfterHours, expireAfterMinutes }
      : { expireAfterDays: unlessOmitted(form.expireAfterDays) ?? defaults.days }),
    expireAfterViews: unlessOmitted(form.expireAfterViews) ?? usualViews(defaults, recipients.length),
    deletableByViewer,
    notify,
    retrievalStep: true,
  };
}

/** One view for one person, unless they or their workspace have set a number, and never fewer than recipients. */
function usualViews({ views, viewsForOne, maxViews }: FormDefaults, recipients: number): number {
  return recipients === 1 ? viewsForOne : Math.min(maxViews, Math.max(views, recipients));
}

/** Defaults must be set here: those of the push schema may exceed the workspace's limits. */
const unlessOmitted = (value: number | string | undefined) => (isOmitted(value) ? undefined : value);

/** Throws `invalid`, naming each field, for what the workspace does not allow. */
export function requireWithinRules(
  { maxViews, maxDays, requireRecipients }: FormDefaults,
  { expireAfterViews, expireAfterDays = 0, expireAfterHours = 0, expireAfterMinutes = 0 }: PushInput,
  recipients: unknown[],
): void {
  const lifetimeMs =
    Number(expireAfterDays) * dayMs +
    Number(expireAfterHours) * hourMs +
    Number(expireAfterMinutes) * minuteMs;
  const problems: Problems = {};
  if (requireRecipients && recipients.length === 0) problems.recipients = [{ code: 'requiredByWorkspace' }];
  if (Number(expireAfterViews) > maxViews)
    problems.expireAfterViews = [{ code: 'workspaceMax', max: maxViews }];
  else if (Number(expireAfterViews) < recipients.length)
    problems.expireAfterViews = [{ code: 'fewerThanRecipients', recipients: recipients.length }];
  if (lifetimeMs > maxDays * dayMs) problems.expireAfterDays = [{ code: 'workspaceMax', max: maxDays }];
  if (Object.keys(problems).length > 0) throw new DomainError('invalid', { problems });
}
