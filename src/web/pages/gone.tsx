import type { Push } from '../../domain/index.ts';
import { minuteMs } from '../../time.ts';
import { cardPage } from '../components/cardPage.tsx';
import { CopyButton, CopyStatus } from '../components/copy.tsx';
import { Form, SubmitButton } from '../components/form.tsx';
import type { PageContext } from '../pageContext.ts';
import { messagePage } from './messagePage.tsx';

/**
 * The page of every link that does not open, whether it never existed or has expired. Where the sender allows it, `askPath`
 * is the path of the form that asks for a new link.
 */
export function gonePage(page: PageContext, { askPath }: { askPath: string | undefined }): string {
  const { title, text, ask, message, copy, askSender, askSenderHint } = page.messages.gone;
  return cardPage(page, {
    title,
    selfContained: 'gone',
    children: (
      <>
        <p>{text}</p>
        {askPath !== undefined && (
          <Form page={page} action={askPath} class="ask-form">
            <SubmitButton aria-describedby="ask-hint" text={askSender} />
            <p id="ask-hint" class="muted small">
              {askSenderHint}
            </p>
          </Form>
        )}
        <p class="muted small">{ask}</p>
        <blockquote id="message">{message}</blockquote>
        <div class="row js-only">
          <CopyButton page={page} from="message" text={copy} class="secondary" />
          <CopyStatus />
        </div>
      </>
    ),
  });
}

/** The page of a link that is no link to a push by its form, such as one that was cut off. It says nothing about any push. */
export const incompletePage = (page: PageContext) => messagePage(page, page.messages.incompleteLink);

/** Too many tries, as of a passphrase. The route reloads the page when the lock is over; secret.js counts down to it. */
export function lockedPage(page: PageContext, retryAfterSeconds: number): string {
  const { title, text, reopens } = page.messages.locked;
  const remainingMs = retryAfterSeconds * 1_000;
  return cardPage(page, {
    title,
    class: 'locked',
    selfContained: 'locked',
    children: (
      <>
        <p>{text(remainingMs)}</p>
        <p class="countdown js-only" aria-hidden="true" data-remaining-ms={remainingMs} />
        <p class="muted small">{reopens}</p>
      </>
    ),
  });
}

/** When this browser opened a push, if it still knows. */
type OpenedAt = { at: number } | undefined;

/** The page of a push that has ended, for the browser that opened it. */
export function alreadyOpenedPage(page: PageContext, push: Push, opened: OpenedAt): string {
  const { title, text } = page.messages.alreadyOpened;
  return messagePage(page, { title, text: text(whenOpened(page, push, opened)) });
}

/** What the retrieval step says to the browser that opened the push before. */
export function openedBeforeText(page: PageContext, push: Push, opened: OpenedAt): string {
  return page.messages.confirmProblems.openedBefore(whenOpened(page, push, opened));
}

function whenOpened({ messages }: PageContext, { now }: Push, opened: OpenedAt): string {
  return messages.ago(Math.max(minuteMs, now - (opened?.at ?? now)));
}
