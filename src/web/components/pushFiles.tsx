import { safeFilename } from '../../client/safeFilename.js';
import type { PushFile } from '../../domain/index.ts';
import type { PageContext } from '../pageContext.ts';
import { untranslated } from './longText.ts';

/** Files with their sizes, and links to those that may be downloaded. Their names are isolated from the text direction. */
export function PushFiles({
  page: { messages, path },
  files,
}: {
  page: PageContext;
  files: readonly PushFile[];
}) {
  return (
    <ul class="files">
      {files.map(({ filename, size, download }) => (
        <li>
          {download === null ? (
            <bdi {...untranslated}>{safeFilename(filename)}</bdi>
          ) : (
            <a href={path(`/download/${download}`)} data-size={size}>
              <bdi {...untranslated}>{safeFilename(filename)}</bdi>
            </a>
          )}
          <span class="muted small">{messages.size(size)}</span>
        </li>
      ))}
    </ul>
  );
}
