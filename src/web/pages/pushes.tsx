import type { ListedPush, PushState } from '../../domain/index.ts';
import { renderPage } from '../components/layout.tsx';
import { Pagination } from '../components/pagination.tsx';
import { PushTable } from '../components/pushTable.tsx';
import type { PageContext } from '../pageContext.ts';
import { PushSections } from './pushSections.tsx';

/** One page of an account's pushes. `total` is how many are on all pages, where that is known. */
export type PushListPage = {
  pushes: ListedPush[];
  hasMore: boolean;
  total?: number;
  pageNumber: number;
};

type PushesPage = PushListPage & { state: PushState; search: string };

/** An account's pushes in one state, with a search and pages. */
export function pushesPage(page: PageContext, list: PushesPage): string {
  const { title, total, newer, older } = page.messages.pushes;
  return renderPage(page, {
    title,
    current: 'pushes',
    isWide: true,
    scripts: ['copy.js'],
    children: (
      <div class="card">
        <div class="list-head">
          <h1>{title}</h1>
          {list.total === undefined ? null : <p class="muted small">{total(list.total)}</p>}
        </div>
        <PushSections page={page} current={list.state} />
        <Search page={page} list={list} />
        {list.pushes.length === 0 ? (
          <EmptyList page={page} list={list} />
        ) : (
          <PushTable page={page} pushes={list.pushes} />
        )}
        <Pagination
          page={page}
          pageNumber={list.pageNumber}
          hasNext={list.hasMore}
          previousText={newer}
          nextText={older}
          pathOf={(pageNumber) => pathOf(list, pageNumber)}
        />
      </div>
    ),
  });
}

type ListProps = { page: PageContext; list: PushesPage };

/** Says why the list is empty, and leads on. */
function EmptyList({ page: { messages, path }, list: { state, search } }: ListProps) {
  const { none, noneFound } = messages.pushes;
  if (search !== '') return <p class="muted">{noneFound(search)}</p>;
  return (
    <div class="empty">
      <p class="muted">{none[state]}</p>
      <a class="button" href={path('/')}>
        {messages.layout.home}
      </a>
    </div>
  );
}

function Search({ page: { messages, path }, list: { state, search } }: ListProps) {
  return (
    <form class="field" action={path('/pushes')}>
      {state === 'active' ? null : <input type="hidden" name="state" value={state} />}
      <label for="search">{messages.pushes.search}</label>
      <div class="row search">
        <input id="search" name="search" type="search" value={search} />
        <button type="submit" class="secondary">
          {messages.pushes.searchSubmit}
        </button>
      </div>
    </form>
  );
}

function pathOf({ state, search }: PushesPage, pageNumber: number): string {
  const query = new URLSearchParams({
    ...(state === 'active' ? {} : { state }),
    ...(search === '' ? {} : { search }),
    ...(pageNumber === 1 ? {} : { page: String(pageNumber) }),
  });
  return `/pushes?${query}`;
}
