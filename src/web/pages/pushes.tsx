import type { ListedPush, PushState } from '../../domain/index.ts';
import { safeFilename } from '../../http/filenames.ts';
import { renderPage } from '../components/layout.tsx';
import { List } from '../components/list.tsx';
import { Pagination } from '../components/pagination.tsx';
import { PushStatus } from '../components/pushStatus.tsx';
import { Time } from '../components/time.tsx';
import type { PageContext } from '../pageContext.ts';
import { PushSections } from './pushSections.tsx';

/** One page of an account's pushes, and how many there are on all pages. */
export type PushListPage = {
  pushes: ListedPush[];
  hasMore: boolean;
  total?: number;
  pageNumber: number;
};

type PushesPage = PushListPage & { state: PushState; search: string };

/** An account's pushes in one state, with a search and pages. */
export function pushesPage(page: PageContext, list: PushesPage): string {
  const { title, none, newer, older } = page.messages.pushes;
  return renderPage(page, {
    title,
    current: 'pushes',
    children: (
      <div class="card">
        <h1>{title}</h1>
        <PushSections page={page} current={list.state} />
        <Search page={page} list={list} />
        <List emptyText={none[list.state]} items={list.pushes.map((push) => itemOf(page, push))} />
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

function itemOf({ messages, path }: PageContext, push: ListedPush) {
  const { nameless, unreadable, open, created } = messages.pushes;
  const name = push.name ?? (push.isUnreadable ? unreadable : nameless);
  return {
    title:
      push.urlToken === null ? (
        name
      ) : (
        <a href={path(`/pushes/${push.urlToken}`)} aria-label={open(name)}>
          {name}
        </a>
      ),
    details: [
      <>
        {messages.newPush.kinds[push.kind]} · <PushStatus messages={messages} push={push} />
      </>,
      ...push.files.map(({ filename, size }) => (
        <>
          <bdi>{safeFilename(filename)}</bdi> · {messages.size(size)}
        </>
      )),
      <>
        {created}: <Time messages={messages} at={push.createdAt} />
      </>,
    ],
  };
}

type ListProps = { page: PageContext; list: PushesPage };

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
