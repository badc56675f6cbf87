import type { ChatCaller } from '../../domain/index.ts';
import { type Messages, messagesOf } from '../../locales/locales.ts';
import { platforms } from '../../platforms.ts';
import { actions } from '../actions.ts';
import type { Card, Line } from '../card.ts';
import type { Commands } from '../commands.ts';
import { readDueTime } from '../dueTime.ts';
import type { RequestFormOptions } from '../forms/request.ts';
import { cardsOf, languageOf } from '../language.ts';
import type { Outcome, Outcomes } from '../outcome.ts';
import { maybeMeant } from '../typo.ts';
import type { Opening } from './openings.ts';
import { repeatable } from './repeatable.ts';

/** A command with text behind it. */
export type TypedCommand = {
  caller: ChatCaller;
  text: string;
  /** The caller's name in the chat. */
  name: string;
  /** The address of each person of these names; undefined for a name that is nobody's, or several people's. */
  findPeople(names: string[]): Promise<(string | undefined)[]>;
};

/** A card for the caller alone, or a form to open; undefined for what was done already. */
export type Reaction = { card: Card } | { opening: Opening } | undefined;

/** The words after a command. */
export const subwords = [
  ...(['help', 'list', 'expire', 'audit', 'request'] as const),
  ...(['request-link', 'connect', 'settings'] as const),
] as const;

export type Subword = (typeof subwords)[number];

/** What a word needs, by what it is: `providers` are the addresses of people who are asked. */
type SubwordInput = RequestFormOptions & {
  caller: ChatCaller;
  /** The caller's name in the chat. */
  name: string;
  /** What is searched for, or the name of a push. */
  text?: string | undefined;
  pushId?: string | undefined;
  hint?: Line | undefined;
};

/** What each word after the command means: in English, and in the user's language. */
function subwordsIn({ chat: { commandNames } }: Messages): Map<string, Subword> {
  return new Map(
    subwords.flatMap((word) => [
      [word, word],
      [commandNames[word], word],
    ]),
  );
}

/** The words after a command, for chats that have commands of them, and for those that pass on what people type. */
export function createTypedCommands(commands: Commands, { hintedOutcomeOf }: Outcomes) {
  /** Does what a word means. Whether it opens a form is known at once. */
  function run(word: Subword, input: SubwordInput): { outcome: Promise<Outcome> } | { opening: Opening } {
    const { caller, name, text = '', pushId, hint, providers = [], ...request } = input;
    const outcome = (work: Promise<Card>) => ({ outcome: hintedOutcomeOf(caller, work) });
    const onPush = (act: (caller: ChatCaller, id: string) => Promise<Card>) =>
      outcome(pushId === undefined ? commands.withNamedPush(caller, text, act) : act(caller, pushId));
    switch (word) {
      case 'help':
        return { outcome: Promise.resolve({ card: commands.help(caller), hasFailed: false }) };
      case 'list':
        return outcome(commands.list(caller, { query: text, hint }));
      case 'expire':
        return onPush(commands.expire);
      case 'audit':
        return onPush(commands.audit);
      case 'request':
        return providers.length === 0
          ? { opening: { form: 'request', options: request } }
          : outcome(commands.request(caller, providers, request));
      case 'request-link': {
        const { reason: title = '', dueInMinutes: minutes } = request;
        return title === ''
          ? { opening: { form: 'requestLink', options: { minutes } } }
          : outcome(commands.requestLink(caller, { title, expireAfterMinutes: minutes }));
      }
      case 'connect':
        return outcome(commands.connect(caller, `@${name}`));
      case 'settings':
        return { opening: { form: 'settings', asksWhose: true } };
    }
  }

  /** Text that is none of our words is a secret. */
  async function react(command: TypedCommand): Promise<Reaction> {
    const { caller, text } = command;
    const [, typed = '', rest = ''] = /^\s*(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
    if (typed === '') return { opening: { form: 'push' } };
    const { cards, messages } = languageOf(caller);
    const words = subwordsIn(messages);
    const word = words.get(typed.toLowerCase());
    const [, afterLink] = (word === 'request' && /^link\b\s*([\s\S]*)$/i.exec(rest)) || [];
    if (afterLink !== undefined) return reactToWord('request-link', command, { typed, rest: afterLink });
    if (word !== undefined) return reactToWord(word, command, { typed, rest });
    const meant = rest === '' ? maybeMeant(typed, [...words.keys()]) : undefined;
    if (meant === undefined) return hintedOutcomeOf(caller, commands.createFromText(caller, text));
    const { command: ours } = platforms[caller.chatUser.platform];
    return { card: cards.didYouMean(typed, `${ours} ${meant}`) };
  }

  async function reactToWord(
    word: Subword,
    { caller, name, findPeople }: TypedCommand,
    { typed, rest }: { typed: string; rest: string },
  ): Promise<Reaction> {
    const hint = rest === '' ? undefined : cardsOf(caller).hints.subword(typed);
    const isRequest = word === 'request' || word === 'request-link';
    const asked = isRequest
      ? await readRequest(caller, rest, word === 'request' ? findPeople : undefined)
      : undefined;
    if (asked?.isUnsure) return { opening: { form: 'request', options: asked.options } };
    const isRead = word === 'list' || word === 'audit'; // which is answered again when it is delivered again
    const by = isRead ? repeatable(caller) : caller;
    const reaction = run(word, { caller: by, name, text: rest, hint, ...asked?.options });
    return 'opening' in reaction ? reaction : reaction.outcome;
  }

  return { run, react };
}

/** People, where they are asked, a reason and a due time. A form asks for the people where the names that were typed do not tell. */
async function readRequest(
  caller: ChatCaller,
  text: string,
  findPeople?: TypedCommand['findPeople'],
): Promise<{ options: RequestFormOptions; isUnsure: boolean }> {
  const { names, rest } = findPeople ? readNames(text) : { names: [], rest: text };
  const languages = [messagesOf('en').chat, languageOf(caller).messages.chat];
  const { reason: read, dueInMinutes } = readDueTime(rest, languages);
  const found = (names.length > 0 && (await findPeople?.(names))) || [];
  const providers = found.flatMap((address) => address ?? []);
  const unknown = names.filter((_, at) => found[at] === undefined);
  const reason = [...unknown.map((each) => `@${each}`), read].join(' ');
  return { options: { providers, reason, dueInMinutes }, isUnsure: unknown.length > 0 };
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
  requestLink: actions.newRequestLink,
  settings: actions.settings,
};

/** For a form that a command could not open: a button that opens it, since such a chance comes once. */
export function cardToOpenAgain(caller: ChatCaller, { form }: Opening): Card {
  const cards = cardsOf(caller);
  const button = cards.buttons.home.find(({ id }) => id === againActions[form]);
  return button ? cards.formFailed(button) : cards.internalError;
}
