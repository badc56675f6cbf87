import { safeFilename } from '../../client/safeFilename.js';
import type { PushFile } from '../../domain/index.ts';
import type { PageContext } from '../pageContext.ts';
import { untranslated } from './longText.ts';

type PushFilesProps = { page: PageContext; files: readonly PushFile[] };

/** Files with their sizes, and links to those that may be downloaded. Their names are isolated from the text direction. */
export const PushFiles = ({ page: { messages, path }, files }: PushFilesProps) => (
  <ul class="files">
    {files.map(({ filename, size, download }) => {
      const name = <bdi {...untranslated}>{safeFilename(filename)}</bdi>;
      const link = download && (
        <a href={path(`/download/${download}`)} data-size={size}>
          {name}
        </a>
      );
      return (
        <li>
          {link ?? name}
          <span class="muted small">{messages.size(size)}</span>
        </li>
      );
    })}
  </ul>
);
