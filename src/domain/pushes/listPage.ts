import type { PushKind, PushRow } from './push.ts';
import type { SearchPosition } from './searchPosition.ts';

/** Which pushes of an account a list has. */
export type PushState = 'active' | 'expired';

/** The orders of a list: by when its pushes were created, or by when they end or have ended. */
export const pushSorts = ['newest', 'oldest', 'ends_soonest', 'ends_latest'] as const;
export type PushSort = (typeof pushSorts)[number];

/** What a list is limited to besides its state. */
export type ListFilter = {
  kind?: PushKind | undefined;
  /** A part of the name, the note or the link. */
  search?: string | undefined;
  /** A part of the name of a recipient, or of their address in a chat. */
  recipient?: string | undefined;
};

/** What has to be decrypted to be found; either text may be empty. */
export type SearchTerms = Pick<ListFilter, 'kind'> & { text: string; recipient: string };

/** What a filter searches for; undefined if the database alone can tell what it finds. */
export function maybeSearchTerms({ search, recipient, kind }: ListFilter): SearchTerms | undefined {
  const terms = { text: search?.trim() ?? '', recipient: recipient?.trim() ?? '', kind };
  return terms.text === '' && terms.recipient === '' ? undefined : terms;
}

/** `before` is where an earlier search has stopped. */
export type PushSearchOptions = SearchTerms & {
  sort?: PushSort | undefined;
  before?: SearchPosition | undefined;
};

/** `lookahead` further pushes tell whether there is another page. */
export type PushListOptions = ListFilter & {
  sort?: PushSort | undefined;
  pageSize?: number;
  lookahead?: number;
};

/** The lists end here, so that counting a long one costs no more than that. */
export const listMax = 10_000;
/** A search looks at this many pushes at a time, so that it takes no longer than a list. */
export const searchStep = 2_500;
/** A search in a list looks at this many of the newest pushes, and does not go on. */
export const listSearchMax = 5_000;

type Position = Pick<PushRow, 'id' | 'createdAt' | 'expiresAt' | 'expiredOn'>;

const compareCreation = (one: Position, other: Position) =>
  one.createdAt - other.createdAt || Buffer.compare(one.id, other.id);
const endOf = ({ expiredOn, expiresAt }: Position) => expiredOn ?? expiresAt;
const compareEnd = (one: Position, other: Position) =>
  endOf(one) - endOf(other) || one.expiresAt - other.expiresAt || Buffer.compare(one.id, other.id);

/** The orders of what has been read; `listQueries.ts` has them as SQL. */
export const comparisons: Record<PushSort, (one: Position, other: Position) => number> = {
  newest: (one, other) => compareCreation(other, one),
  oldest: compareCreation,
  ends_soonest: compareEnd,
  ends_latest: (one, other) => compareEnd(other, one),
};
