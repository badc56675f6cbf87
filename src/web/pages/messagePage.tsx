import { ButtonLink } from '../components/form.tsx';
import { renderPage } from '../components/layout.tsx';
import type { PageContext } from '../pageContext.ts';

type MessagePage = { title: string; text: string };

/** A page with a title and one message, and a way on. */
export function messagePage(page: PageContext, { title, text }: MessagePage): string {
  return renderPage(page, {
    title,
    selfContained: 'message',
    children: (
      <div class="card">
        <h1>{title}</h1>
        <p>{text}</p>
        <p>
          <ButtonLink class="secondary" href={page.path('/')} text={page.messages.layout.home} />
        </p>
      </div>
    ),
  });
}
