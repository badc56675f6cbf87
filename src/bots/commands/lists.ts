import type { Account, ChatCaller, Domain, ListedPush, RequestLink } from '../../domain/index.ts';
import type { Card, Line } from '../card.ts';
import type { PushWithLink, WaitingRequest } from '../cards/lists.ts';
import { cardsOf } from '../language.ts';
import { addressOfLink } from './requestLinks.ts';

type Dependencies = {
  domain: Pick<Domain, 'chat' | 'pushes' | 'requestLinks'>;
  linkTo: (urlToken: string) => string;
  requestLinkTo: (urlToken: string) => string;
};

const listMax = 10;
const expiredListMax = 8;
const suggestionsMax = 25;
/** A query goes into the custom id of a button, which holds 100 characters in Discord. */
const queryMax = 60;

type ListPage = { query: string; page: number };
type ListOptions = Partial<ListPage> & { hint?: Line | undefined };

/** Commands that list a user's pushes and requests, or find one among them. */
export function createLists({ domain, linkTo, requestLinkTo }: Dependencies) {
  const { chat, pushes, requestLinks } = domain;

  async function withLinks(found: ListedPush[]): Promise<PushWithLink[]> {
    const recipients = await pushes.recipientsOf(found.map(({ id }) => id));
    return found.map((push) => ({
      push: { ...push, recipients: recipients.get(push.id) ?? [] },
      link: push.urlToken && linkTo(push.urlToken),
    }));
  }

  const newestPushes = async (account: Account, state: 'active' | 'expired'): Promise<PushWithLink[]> =>
    withLinks(await pushes.list({ account }, state, 1));

  /** The requests of a caller that wait for an answer, and after them the open request links. */
  async function waiting(account: Account, { chatUser }: ChatCaller): Promise<WaitingRequest[]> {
    const [requests, links] = await Promise.all([
      chat.requests.list(chatUser),
      requestLinks.list({ account }),
    ]);
    const open = links.filter(({ state }) => state === 'open');
    const addressOf = (link: RequestLink) => addressOfLink(link, requestLinkTo);
    return [...requests, ...open.map((link) => Object.assign(link, { address: addressOf(link) }))];
  }

  /** One page of the active pushes that match a query, and whether there is another. The first page is 1. */
  async function pageOfPushes(account: Account, { query, page }: ListPage) {
    const options = { search: query, pageSize: listMax, lookahead: 1 };
    const found = await pushes.list({ account }, 'active', page, options);
    return { found: await withLinks(found.slice(0, listMax)), hasOlder: found.length > listMax };
  }

  /** A page of the active pushes that match a query, newest first; without one, also of the requests that wait for an answer. */
  async function list(caller: ChatCaller, { query = '', page = 1, hint }: ListOptions = {}): Promise<Card> {
    const { account } = await chat.admit(caller);
    const listed = { query: query.trim().slice(0, queryMax), page };
    const [{ found, hasOlder }, requests] = await Promise.all([
      pageOfPushes(account, listed),
      listed.query === '' ? waiting(account, caller) : [],
    ]);
    return cardsOf(caller).list(found, requests.slice((page - 1) * listMax, page * listMax), {
      ...listed,
      hint,
      hasOlder: hasOlder || requests.length > page * listMax,
    });
  }

  /** Another page of a list, by the value of its button. */
  function listPage(caller: ChatCaller, value: string): Promise<Card> {
    const [, page = '1', query = ''] = /^(\d+) ([\s\S]*)$/.exec(value) ?? [];
    return list(caller, { query, page: Number(page) });
  }

  /** The newest pushes and the requests, for the app's own place. */
  async function home(caller: ChatCaller): Promise<Record<string, Card>> {
    const { account } = await chat.admit(caller);
    const [active, expired, requests] = await Promise.all([
      newestPushes(account, 'active'),
      newestPushes(account, 'expired'),
      waiting(account, caller),
    ]);
    const cards = cardsOf(caller);
    if (active.length + expired.length + requests.length === 0) return cards.emptyHome();
    return cards.home(active.slice(0, listMax), requests.slice(0, listMax), expired.slice(0, expiredListMax));
  }

  /**
   * Runs a command for the one push that a name or a pasted link means, an active one before an expired one. Otherwise
   * asks which push is meant.
   */
  async function withNamedPush(
    caller: ChatCaller,
    name: string,
    command: (caller: ChatCaller, pushId: string) => Promise<Card>,
  ): Promise<Card> {
    const account = await chat.identities.accountOf(caller.chatUser);
    const query = name.trim().toLowerCase();
    const isMatch = ({ push: { name: own, urlToken } }: PushWithLink) =>
      own?.trim().toLowerCase() === query || (urlToken !== null && query.includes(urlToken));
    const active = await newestPushes(account, 'active');
    const matches = active.filter(isMatch);
    if (matches.length === 0 && query !== '')
      matches.push(...(await newestPushes(account, 'expired')).filter(isMatch));
    const [first, ...others] = matches;
    if (first !== undefined && others.length === 0) return command(caller, first.push.id); // which admits the caller
    await chat.admit(caller);
    const isUnknown = first === undefined && query !== '';
    return cardsOf(caller).choosePush(
      (first === undefined ? active : matches).slice(0, listMax),
      isUnknown ? name.trim() : '',
    );
  }

  /** The pushes that match what the user has typed so far. Never refuses, and creates no account. */
  async function suggest(caller: ChatCaller, typed: string, { withExpired = false } = {}) {
    const account = await chat.identities.maybeAccount(caller.chatUser);
    if (account === undefined) return [];
    const found = await Promise.all([
      newestPushes(account, 'active'),
      withExpired ? newestPushes(account, 'expired') : [],
    ]);
    const candidates = found.flat().map(({ push }) => push);
    const labels = cardsOf(caller).labelsOf(candidates);
    const query = typed.trim().toLowerCase();
    return candidates
      .map(({ id }, at) => ({ id, label: labels[at] ?? '' }))
      .filter(({ label }) => label.toLowerCase().includes(query))
      .slice(0, suggestionsMax);
  }

  return { list, listPage, home, withNamedPush, suggest };
}
