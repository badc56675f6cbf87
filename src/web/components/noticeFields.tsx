import { type NoticePreferences, noticeSwitches, viewedOptions } from '../../domain/index.ts';
import type { PageContext } from '../pageContext.ts';
import { Checkbox, Select } from './choices.tsx';

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
