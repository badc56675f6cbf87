import type { FileSettings } from '../../domain/index.ts';
import { describedBy, Remarks } from './controls.tsx';
import type { Frame } from './pageContext.ts';

type FileFieldProps = { frame: Frame; limits: FileSettings; problem?: string | undefined };

/**
 * Where files are chosen. Without scripts it is a field like another; with them files may be dropped and taken out again,
 * and the script says with these words what it refuses and how far an upload is.
 */
export function FileField({ frame: { words }, limits, problem }: FileFieldProps) {
  const { files } = words.make;
  const { countMax, fileBytesMax, totalBytesMax } = limits;
  const [each, all] = [words.size(fileBytesMax), words.size(totalBytesMax)];
  const said = {
    name: 'files',
    hint: files.limits(words.number(countMax), each, all),
    problem: problem && words.problem(problem),
  };
  return (
    <div
      id="attach"
      class="field with-files"
      data-count-max={countMax}
      data-file-max={fileBytesMax}
      data-total-max={totalBytesMax}
      data-none={files.none}
      data-too-many={files.tooMany(words.number(countMax))}
      data-too-large={files.tooLarge('{name}', '{size}', each)}
      data-too-much={files.tooMuch('{name}', all)}
      data-folder={files.folder('{name}')}
      data-remove={files.remove('{name}')}
      data-removed={files.removed('{name}')}
      data-sum={files.sum('{count}', '{size}')}
    >
      <label for="files">{files.label}</label>
      <div class="drop">
        <input id="files" name="files" type="file" multiple {...describedBy(said)} />
        <p class="hint js-only">{files.drop}</p>
      </div>
      <ul id="chosen" class="files" hidden />
      <p id="sum" class="hint js-only" role="status" />
      <Remarks {...said} />
    </div>
  );
}

/** How far an upload is, and the way to end it; in sight while there is one. */
export function Upload({ frame: { words } }: Pick<FileFieldProps, 'frame'>) {
  const { files } = words.make;
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
