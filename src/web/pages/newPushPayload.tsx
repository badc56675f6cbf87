import type { FileSettings, PushSettings } from '../../domain/index.ts';
import { LifetimeSelect, Select } from '../components/choices.tsx';
import { describedBy, FieldMessages, TextArea } from '../components/fields.tsx';
import { lifetimeChoices } from '../lifetimes.ts';
import type { Draft } from '../newPushForm.ts';
import type { PageContext } from '../pageContext.ts';

type PayloadFieldProps = {
  page: PageContext;
  payload: string;
  files: FileSettings | null;
  problems: Record<string, string>;
};

/** The secret: a text box, with what fills it within its border. newPush.js, generate.js and files.js bring it to life. */
export function PayloadField({ page: { messages }, payload, files, problems }: PayloadFieldProps) {
  const { newPush } = messages;
  return (
    <TextArea
      name="payload"
      label={newPush.payload}
      placeholder={newPush.placeholder}
      value={payload}
      rows={5}
      required={files === null} // beside files it may be empty; files.js requires the others
      problem={problems.payload}
    >
      {files === null ? null : <ul id="selected-files" class="files" hidden />}
      <div class="box-bar">
        <button type="button" class="text-button js-only" data-generate="payload">
          {newPush.generatePassword}
        </button>
        <label id="as-link" class="checkbox" hidden>
          <input type="checkbox" /> {newPush.asLink}
        </label>
        {files === null ? null : <FileField messages={messages} limits={files} problem={problems.files} />}
      </div>
    </TextArea>
  );
}

type FileFieldProps = Pick<PageContext, 'messages'> & { limits: FileSettings; problem?: string | undefined };

/** Attaches files. With files.js, they can be dropped and removed; it takes its texts from the data attributes. */
export function FileField({ messages, limits, problem }: FileFieldProps) {
  const { files } = messages.newPush;
  const { countMax, fileBytesMax, totalBytesMax } = limits;
  const [each, all] = [messages.size(fileBytesMax), messages.size(totalBytesMax)];
  const field = { name: 'files', hint: files.limits(messages.number(countMax), each, all), problem };
  return (
    <div
      id="file-field"
      class="field"
      data-count-max={countMax}
      data-file-max={fileBytesMax}
      data-total-max={totalBytesMax}
      data-too-many={files.tooMany(messages.number(countMax))}
      data-too-large={files.tooLarge('{name}', '{size}', each)}
      data-too-much={files.tooMuch('{name}', all)}
      data-folder={files.folder('{name}')}
      data-remove={files.remove('{name}')}
      data-removed={files.removed('{name}')}
      data-summary={files.summary('{count}', '{size}')}
    >
      <label class="attach" for="files">
        {files.label} <input id="files" name="files" type="file" multiple {...describedBy(field)} />
      </label>
      <span class="muted small js-only not-on-phones">{files.drop}</span>
      <span id="files-summary" class="muted small" role="status" />
      <FieldMessages {...field} />
    </div>
  );
}

type LimitFieldsProps = {
  page: PageContext;
  draft: Draft;
  settings: PushSettings;
  problems: Record<string, string>;
};

/** As often as people want links to open, and whatever else is set. */
const commonViews = [1, 2, 3, 5, 10, 20, 50, 100];

/** How often and how long a link opens, in a sentence with two choices. */
export function LimitFields({ page, draft, settings, problems }: LimitFieldsProps) {
  const { newPush, pushCreated } = page.messages;
  const { min, max } = settings.bounds.expireAfterViews;
  const views = new Set([...commonViews, settings.defaults.expireAfterViews, Number(draft.views), max]);
  const offered = [...views].filter((each) => Number.isInteger(each) && each >= min && each <= max);
  return (
    <div class="sentence">
      <Select
        name="views"
        label={newPush.opens}
        options={offered
          .sort((a, b) => a - b)
          .map((each) => ({ value: String(each), text: pushCreated.opens(each) }))}
        value={draft.views}
        problem={problems.expireAfterViews}
      />
      <LifetimeSelect
        page={page}
        lifetimes={lifetimeChoices(settings)}
        label={newPush.ends}
        value={draft.lifetime}
        problem={problems.expireAfterDays ?? problems.expireAfterHours ?? problems.expireAfterMinutes}
      />
    </div>
  );
}
