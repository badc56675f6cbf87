import type { PushFile } from '../../domain/index.ts';
import type { PageContext } from '../pages/pageContext.ts';

/** Files with their sizes, and a way to each that may be downloaded. Their names run in their own direction, and in no other. */
export function FileList({
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
            <bdi>{filename}</bdi>
          ) : (
            <a href={path(`/download/${download}`)}>
              <bdi>{filename}</bdi>
            </a>
          )}
          <span class="soft small">{messages.size(size)}</span>
        </li>
      ))}
    </ul>
  );
}
