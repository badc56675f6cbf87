import type { Push } from '../../domain/index.ts';
import { PushFiles } from '../components/pushFiles.tsx';
import type { PageContext } from '../pageContext.ts';

/** The files of a revealed push, if it has any. */
export function SecretFiles({ page, push }: { page: PageContext; push: Push }) {
  const { files, filesUntil } = page.messages.secret;
  if (push.files.length === 0) return null;
  return (
    <section class="field">
      <h2>{files}</h2>
      <PushFiles page={page} files={push.files} />
      <p class="muted small">{filesUntil}</p>
    </section>
  );
}
