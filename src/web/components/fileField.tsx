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
