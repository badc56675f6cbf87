import type { Push } from '../../domain/index.ts';
import { minuteMs } from '../../time.ts';
import type { PageContext } from '../pageContext.ts';
import { messagePage } from './messagePage.tsx';

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
