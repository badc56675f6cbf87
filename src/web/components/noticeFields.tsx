import { type NoticePreferences, viewedOptions } from '../../domain/index.ts';
import type { PageContext } from '../pageContext.ts';
import { Checkbox, Select } from './choices.tsx';

type NoticeFieldsProps = { page: PageContext; preferences: NoticePreferences; label: string };

/** The fields for notice preferences, as `noticesOf` reads them. */
export function NoticeFields({ page: { messages }, preferences, label }: NoticeFieldsProps) {
  const { viewed, viewedOptions: texts, expired, failedPassphrase, reminder, askedAgain } = messages.notices;
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      <Select
        name="viewed"
        label={viewed}
        value={preferences.viewed}
        options={viewedOptions.map((value) => ({ value, text: texts[value] }))}
      />
      <Checkbox name="expired" label={expired} checked={preferences.expired} />
      <Checkbox name="failedPassphrase" label={failedPassphrase} checked={preferences.failedPassphrase} />
      <Checkbox name="reminder" label={reminder} checked={preferences.reminder} />
      <Checkbox name="askedAgain" label={askedAgain} checked={preferences.askedAgain} />
    </fieldset>
  );
}
