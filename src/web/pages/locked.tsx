import { renderPage } from '../components/layout.tsx';
import type { PageContext } from '../pageContext.ts';

/** Too many tries, as of a passphrase. The route reloads the page when the lock is over; secret.js counts down to it. */
export function lockedPage(page: PageContext, retryAfterSeconds: number): string {
  const { title, text, reopens } = page.messages.locked;
  const remainingMs = retryAfterSeconds * 1_000;
  return renderPage(page, {
    title,
    selfContained: 'locked',
    children: (
      <div class="card locked">
        <h1>{title}</h1>
        <p>{text(remainingMs)}</p>
        <p class="countdown js-only" aria-hidden="true" data-remaining-ms={remainingMs} />
        <p class="muted small">{reopens}</p>
      </div>
    ),
  });
}
