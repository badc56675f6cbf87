import { cardPage } from '../components/cardPage.tsx';
import { ButtonLink } from '../components/form.tsx';
import type { LayoutProps } from '../components/layout.tsx';
import type { PageContext } from '../pageContext.ts';
import type { PageRequest } from '../pageRequest.ts';

export type PageMessage = Pick<LayoutProps, 'linkPreview'> & {
  title: string;
  text: string;
  /** What else to know. */
  hint?: string | undefined;
  /** Whether the same may work later. */
  canRetry?: boolean | undefined;
  /** The class of the line with the ways on. */
  class?: string;
};

/** An empty address is that of the page itself. */
const samePage = '';

/** A page with a title and one message. It leads on: to another try, and home. */
export function messagePage(
  page: PageContext,
  { title, text, hint, canRetry, linkPreview, ...message }: PageMessage,
): string {
  const { errorPage, layout } = page.messages;
  return cardPage(page, {
    ...{ title, linkPreview },
    selfContained: 'message',
    children: (
      <>
        <p>{text}</p>
        {hint && <p class="muted small">{hint}</p>}
        <p class={message.class}>
          {canRetry && <ButtonLink href={samePage} text={errorPage.tryAgain} />}
          <ButtonLink class="secondary" href={page.path('/')} text={layout.home} />
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
  | 'mailLinks'
  | 'newPassword'
  | 'secondFactor'
  | 'singleSignOn'
  | 'status';

/** Shows, for links of one kind, the page of one that was used, was rejected, or is too old. */
export const showGoneOf =
  (kind: OneTimeLink) =>
  ({ ctx, page }: PageRequest): string | undefined =>
    ctx.status === 404 ? messagePage(page, page.messages[kind].gone) : undefined;
