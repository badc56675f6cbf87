import type { PageContext } from '../pageContext.ts';

type PaginationProps = {
  page: PageContext;
  pageNumber: number;
  hasNext: boolean;
  /** The last page, where it is known. */
  lastPage?: number | undefined;
  previousText: string;
  nextText: string;
  /** The path of a page of the list. */
  pathOf(pageNumber: number): string;
};

/** Links to the previous and the next page of a list, or nothing where it has one page. */
export function Pagination({ page, pageNumber, hasNext, lastPage, ...texts }: PaginationProps) {
  const { previousText, nextText, pathOf } = texts;
  if (pageNumber === 1 && !hasNext) return null;
  return (
    <nav class="nav" aria-label={page.messages.pushes.paging}>
      {pageNumber === 1 ? null : <a href={page.path(pathOf(pageNumber - 1))}>{previousText}</a>}
      <span class="muted">{page.messages.pushes.pageOf(pageNumber, lastPage)}</span>
      {hasNext ? <a href={page.path(pathOf(pageNumber + 1))}>{nextText}</a> : null}
    </nav>
  );
}
