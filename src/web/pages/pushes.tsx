import { type ListedPush, pageSize, pushKinds, searchStep } from '../../domain/index.ts';
import { cardPage, SuccessMessage } from '../components/cardPage.tsx';
import { Select } from '../components/choices.tsx';
import { ButtonLink, SubmitButton } from '../components/form.tsx';
import { Pagination, type Paging } from '../components/list.tsx';
import { PushSections } from '../components/navigation.tsx';
import { PushTable } from '../components/pushTable.tsx';
import type { PageContext } from '../pageContext.ts';
import { type PushListQuery, pushListPath, selectionActions, toQueryString } from '../pushListQuery.ts';

/** One page of an account's pushes. There are `total` of them, or more if the service did not count on. */
export type PushListPage = Paging & {
  pushes: ListedPush[];
  total: number;
  isCounted: boolean;
  /** Where a search goes on, if it has not looked at all pushes. */
  older?: string | undefined;
};

type PushesPage = PushListPage & { query: PushListQuery; success?: string | undefined };
type ListProps = { page: PageContext; list: PushesPage };

/** An account's pushes in one state, with filters, orders and pages. */
export function pushesPage(page: PageContext, list: PushesPage): string {
  const { title, total, previous, next } = page.messages.pushes;
  const props = { page, list };
  return cardPage(page, {
    title,
    count: total(list.total, list.isCounted),
    current: 'pushes',
    isWide: true,
    scripts: ['copy.js', 'select.js'],
    children: (
      <>
        <PushSections page={page} current={list.query.state} />
        <SuccessMessage text={list.success} />
        <PushFilters {...props} />
        {list.pushes.length === 0 ? <EmptyList {...props} /> : <Selection {...props} />}
        <SearchProgress {...props} />
        <Pagination
          page={page}
          {...list}
          lastPage={list.isCounted ? Math.ceil(list.total / pageSize) : undefined}
          texts={[previous, next]}
          pathOf={(number) => pushListPath(list.query, number === 1 ? {} : { page: String(number) })}
        />
      </>
    ),
  });
}

/** Says how far a search went that has not looked at all pushes, and leads on. */
function SearchProgress({ page: { messages, path }, list: { query, older } }: ListProps) {
  const { searched, searchOlder, searchNewest } = messages.pushes;
  const pathFrom = (before: string) => path(pushListPath({ ...query, before }));
  return (
    <>
      {older !== undefined && (
        <div class="row">
          <span class="muted small">{searched(searchStep)}</span>
          <ButtonLink class="secondary" href={pathFrom(older)} text={searchOlder} />
        </div>
      )}
      {query.before !== '' && (
        <p class="small">
          <a href={pathFrom('')}>{searchNewest}</a>
        </p>
      )}
    </>
  );
}

/** Says why the list is empty, and leads on. */
function EmptyList({ page: { messages, path }, list: { query, older } }: ListProps) {
  const { none, noneFound } = messages.pushes;
  if (older !== undefined) return null;
  if (isFiltered(query)) return <p class="muted">{noneFound}</p>;
  return (
    <div class="empty">
      <p class="muted">{none[query.state]}</p>
      <ButtonLink href={path('/')} text={messages.layout.home} />
    </div>
  );
}

/** The table; that of active pushes is a form, which leads to a question about those that are selected. */
function Selection({ page, list: { pushes, query } }: ListProps) {
  const { selected, several } = page.messages.pushes;
  const table = <PushTable page={page} pushes={pushes} query={query} />;
  if (query.state === 'expired') return table;
  return (
    <form class="selection" action={page.path('/pushes/selected')}>
      <input type="hidden" name="list" value={toQueryString(query)} />
      {table}
      <div class="row selection-bar">
        <p class="js-only" role="status" id="selected-count" data-text={selected} />
        {selectionActions.map((action) => (
          <SubmitButton
            name="action"
            value={action}
            class={action === 'expire' ? 'danger' : 'secondary'}
            text={several[action].ofSelected}
          />
        ))}
      </div>
    </form>
  );
}

/** Limits the list to pushes of a name, for somebody, or of a kind. */
function PushFilters({ page: { messages, path }, list: { query } }: ListProps) {
  const { state, kind, sort } = query;
  const { filters } = messages.pushes;
  return (
    <details class="fold" open={isFiltered(query)}>
      <summary>{filters.label}</summary>
      <form class="filters" aria-label={filters.label} action={path('/pushes')}>
        {state !== 'active' && <input type="hidden" name="state" value={state} />}
        {sort !== 'newest' && <input type="hidden" name="sort" value={sort} />}
        {(['search', 'recipient'] as const).map((name) => (
          <div class="field">
            <label for={name}>{filters[name]}</label>
            <input id={name} name={name} type="search" value={query[name]} />
          </div>
        ))}
        <Select
          name="kind"
          label={filters.kind}
          value={kind ?? ''}
          options={[
            { value: '', text: filters.anyKind },
            ...pushKinds.map((each) => ({ value: each, text: messages.newPush.kinds[each] })),
          ]}
        />
        <SubmitButton class="secondary" text={filters.submit} />
        {isFiltered(query) && <a href={path(pushListPath({ ...query, ...unfiltered }))}>{filters.clear}</a>}
      </form>
    </details>
  );
}

/** Whether the list is limited by more than its state. */
const isFiltered = ({ search, recipient, kind }: PushListQuery): boolean =>
  search !== '' || recipient !== '' || kind !== undefined;

const unfiltered = { search: '', recipient: '', kind: undefined, before: '' };
