import type { FileSettings } from '../../domain/index.ts';
import type { PageContext } from '../pageContext.ts';
import { describedBy, FieldMessages } from './fields.tsx';

type FileFieldProps = { page: PageContext; limits: FileSettings; problem?: string | undefined };

/** A file field. With files.js, files can be dropped and removed; it takes its texts from the data attributes. */
export function FileField({ page: { messages }, limits, problem }: FileFieldProps) {
  const { files } = messages.newPush;
  const { countMax, fileBytesMax, totalBytesMax } = limits;
  const [each, all] = [messages.size(fileBytesMax), messages.size(totalBytesMax)];
  const field = {
    name: 'files',
    hint: files.limits(messages.number(countMax), each, all),
    problem: problem && messages.problem(problem),
  };
  return (
    <div
      id="attach"
      class="field with-files"
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
      data-sum={files.sum('{count}', '{size}')}
    >
      <label for="files">{files.label}</label>
      <div class="drop">
        <input id="files" name="files" type="file" multiple {...describedBy(field)} />
        <p class="hint js-only">{files.drop}</p>
      </div>
      <ul id="chosen" class="files" hidden />
      <p id="sum" class="hint js-only" role="status" />
      <FieldMessages {...field} />
    </div>
  );
}

/** The progress of an upload, with a button that cancels it. Hidden until upload.js runs one. */
export function UploadProgress({ page: { messages } }: Pick<FileFieldProps, 'page'>) {
  const { files } = messages.newPush;
  return (
    <div
      id="upload"
      class="upload"
      hidden
      data-sending={files.sending('{percent}')}
      data-sealing={files.sealing}
      data-cancelled={files.cancelled}
      data-broken={files.broken}
    >
      <p id="sending" />
      <progress max={1} value={0} aria-labelledby="sending" />
      <button type="button" class="plain" aria-describedby="sending">
        {files.cancel}
      </button>
    </div>
  );
}
