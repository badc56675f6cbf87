import type { ChatCaller } from '../../domain/index.ts';
import { type Messages, messagesOf } from '../../locales/locales.ts';
import { platforms } from '../../platforms.ts';
import { actions } from '../actions.ts';
import type { Card } from '../card.ts';
import type { Cards } from '../cards/cards.ts';
import type { Commands } from '../commands.ts';
import { readDueTime } from '../dueTime.ts';
import { cardsOf, languageOf } from '../language.ts';
import { hintedOutcomeOf } from '../outcome.ts';
import { maybeMeant } from '../typo.ts';
import type { Opening } from './openings.ts';
import { repeatable } from './repeatable.ts';

/** A command with text behind it. */
export type TypedCommand = {
  caller: ChatCaller;
  text: string;
  /** The caller's name in the chat. */
  name: string;
  /** The addresses of the people with these names, and the names that are nobody's, or several people's. */
  findPeople(names: string[]): Promise<{ addresses: string[]; unknown: string[] }>;
};

/** A card for the caller alone, or a form to open; undefined for what was done already. */
export type Reaction = { card: Card } | { opening: Opening } | undefined;

const subwords = ['help', 'list', 'expire', 'audit', 'request', 'connect', 'settings'] as const;

/** What each word after the command means: in English, and in the user's language. */
function subwordsIn({ chat: { commandNames } }: Messages): Map<string, (typeof subwords)[number]> {
  return new Map(
    subwords.flatMap((word) => [
      [word, word],
      [commandNames[word], word],
    ]),
  );
}

type Dependencies = { commands: Commands; onError: (error: unknown) => void };

/** Commands for chats that pass on what people type after them. Text that is none of our words is a secret. */
export function createTypedCommands({ commands, onError }: Dependencies) {
  async function cardOf(caller: ChatCaller, work: Promise<Card>): Promise<Reaction> {
    const outcome = await hintedOutcomeOf(caller, work, { commands, onError });
    return outcome && { card: outcome.card };
  }

  return async function react({ caller, text, name, findPeople }: TypedCommand): Promise<Reaction> {
    const { platform } = caller.chatUser;
    const [, typed = '', rest = ''] = /^\s*(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
    const { cards, messages } = languageOf(caller);
    const words = subwordsIn(messages);
    const word = words.get(typed.toLowerCase());
    const meant = rest === '' && word === undefined ? maybeMeant(typed, [...words.keys()]) : undefined;
    if (meant !== undefined)
      return { card: cards.didYouMean(typed, `${platforms[platform].command} ${meant}`) };
    const hint = rest === '' ? undefined : cards.hints.subword(typed);
    const reader = repeatable(caller);
    if (typed === '') return { opening: { form: 'push' } };
    switch (word) {
      case 'help':
        return { card: commands.help(caller) };
      case 'list':
        return cardOf(caller, commands.list(reader, { query: rest, hint }));
      case 'expire':
        return cardOf(caller, commands.withNamedPush(caller, rest, commands.expire));
      case 'audit':
        return cardOf(caller, commands.withNamedPush(reader, rest, commands.audit));
      case 'request':
        return request(caller, rest, findPeople);
      case 'connect':
        return cardOf(caller, commands.connect(caller, `@${name}`));
      case 'settings':
        return { opening: { form: 'settings' } };
      default:
        return cardOf(caller, commands.createFromText(caller, text));
    }
  };

  /** People, a reason and a due time. A form asks for the people where the names that were typed do not tell. */
  async function request(
    caller: ChatCaller,
    text: string,
    findPeople: TypedCommand['findPeople'],
  ): Promise<Reaction> {
    const { names, rest } = readNames(text);
    const languages = [messagesOf('en').chat, languageOf(caller).messages.chat];
    const { reason, dueInMinutes } = readDueTime(rest, languages);
    const { addresses, unknown } = await findPeople(names);
    if (addresses.length > 0 && unknown.length === 0)
      return cardOf(caller, commands.request(caller, addresses, { reason, dueInMinutes }));
    const unread = [...unknown.map((each) => `@${each}`), reason].join(' ');
    const options = { providers: addresses, reason: unread, dueInMinutes };
    return { opening: { form: 'request', options } };
  }
}

/** The names that a text begins with, each after an @, and what follows them. */
export function readNames(text: string): { names: string[]; rest: string } {
  const names: string[] = [];
  let rest = text;
  for (;;) {
    const [whole = '', name] = /^(?:(?:and|und|&)\s+)?@(\S+)\s*/i.exec(rest) ?? [];
    const cleaned = name?.replace(/[,:;]+$/, '');
    if (!cleaned) return { names, rest };
    names.push(cleaned);
    rest = rest.slice(whole.length);
  }
}

const againActions: Partial<Record<Opening['form'], string>> = {
  push: actions.newPush,
  request: actions.newRequest,
  settings: actions.settings,
};

/** For a form that a command could not open: a button that opens it, since such a chance comes once. */
export function cardToOpenAgain(caller: ChatCaller, { form }: Opening): Card {
  const cards: Cards = cardsOf(caller);
  const button = cards.buttons.home.find(({ id }) => id === againActions[form]);
  return button ? cards.formFailed(button) : cards.internalError;
}
