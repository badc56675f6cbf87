import { setImmediate as nextTurn } from 'node:timers/promises';
import { redactUrlTokens } from '../../crypto/tokens.ts';
import type { Database } from '../../database/database.ts';
import { comparableText } from '../../text.ts';
import type { Account } from '../people/index.ts';
import type { PushFinder } from './find.ts';
import type { PushLabel } from './label.ts';
import {
  comparisons,
  createListQueries,
  foundBy,
  orderBy,
  type PushSort,
  type PushState,
  type SearchPosition,
  type SearchTerms,
} from './listPage.ts';
import type { PushRecipients } from './recipients.ts';
import type { PushRow } from './tables.ts';

type Dependencies = {
  database: Database;
  finder: PushFinder;
  pushRecipients: Pick<PushRecipients, 'searchTextsOf'>;
};

/**
 * What is searched for, among how many pushes at most, and `before` which position. `enough` is how many matches fill the
 * page.
 */
type Search = SearchTerms & {
  sort: PushSort;
  withLinks: boolean;
  enough: number;
  max: number;
  before?: SearchPosition | undefined;
};

/** The ids of the matches, in order, and where the search stopped if there are pushes that it has not looked at. */
type Found = { ids: Buffer[]; older?: SearchPosition | undefined };

/** What a search reads of a push. */
type SearchedRow = Pick<PushRow, 'id' | 'label' | 'createdAt' | 'expiresAt' | 'expiredOn'>;
type Searched = { row: SearchedRow; recipients: string[] };
/** Before every push. */
const start: SearchPosition = { createdAt: Number.MAX_SAFE_INTEGER, id: Buffer.alloc(16) };

/** The first portion is small, because a page may be full after it. Each later one is twice as large, up to the maximum. */
const firstPortion = 125;
const portionMax = 1_000;
/** How long other requests may wait for a search. */
const turnMs = 10;
/** A label's JSON begins with the url token, in brackets and quotes. */
const linkEnd = '["'.length + 26;
/** More than the longest name, note and url token together. */
const searchBytesMax = 10_000;

/** Searches the pushes of an account. */
export function createPushSearch({ database: { select, dialect }, finder, pushRecipients }: Dependencies) {
  const { conditionOf } = createListQueries(dialect.now);

  /**
   * Finds those pushes whose name, note or link contains `text`, and a recipient of which `recipient`. These fields are
   * encrypted, so the database cannot search them. It looks at the newest `max`, or at so many before a position. With the
   * newest first, it stops once it has found `enough`. Links count only `withLinks`.
   */
  return async function findMatches(account: Account, state: PushState, search: Search): Promise<Found> {
    const { sort, enough, max, before = start } = search;
    const isMatch = maybeMatcher(search);
    if (isMatch === undefined) return { ids: [] };
    const filterInTurns = createFilter(isMatch);
    const matches: SearchedRow[] = [];
    let [seen, last] = [0, before];
    for await (const portion of newest(account, state, { ...search, before, max: max + 1 })) {
      const searched = portion.slice(0, max - seen);
      matches.push(...(await filterInTurns(searched)));
      seen += portion.length;
      last = searched.at(-1)?.row ?? last;
      if (sort === 'newest' && matches.length >= enough) break;
    }
    const ids = matches.sort(comparisons[sort]).map(({ id }) => id);
    return seen > max ? { ids, older: last } : { ids };
  };

  /** Tells which pushes a search finds; undefined if it can find none. */
  function maybeMatcher({ withLinks, ...search }: Search) {
    const text = searchable(search.text);
    const recipient = searchable(search.recipient);
    if (text === undefined || recipient === undefined) return undefined;
    const visible = withLinks ? (text: string) => text : redactUrlTokens;
    const textOf = ({ name, note, urlToken }: PushLabel) =>
      searchable(visible([name, note, urlToken].join('\n'))) ?? '';
    const openLabel = finder.createLabelReader(mayContain(text, withLinks ? 0 : linkEnd));
    /** A push that cannot be decrypted has no text. */
    const contains = (label: PushLabel | undefined) => label !== undefined && textOf(label).includes(text);
    return ({ row, recipients }: Searched) =>
      (recipient === '' || recipients.some((each) => searchable(visible(each))?.includes(recipient))) &&
      (text === '' || contains(openLabel(row)));
  }

  /**
   * Reads up to `max` pushes before a position in portions. What is created meanwhile changes nothing. While one portion is
   * compared, the next is read, except after the first, which is often enough.
   */
  async function* newest(
    account: Account,
    state: PushState,
    search: SearchTerms & { before: SearchPosition; max: number },
  ) {
    let [left, size] = [search.max, firstPortion];
    let portion = await read(search.before, size);
    while (portion.length === size && left > size) {
      const isFirst = left === search.max;
      left -= size;
      size = Math.min(size * 2, portionMax, left);
      const last = portion.at(-1)?.row ?? search.before;
      const reading = isFirst ? undefined : read(last, size);
      reading?.catch(() => {}); // the search may end before it
      yield portion;
      portion = await (reading ?? read(last, size));
    }
    yield portion;

    async function read(position: SearchPosition, limit: number): Promise<Searched[]> {
      const rows = await after(position, limit, account, state, search);
      const texts = search.recipient === '' ? undefined : await pushRecipients.searchTextsOf(rows);
      return rows.map((row) => ({ row, recipients: texts?.get(row.id.toString('hex')) ?? [] }));
    }
  }

  function after(
    { createdAt, id }: SearchPosition,
    limit: number,
    account: Account,
    state: PushState,
    { kind }: SearchTerms,
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

/**
 * Tells whether a label may contain this text from an offset on, by its JSON, which takes a third of the time that parsing
 * does. JSON of ASCII characters has all of the text as it is, but for quotes, backslashes and control characters.
 */
function mayContain(text: string, offset: number): (json: string) => boolean {
  if (/["\\\p{Cc}]/u.test(text)) return () => true;
  return (json) => !isAscii(json) || json.toLowerCase().includes(text, offset);
}

const isAscii = (text: string) => !/[\u0080-\uffff]/.test(text);

function searchable(text: string): string | undefined {
  return comparableText(text, searchBytesMax)?.toLowerCase();
}
