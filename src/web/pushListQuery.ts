import {
  type ListFilter,
  maybeSearchPosition,
  type PushSort,
  type PushState,
  pushKinds,
  pushSorts,
} from '../domain/index.ts';

/** Which pushes the list shows, and in which order, as the address of its page says. */
export type PushListQuery = {
  state: PushState;
  search: string;
  recipient: string;
  kind: ListFilter['kind'];
  sort: PushSort;
  /** Where an earlier search has stopped. */
  before: string;
};

/** What can be done to several pushes at once, the most dangerous last. */
export const selectionActions = ['extend', 'expire'] as const;
export type SelectionAction = (typeof selectionActions)[number];

/** Reads the query of an address, whatever it holds. */
export function readPushListQuery(query: URLSearchParams): PushListQuery {
  const before = query.get('before') ?? '';
  return {
    state: query.get('state') === 'expired' ? 'expired' : 'active',
    search: query.get('search')?.trim() ?? '',
    recipient: query.get('recipient')?.trim() ?? '',
    kind: pushKinds.find((kind) => kind === query.get('kind')),
    sort: pushSorts.find((sort) => sort === query.get('sort')) ?? 'newest',
    before: maybeSearchPosition(before) === undefined ? '' : before,
  };
}

/** The same as the query of an address: only what differs from the list that everybody sees first. */
export function toQueryString({ state, search, recipient, kind, sort, before }: PushListQuery): string {
  const query = {
    state: state === 'active' ? '' : state,
    search,
    recipient,
    kind: kind ?? '',
    sort: sort === 'newest' ? '' : sort,
    before,
  };
  return String(new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')));
}

/** The path of the list; `more` is added to its query. */
export function pushListPath(query: PushListQuery, more: Record<string, string> = {}): string {
  const all = [toQueryString(query), String(new URLSearchParams(more))].filter((part) => part !== '');
  return all.length === 0 ? '/pushes' : `/pushes?${all.join('&')}`;
}

/** The path of the page that asks before it does something to pushes, and leads back to the list. */
export function selectionPath(action: SelectionAction, pushId: string, query: PushListQuery): string {
  const list = toQueryString(query);
  return `/pushes/selected?${new URLSearchParams({ action, push: pushId, ...(list === '' ? {} : { list }) })}`;
}

/** A push in the field of a form that names those which were chosen, as they were then. */
export const toChosenText = ({ id, expiresAt }: ChosenPush): string => `${id}:${expiresAt}`;

/** Reads that field. */
export const readChosen = (text = ''): ChosenPush[] =>
  text.split(',').map((each) => {
    const [id = '', expiresAt = ''] = each.split(':');
    return { id, expiresAt: Number(expiresAt) };
  });

type ChosenPush = { id: string; expiresAt: number };
