import type { FileSettings, Push, PushSettings } from '../../domain/index.ts';
import { Checkbox, RadioGroup } from '../components/choices.tsx';
import { TextArea, TextField } from '../components/fields.tsx';
import { FileField } from '../components/fileField.tsx';
import { Generator } from '../components/generator.tsx';
import { LifetimeSelect } from '../components/lifetimeSelect.tsx';
import { NoticeFields } from '../components/noticeFields.tsx';
import { lifetimeChoices } from '../lifetimes.ts';
import type { PageContext } from '../pageContext.ts';
import type { Draft } from './draft.ts';

type FieldsProps = {
  page: PageContext;
  draft: Draft;
  settings: PushSettings;
  files: FileSettings | null;
  problems: Record<string, string>;
};

const kinds = ['text', 'url', 'qr'] as const;

/** The kind of a push, its files and its payload. */
export function PayloadFields({ page, draft, files, problems }: FieldsProps) {
  const { newPush } = page.messages;
  const mayAttach = files !== null;
  const offered = [...kinds, ...(mayAttach ? (['file'] as const) : [])];
  const forKinds = (texts: Record<Push['kind'], string>) =>
    offered.map((kind) => <span class={`for-${kind}`}>{texts[kind]}</span>);
  return (
    <>
      <RadioGroup
        name="kind"
        class="tabs"
        label={newPush.kind}
        value={draft.kind}
        options={offered.map((kind) => ({ value: kind, text: newPush.kinds[kind] }))}
        problem={problems.kind}
      />
      {files === null ? null : <FileField page={page} limits={files} problem={problems.files} />}
      <TextArea
        name="payload"
        label={forKinds(newPush.payloadLabels)}
        hint={forKinds(newPush.payloadHints)}
        value={draft.payload}
        rows={5}
        required={!mayAttach} // a message beside files may be empty; files.js requires the others
        autofocus
        problem={problems.payload}
      >
        <Generator
          page={page}
          name="payload"
          class="for-text"
          text={newPush.generatePassword}
          value={{ style: 'symbols', parts: 20 }}
        />
      </TextArea>
    </>
  );
}

/** Limits that fit most secrets. Those that the settings do not allow are left out. */
const limitPresets = [
  { views: 1, lifetime: '1h' },
  { views: 1, lifetime: '7d' },
  { views: 5, lifetime: '7d' },
];

/** How long and how often a push opens. */
export function LimitFields({ page, draft, settings, problems }: FieldsProps) {
  const { newPush } = page.messages;
  const { min, max } = settings.bounds.expireAfterViews;
  const days = problems.expireAfterDays ?? problems.expireAfterHours ?? problems.expireAfterMinutes;
  const lifetimes = lifetimeChoices(settings);
  const presets = limitPresets.flatMap((preset) => {
    const lifetime = lifetimes.find(({ value }) => value === preset.lifetime);
    return lifetime === undefined || preset.views < min || preset.views > max
      ? []
      : [{ ...preset, lifetime }];
  });
  return (
    <fieldset class="limits">
      <legend>{newPush.limits}</legend>
      <div class="row chips js-only">
        {presets.map(({ views, lifetime: { value, amount, unit } }) => (
          <button
            type="button"
            class="chip-button"
            aria-pressed="false"
            data-preset-lifetime={value}
            data-preset-views={views}
          >
            {newPush.preset(views, page.messages.amount(amount, unit))}
          </button>
        ))}
      </div>
      <div class="columns">
        <LifetimeSelect
          page={page}
          settings={settings}
          label={newPush.expires}
          value={draft.lifetime}
          problem={days}
        />
        <TextField
          name="views"
          label={newPush.views}
          type="number"
          inputMode="numeric"
          min={min}
          max={max}
          required
          value={draft.views}
          problem={problems.expireAfterViews}
        />
      </div>
      <p
        id="limits-summary"
        class="hint js-only"
        role="status"
        data-once={newPush.summaryOnce('{time}')}
        data-many={newPush.summaryMany('{views}', '{time}')}
      />
    </fieldset>
  );
}

/** The passphrase, and the options that most pushes leave alone. */
export function OptionFields({ page, draft, problems }: FieldsProps) {
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
      <details open={problems.name !== undefined || problems.note !== undefined}>
        <summary>{newPush.more}</summary>
        {draft.retrievalStep === null ? null : (
          <Checkbox name="retrievalStep" label={newPush.retrievalStep} checked={draft.retrievalStep} />
        )}
        <Checkbox
          name="deletableByViewer"
          label={newPush.deletableByViewer}
          checked={draft.deletableByViewer}
        />
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
