import { type FileSettings, type Push, pushKinds } from '../../domain/index.ts';
import { RadioGroup } from '../components/choices.tsx';
import { describedBy, FieldMessages, TextArea } from '../components/fields.tsx';
import { Generator } from '../components/generator.tsx';
import type { Draft } from '../newPushForm.ts';
import type { PageContext } from '../pageContext.ts';

type PayloadFieldsProps = {
  page: PageContext;
  draft: Draft;
  files: FileSettings | null;
  problems: Record<string, string>;
};

/** The kind of a push, its files and its payload. */
export function PayloadFields({ page, draft, files, problems }: PayloadFieldsProps) {
  const { newPush } = page.messages;
  const mayAttach = files !== null;
  const offered = pushKinds.filter((kind) => mayAttach || kind !== 'file');
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

type FileFieldProps = { page: PageContext; limits: FileSettings; problem?: string | undefined };

/** A file field. With files.js, files can be dropped and removed; it takes its texts from the data attributes. */
function FileField({ page: { messages }, limits, problem }: FileFieldProps) {
  const { files } = messages.newPush;
  const { countMax, fileBytesMax, totalBytesMax } = limits;
  const [each, all] = [messages.size(fileBytesMax), messages.size(totalBytesMax)];
  const field = {
    name: 'files',
    hint: files.limits(messages.number(countMax), each, all),
    problem,
  };
  return (
    <div
      id="file-field"
      class="field for-file"
      data-count-max={countMax}
      data-file-max={fileBytesMax}
      data-total-max={totalBytesMax}
      data-none={files.none}
      data-too-many={files.tooMany(messages.number(countMax))}
      data-too-large={files.tooLarge('{name}', '{size}', each)}
      data-too-much={files.tooMuch('{name}', all)}
      data-folder={files.folder('{name}')}
      data-remove={files.remove('{name}')}
      data-removed={files.removed('{name}')}
      data-summary={files.summary('{count}', '{size}')}
    >
      <label for="files">{files.label}</label>
      <div class="drop-zone">
        <input id="files" name="files" type="file" multiple {...describedBy(field)} />
        <p class="hint js-only">{files.drop}</p>
      </div>
      <ul id="selected-files" class="files" hidden />
      <p id="files-summary" class="hint js-only" role="status" />
      <FieldMessages {...field} />
    </div>
  );
}
