import type { ComponentChildren } from 'preact';
import type { PageContext } from '../pageContext.ts';

type ListItem = {
  title: ComponentChildren;
  /** One line each; those that are null are left out. */
  details: ComponentChildren[];
  actions?: ComponentChildren;
};

/** A list whose items have a title, details and actions. */
export function List({ items, emptyText }: { items: ListItem[]; emptyText: string }) {
  if (items.length === 0) return <p class="muted">{emptyText}</p>;
  return (
    <ul class="list">
      {items.map(({ title, details, actions }) => (
        <li>
          <div>
            <p class="title">{title}</p>
            {details.map((line) => line && <p class="hint">{line}</p>)}
          </div>
          {actions && <div class="row">{actions}</div>}
        </li>
      ))}
    </ul>
  );
}

/** Which page of a list it is, and whether the list has another one. */
export type Paging = { pageNumber: number; hasMore: boolean };

type PaginationProps = Paging & {
  page: PageContext;
  /** The last page, where it is known. */
  lastPage?: number | undefined;
  /** What leads to the previous and to the next page. */
  texts: [previous: string, next: string];
  /** The path of a page of the list. */
  pathOf(pageNumber: number): string;
};

/** Links to the previous and the next page of a list, or nothing where it has one page. */
export function Pagination({ page, pageNumber, hasMore, lastPage, texts, pathOf }: PaginationProps) {
  const [previous, next] = texts;
  if (pageNumber === 1 && !hasMore) return null;
  return (
    <nav class="nav" aria-label={page.messages.pushes.paging}>
      {pageNumber > 1 && <a href={page.path(pathOf(pageNumber - 1))}>{previous}</a>}
      <span class="muted">{page.messages.pushes.pageOf(pageNumber, lastPage)}</span>
      {hasMore && <a href={page.path(pathOf(pageNumber + 1))}>{next}</a>}
    </nav>
  );
}
