import type { ListedPush, PushSort } from '../../domain/index.ts';
import type { PageContext } from '../pageContext.ts';
import { type PushListQuery, pushListPath } from '../pushListQuery.ts';
import { CopyStatus } from './copy.tsx';
import { ActionsCell, CreatedCell, EndCell, NameCell, SelectCell, ViewsCell } from './pushCells.tsx';

type PushTableProps = { page: PageContext; pushes: ListedPush[]; query: PushListQuery };

/**
 * Pushes in rows; on narrow screens each row is a card. Active ones can be selected, for the form around the table. Needs
 * copy.js and select.js.
 */
export function PushTable({ pushes, ...list }: PushTableProps) {
  const { page, query } = list;
  const { columns, selectAll } = page.messages.pushes;
  const isActive = query.state === 'active';
  return (
    <>
      <table class="push-table">
        <thead>
          <tr>
            {isActive && (
              <td class="select">
                <input type="checkbox" id="select-all" class="js-only" aria-label={selectAll} />
              </td>
            )}
            <th scope="col">{columns.push}</th>
            <SortHeader {...list} text={columns.created} sorts={['newest', 'oldest']} />
            <th scope="col">{columns.views}</th>
            <SortHeader {...list} text={columns.end} sorts={['ends_soonest', 'ends_latest']} />
            {isActive && <td />}
          </tr>
        </thead>
        <tbody>
          {pushes.map((push) => (
            <tr>
              {isActive && <SelectCell page={page} push={push} />}
              <NameCell page={page} push={push} />
              <CreatedCell page={page} push={push} />
              <ViewsCell page={page} push={push} />
              <EndCell page={page} push={push} />
              {isActive && <ActionsCell page={page} push={push} query={query} />}
            </tr>
          ))}
        </tbody>
      </table>
      <CopyStatus />
    </>
  );
}

type SortHeaderProps = Omit<PushTableProps, 'pushes'> & {
  text: string;
  sorts: readonly [PushSort, PushSort];
};

/** The head of a column that can be sorted by. It leads to the first order by that column, or to the opposite one. */
function SortHeader({ page, query, text, sorts: [first, opposite] }: SortHeaderProps) {
  const isSorted = query.sort === first || query.sort === opposite;
  const href = page.path(pushListPath({ ...query, sort: query.sort === first ? opposite : first }));
  return (
    <th scope="col" class="sortable" aria-sort={isSorted ? directions[query.sort] : undefined}>
      <a href={href}>{text}</a>
    </th>
  );
}

const directions = {
  newest: 'descending',
  oldest: 'ascending',
  ends_soonest: 'ascending',
  ends_latest: 'descending',
} as const satisfies Record<PushSort, string>;
