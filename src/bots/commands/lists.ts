import type { Account, ChatCaller, Domain, ListedPush } from '../../domain/index.ts';
import type { Card, Line } from '../card.ts';
import type { PushWithLink } from '../cards/lists.ts';
import { cardsOf } from '../language.ts';

type Dependencies = { domain: Pick<Domain, 'chat' | 'pushes'>; linkTo: (urlToken: string) => string };

const listMax = 12;
const expiredListMax = 8;
const suggestionsMax = 25;

/** Commands that list somebody's pushes and requests, or find one among them. */
export function createLists({ domain, linkTo }: Dependencies) {
  const { chat, pushes } = domain;

  async function withLinks(found: ListedPush[]): Promise<PushWithLink[]> {
    const recipients = await pushes.recipientsOf(found.map(({ id }) => id));
    return found.map((push) => ({
      push: { ...push, recipients: recipients.get(push.id) ?? [] },
      link: push.urlToken && linkTo(push.urlToken),
    }));
  }

  const newestPushes = async (account: Account, state: 'active' | 'expired'): Promise<PushWithLink[]> =>
    withLinks(await pushes.list(account, state, 1));

  /** The newest active pushes, and the requests that wait for an answer. */
  async function list(caller: ChatCaller, hint?: Line): Promise<Card> {
    const { account } = await chat.admit(caller);
    const [active, requests] = await Promise.all([
      newestPushes(account, 'active'),
      chat.requests.list(caller.chatUser),
    ]);
    const isCut = active.length > listMax || requests.length > listMax;
    return cardsOf(caller).list(active.slice(0, listMax), requests.slice(0, listMax), { hint, isCut });
  }

  /** The same and the newest expired pushes, for the app's own place. */
  async function home(caller: ChatCaller): Promise<Record<string, Card>> {
    const { account } = await chat.admit(caller);
    const [active, expired, requests] = await Promise.all([
      newestPushes(account, 'active'),
      newestPushes(account, 'expired'),
      chat.requests.list(caller.chatUser),
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

  /** The pushes that match what somebody has typed so far. Refuses nobody, and creates no account. */
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

  return { list, home, withNamedPush, suggest };
}
