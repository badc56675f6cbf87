import { pushFlagNames } from '../../domain/index.ts';
import { addressesIn } from '../../mailAddress.ts';
import { Checkbox, Select } from '../components/choices.tsx';
import { FieldMessages, TextArea, TextField } from '../components/fields.tsx';
import { NoticeFields } from '../components/noticeFields.tsx';
import type { Draft } from '../newPushForm.ts';
import type { PageContext } from '../pageContext.ts';

type OptionFieldsProps = { page: PageContext; draft: Draft; problems: Record<string, string> };

/** What a payload can be shown as. Files are a kind of their own, which follows from them. */
const shownKinds = ['text', 'url', 'qr'] as const;

/** What generate.js can make passwords of. */
const passwordStyles = ['symbols', 'letters', 'digits', 'words'] as const;

/** What most links do without. `data-set` and `data-unset` say what newPush.js lists as set; the summary begins with it. */
export function OptionFields({ page, draft, problems }: OptionFieldsProps) {
  const { newPush } = page.messages;
  const { set } = newPush;
  const inside = ['passphrase', 'sender', 'name', 'note', 'kind'];
  const recipientProblem = recipientProblemIn(problems, draft);
  const field = (name: 'passphrase' | 'sender' | 'name' | 'note') => ({
    ...{ name, label: newPush[name], hint: newPush[`${name}Hint`] },
    ...{ value: draft[name], problem: problems[name] },
  });
  return (
    <details
      class="more"
      open={recipientProblem !== undefined || inside.some((name) => problems[name] !== undefined)}
    >
      <summary>
        {newPush.options}{' '}
        <span id="options-set" class="muted small" data-none={set.none}>
          {summaryOf(page, draft)}
        </span>
      </summary>
      {draft.recipients !== null && (
        <>
          <TextField
            name="recipients"
            label={newPush.recipients}
            hint={newPush.recipientsHint}
            value={draft.recipients}
            problem={recipientProblem}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            inputMode="email"
            data-set={set.recipients}
          />
          <Checkbox
            name="plainLinks"
            label={newPush.plainLinks}
            checked={draft.plainLinks}
            data-set={set.plainLinks}
          />
        </>
      )}
      <TextField
        {...field('passphrase')}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        data-set={set.passphrase}
      >
        <button
          type="button"
          class="secondary js-only"
          data-generate="passphrase"
          aria-label={newPush.generatePassphrase}
        >
          {newPush.generate}
        </button>
      </TextField>
      <TextField {...field('sender')} maxLength={100} data-set={set.sender} />
      {draft.encrypted === null ? null : <EncryptionField page={page} isChecked={draft.encrypted} />}
      {pushFlagNames
        .toReversed()
        .map((name) =>
          draft[name] === null ? null : (
            <Checkbox name={name} label={newPush.flags[name]} checked={draft[name]} data-unset={set[name]} />
          ),
        )}
      <div class="columns spaced">
        <Select
          name="kind"
          label={newPush.showAs}
          options={shownKinds.map((kind) => ({
            value: kind,
            text: newPush.shownAs[kind],
            'data-set': set[kind],
          }))}
          value={draft.kind}
          problem={problems.kind}
        />
        <GeneratorFields page={page} />
      </div>
      {draft.notify === null ? null : (
        <>
          <TextField {...field('name')} maxLength={255} data-set={set.name} />
          <TextArea {...field('note')} rows={2} />
          <NoticeFields page={page} preferences={draft.notify} label={newPush.notices} />
        </>
      )}
      {draft.keep === null ? null : <Checkbox name="keep" label={newPush.keep} checked={draft.keep} />}
    </details>
  );
}

/** What is wrong with the recipients, or with the first of them that something is wrong with. */
function recipientProblemIn(problems: Record<string, string>, { recipients }: Draft): string | undefined {
  if (recipients === null) return undefined;
  const [name = '', problem] =
    Object.entries(problems).find(([field]) => /^recipients(\.|$)/.test(field)) ?? [];
  const [, index] = name.split('.');
  return index === undefined ? problem : `${addressesIn(recipients)[Number(index)]}: ${problem}`;
}

/** What differs from a plain link, in a few words. */
function summaryOf({ messages }: PageContext, draft: Draft): string {
  const { none, text: _, ...set } = messages.newPush.set;
  const isSet = {
    recipients: Boolean(draft.recipients?.trim()),
    plainLinks: draft.plainLinks,
    passphrase: draft.passphrase !== '',
    sender: draft.sender !== '',
    encrypted: draft.encrypted,
    retrievalStep: draft.retrievalStep === false,
    deletableByViewer: draft.deletableByViewer === false,
    url: draft.kind === 'url',
    qr: draft.kind === 'qr',
    name: draft.name !== '',
  };
  const names = Object.keys(isSet) as (keyof typeof isSet)[];
  return names.flatMap((name) => (isSet[name] ? [set[name]] : [])).join(', ') || none;
}

/** Offers to encrypt a push in the browser. Hidden, and never sent, unless submit.js can do it. */
function EncryptionField({ page: { messages }, isChecked }: { page: PageContext; isChecked: boolean }) {
  const { newPush } = messages;
  return (
    <div class="field" hidden>
      <Checkbox
        id="encrypt"
        label={newPush.encryption.label}
        checked={isChecked}
        aria-describedby="encrypt-hint"
        data-set={newPush.set.encrypted}
        disabled
        autocomplete="off"
      />
      <FieldMessages name="encrypt" hint={newPush.encryption.hint} />
    </div>
  );
}

/** How generate.js makes passwords. Nothing of it is sent. */
function GeneratorFields({ page: { messages } }: { page: PageContext }) {
  const { style, length, styles } = messages.generator;
  return (
    <div class="field js-only">
      <label for="password-style">{style}</label>
      <div class="joined">
        <select id="password-style" form="">
          {passwordStyles.map((each) => (
            <option value={each}>{styles[each]}</option>
          ))}
        </select>
        <input id="password-length" form="" type="text" inputMode="numeric" value="20" aria-label={length} />
      </div>
    </div>
  );
}
