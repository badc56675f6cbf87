import {
  type MailKind,
  mailKinds,
  type NoticePreferences,
  noticeSwitches,
  viewedOptions,
} from '../../domain/index.ts';
import type { PageContext } from '../pageContext.ts';
import { Checkbox, Select } from './choices.tsx';
import { FieldMessages } from './fields.tsx';

type NoticeFieldsProps = { page: PageContext; preferences: NoticePreferences; label: string };

/** A field for each kind of notice, labelled with `messages.notices`. */
export function NoticeFields({ page, preferences, label }: NoticeFieldsProps) {
  const { notices } = page.messages;
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      <Select
        name="viewed"
        label={notices.viewed}
        value={preferences.viewed}
        options={viewedOptions.map((value) => ({ value, text: notices.viewedOptions[value] }))}
      />
      {noticeSwitches.map((kind) => (
        <Checkbox name={kind} label={notices[kind]} checked={preferences[kind]} />
      ))}
    </fieldset>
  );
}

/** The preferences that NoticeFields submitted. */
export function readNoticeFields(fields: Record<string, string>): NoticePreferences {
  return {
    viewed: viewedOptions.find((option) => option === fields.viewed) ?? 'first',
    ...Object.fromEntries(noticeSwitches.map((kind) => [kind, fields[kind] === 'on'])),
  } as NoticePreferences;
}

const kindsByMail = Object.keys(mailKinds) as MailKind[];
const fieldOf = (kind: MailKind) => `byMail.${kind}`;

type MailFieldsProps = { page: PageContext; label: string; hint: string; kinds: MailKind[] };

/** A checkbox for each kind of notice that comes by mail. */
export function MailFields({ page, label, hint, kinds }: MailFieldsProps) {
  const { notices } = page.messages;
  return (
    <fieldset class="field" aria-describedby="byMail-hint">
      <legend>{label}</legend>
      <input type="hidden" name="byMail" value="on" />
      {kindsByMail.map((kind) => (
        <Checkbox name={fieldOf(kind)} label={notices.byMail[kind]} checked={kinds.includes(kind)} />
      ))}
      <FieldMessages name="byMail" hint={hint} />
    </fieldset>
  );
}

/** The kinds that MailFields submitted. */
export const readMailFields = (fields: Record<string, string>): MailKind[] =>
  kindsByMail.filter((kind) => fields[fieldOf(kind)] === 'on');
