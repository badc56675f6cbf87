import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../database/database.ts';
import { comparableText } from '../../text.ts';
import type { Account } from '../accounts/account.ts';
import type { PushFinder } from './find.ts';
import type { PushLabel } from './label.ts';
import {
  comparisons,
  createListConditions,
  foundBy,
  type ListFilter,
  orderBy,
  type PushSort,
  type PushState,
  searchMax,
} from './listPage.ts';
import type { PushRow } from './push.ts';
import type { PushRecipients } from './recipients.ts';

type Dependencies = {
  database: Database;
  finder: PushFinder;
  pushRecipients: Pick<PushRecipients, 'searchTextsOf'>;
};

/** What is searched for: either text may be empty. `enough` is how many matches fill the page. */
type Search = Pick<ListFilter, 'kind'> & { text: string; recipient: string; sort: PushSort; enough: number };

/** What a search reads of a push. */
type SearchedRow = Pick<PushRow, 'id' | 'label' | 'createdAt' | 'expiresAt' | 'expiredOn'>;
type Searched = { row: SearchedRow; recipients: string[] };
/** A place in the order of the lists. */
type Place = Pick<PushRow, 'id' | 'createdAt'>;

/** Before every push. */
const start: Place = { createdAt: Number.MAX_SAFE_INTEGER, id: Buffer.alloc(16) };

/** The first portion is small, because a page may be full after it. Each later one is twice as large, up to the maximum. */
const firstPortion = 125;
const portionMax = 1_000;
/** How long other requests may wait for a search. */
const turnMs = 10;
/** More than the longest name, note and url token together. */
const searchBytesMax = 10_000;

/** Searches the pushes of an account. */
export function createPushSearch({ database: { select, dialect }, finder, pushRecipients }: Dependencies) {
  const conditionOf = createListConditions(dialect.now);

  /**
   * Returns the ids of those pushes, in order, whose name, note or link contains `text`, and a recipient of which
   * `recipient`, among the newest 5,000. These fields are encrypted, so the database cannot search them. With the newest
   * first, it stops once it has found `enough`.
   */
  return async function findMatches(
    account: Account,
    state: PushState,
    { sort, enough, ...search }: Search,
  ): Promise<Buffer[]> {
    const isMatch = maybeMatcher(search);
    if (isMatch === undefined) return [];
    const filterInTurns = createFilter(isMatch);
    const matches: SearchedRow[] = [];
    for await (const portion of newest(account, state, search)) {
      matches.push(...(await filterInTurns(portion)));
      if (sort === 'newest' && matches.length >= enough) break;
    }
    return matches.sort(comparisons[sort]).map(({ id }) => id);
  };

  /** Tells which pushes a search finds; undefined if it can find none. */
  function maybeMatcher(search: Pick<Search, 'text' | 'recipient'>) {
    const text = searchable(search.text);
    const recipient = searchable(search.recipient);
    if (text === undefined || recipient === undefined) return undefined;
    const openLabel = finder.createLabelReader();
    return ({ row, recipients }: Searched) =>
      (recipient === '' || recipients.some((each) => searchable(each)?.includes(recipient))) &&
      (text === '' || searchableText(openLabel(row)).includes(text));
  }

  /**
   * Reads the newest 5,000 pushes in portions. What is created meanwhile changes nothing. While one portion is compared,
   * the next is read, except after the first, which is often enough.
   */
  async function* newest(account: Account, state: PushState, search: Pick<Search, 'kind' | 'recipient'>) {
    let [left, size] = [searchMax, firstPortion];
    let portion = await read(start, size);
    while (portion.length === size && left > size) {
      const isFirst = left === searchMax;
      left -= size;
      size = Math.min(size * 2, portionMax, left);
      const last = portion.at(-1)?.row ?? start;
      const reading = isFirst ? undefined : read(last, size);
      reading?.catch(() => {}); // the search may end before it
      yield portion;
      portion = await (reading ?? read(last, size));
    }
    yield portion;

    async function read(place: Place, limit: number): Promise<Searched[]> {
      const rows = await after(place, limit, account, state, search);
      const texts = search.recipient === '' ? undefined : await pushRecipients.searchTextsOf(rows);
      return rows.map((row) => ({ row, recipients: texts?.get(row.id.toString('hex')) ?? [] }));
    }
  }

  function after(
    { createdAt, id }: Place,
    limit: number,
    account: Account,
    state: PushState,
    { kind }: Pick<Search, 'kind'>,
  ): Promise<SearchedRow[]> {
    const isAfter = 'created_at <= $createdAt AND (created_at < $createdAt OR id < $id)';
    const condition = `${conditionOf(state, { kind })} AND ${isAfter}`;
    return select<SearchedRow>(
      `SELECT id, label, created_at AS createdAt, expires_at AS expiresAt, expired_on AS expiredOn
       FROM pushes JOIN ${foundBy(condition, orderBy.newest, `LIMIT ${limit}`)} ${orderBy.newest}`,
      { accountId: account.id, createdAt, id, kind: kind ?? null },
    );
  }
}

/** Returns a function that filters pushes, and lets other requests have a turn of the event loop every `turnMs`. */
function createFilter(isMatch: (searched: Searched) => boolean) {
  let turnEndsAt = performance.now() + turnMs;
  return async (portion: Searched[]): Promise<SearchedRow[]> => {
    const matches: SearchedRow[] = [];
    for (const searched of portion) {
      if (isMatch(searched)) matches.push(searched.row);
      if (performance.now() < turnEndsAt) continue;
      await nextTurn();
      turnEndsAt = performance.now() + turnMs;
    }
    return matches;
  };
}

/** A push that cannot be decrypted has no text. */
function searchableText(label: PushLabel | undefined): string {
  return (label && searchable([label.name, label.note, label.urlToken].join('\n'))) ?? '';
}

function searchable(text: string): string | undefined {
  return comparableText(text, searchBytesMax)?.toLowerCase();
}
