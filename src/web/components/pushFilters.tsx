import { pushKinds } from '../../domain/index.ts';
import type { PageContext } from '../pageContext.ts';
import { type PushListQuery, pushListPath } from '../pushListQuery.ts';

type PushFiltersProps = { page: PageContext; query: PushListQuery };

/** Limits the list to pushes of a name, for somebody, or of a kind. */
export function PushFilters({ page: { messages, path }, query }: PushFiltersProps) {
  const { state, search, recipient, kind, sort } = query;
  const { filters } = messages.pushes;
  return (
    <form class="filters" aria-label={filters.label} action={path('/pushes')}>
      {state === 'active' ? null : <input type="hidden" name="state" value={state} />}
      {sort === 'newest' ? null : <input type="hidden" name="sort" value={sort} />}
      <div class="field">
        <label for="search">{filters.search}</label>
        <input id="search" name="search" type="search" value={search} />
      </div>
      <div class="field">
        <label for="recipient">{filters.recipient}</label>
        <input id="recipient" name="recipient" type="search" value={recipient} />
      </div>
      <div class="field">
        <label for="kind">{filters.kind}</label>
        <select id="kind" name="kind">
          <option value="">{filters.anyKind}</option>
          {pushKinds.map((each) => (
            <option value={each} selected={each === kind}>
              {messages.newPush.kinds[each]}
            </option>
          ))}
        </select>
      </div>
      <button type="submit" class="secondary">
        {filters.submit}
      </button>
      {isFiltered(query) ? <a href={path(pushListPath(unfiltered(query)))}>{filters.clear}</a> : null}
    </form>
  );
}

/** Whether the list is limited by more than its state. */
export const isFiltered = ({ search, recipient, kind }: PushListQuery): boolean =>
  search !== '' || recipient !== '' || kind !== undefined;

const unfiltered = (query: PushListQuery): PushListQuery => ({
  ...query,
  search: '',
  recipient: '',
  kind: undefined,
  before: '',
});
