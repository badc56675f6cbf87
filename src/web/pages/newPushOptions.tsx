import { pushFlagNames } from '../../domain/index.ts';
import { Checkbox } from '../components/choices.tsx';
import { TextArea, TextField } from '../components/fields.tsx';
import { Generator } from '../components/generator.tsx';
import { NoticeFields } from '../components/noticeFields.tsx';
import type { Draft } from '../newPushForm.ts';
import type { PageContext } from '../pageContext.ts';

type OptionFieldsProps = { page: PageContext; draft: Draft; problems: Record<string, string> };

/** The passphrase, and the options that most pushes leave alone. */
export function OptionFields({ page, draft, problems }: OptionFieldsProps) {
  const { newPush } = page.messages;
  return (
    <>
      <TextField
        name="passphrase"
        label={newPush.passphrase}
        hint={newPush.passphraseHint}
        value={draft.passphrase}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        problem={problems.passphrase}
      >
        <Generator
          page={page}
          name="passphrase"
          text={newPush.generatePassphrase}
          value={{ style: 'words', parts: 5 }}
        />
      </TextField>
      <details class="more" open={problems.name !== undefined || problems.note !== undefined}>
        <summary>
          {newPush.more} <span class="muted small">{newPush.moreOf(draft.notify !== null)}</span>
        </summary>
        {pushFlagNames
          .toReversed()
          .map((name) =>
            draft[name] === null ? null : (
              <Checkbox name={name} label={newPush.flags[name]} checked={draft[name]} />
            ),
          )}
        {draft.notify === null ? null : (
          <>
            <TextField
              name="name"
              label={newPush.name}
              hint={newPush.nameHint}
              value={draft.name}
              maxLength={255}
              problem={problems.name}
            />
            <TextArea
              name="note"
              label={newPush.note}
              hint={newPush.noteHint}
              value={draft.note}
              rows={2}
              problem={problems.note}
            />
            <NoticeFields page={page} preferences={draft.notify} label={newPush.notices} />
          </>
        )}
      </details>
    </>
  );
}
