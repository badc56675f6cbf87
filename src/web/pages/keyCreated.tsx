import type { Push } from '../../domain/index.ts';
import { LinkField } from '../components/copy.tsx';
import { renderPage } from '../components/layout.tsx';
import { UntilKey } from '../components/untilKey.tsx';
import type { PageContext } from '../pageContext.ts';

/** The key of a new push, when recipients already have their links without it. */
export function keyCreatedPage(page: PageContext, { push, lead }: { push: Push; lead: string }): string {
  const { title, encrypted } = page.messages.pushCreated;
  return renderPage(page, {
    title,
    current: 'newPush',
    scripts: ['copy.js', 'encryptedCreated.js'],
    children: (
      <div class="card">
        <h1>{title}</h1>
        <p class="muted">{lead}</p>
        <UntilKey page={page} push={push} advice={encrypted.passKey}>
          <LinkField page={page} label={encrypted.key} link="" copyText={encrypted.copyKey} />
        </UntilKey>
      </div>
    ),
  });
}
