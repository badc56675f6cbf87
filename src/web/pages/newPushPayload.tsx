import { type FileSettings, type Push, pushKinds } from '../../domain/index.ts';
import { RadioGroup } from '../components/choices.tsx';
import { TextArea } from '../components/fields.tsx';
import { FileField } from '../components/fileField.tsx';
import { Generator } from '../components/generator.tsx';
import type { PageContext } from '../pageContext.ts';
import type { Draft } from './draft.ts';

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
