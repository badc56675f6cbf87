import { cardPage } from '../components/cardPage.tsx';
import { ButtonLink } from '../components/form.tsx';
import type { PageContext } from '../pageContext.ts';
import type { PageRequest } from '../pageRequest.ts';

type MessagePage = { title: string; text: string };

/** A page with a title and one message, and a way on. */
export function messagePage(page: PageContext, { title, text }: MessagePage): string {
  return cardPage(page, {
    title,
    selfContained: 'message',
    children: (
      <>
        <p>{text}</p>
        <p>
          <ButtonLink class="secondary" href={page.path('/')} text={page.messages.layout.home} />
        </p>
      </>
    ),
  });
}

type OneTimeLink =
  | 'activityExport'
  | 'compose'
  | 'connect'
  | 'factors'
  | 'newPassword'
  | 'secondFactor'
  | 'singleSignOn'
  | 'status';

/** Shows, for links of one kind, the page of one that was used, was rejected, or is too old. */
export const showGoneOf =
  (kind: OneTimeLink) =>
  ({ ctx, page }: PageRequest): string | undefined =>
    ctx.status === 404 ? messagePage(page, page.messages[kind].gone) : undefined;
