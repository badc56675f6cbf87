import { renderPage } from '../components/layout.tsx';
import type { PageContext } from '../pageContext.ts';

/** A page with a title and one message. */
export function messagePage(page: PageContext, { title, text }: { title: string; text: string }): string {
  return renderPage(page, {
    title,
    selfContained: {},
    children: (
      <div class="card">
        <h1>{title}</h1>
        <p>{text}</p>
      </div>
    ),
  });
}
