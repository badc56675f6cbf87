import { renderPage } from '../components/layout.tsx';
import type { PageContext } from '../pageContext.ts';

/** An empty address is that of the page itself. */
const samePage = '';

type ErrorPage = {
  title: string;
  text: string;
  /** What else to know. */
  hint?: string | undefined;
  /** Whether the same may work later. */
  canRetry?: boolean;
};

/** A page that could not be shown, or a form that did nothing. It leads on: to another try, where that is one press, and home. */
export function errorPage(page: PageContext, { title, text, hint, canRetry = false }: ErrorPage): string {
  const { messages, path, queryWith } = page;
  const isForm = queryWith === undefined;
  return renderPage(page, {
    title,
    selfContained: 'message',
    children: (
      <div class="card">
        <h1>{title}</h1>
        <p>{text}</p>
        {hint === undefined ? null : <p class="muted small">{hint}</p>}
        <p class="row">
          {canRetry && !isForm ? (
            <a class="button" href={samePage}>
              {messages.errorPage.tryAgain}
            </a>
          ) : null}
          <a class="button secondary" href={path('/')}>
            {messages.layout.home}
          </a>
        </p>
      </div>
    ),
  });
}
