import type { App, RespondArguments, SlashCommand } from '@slack/bolt';
import { addressWorkspace, type ChatCaller } from '../../domain/index.ts';
import { type Messages, messagesOf } from '../../locales/locales.ts';
import { actions } from '../actions.ts';
import type { Card } from '../card.ts';
import type { Commands } from '../commands.ts';
import { readDueTime } from '../dueTime.ts';
import { cardsOf, languageOf } from '../language.ts';
import { hintedOutcomeOf, withinAckTimeout } from '../outcome.ts';
import { maybeMeant } from '../typo.ts';
import { addressOf, repeatable, slackCallerOf } from './caller.ts';
import { type Directory, readNames } from './directory.ts';
import { isInvalidToken } from './errors.ts';
import type { ModalTrigger, SlackModals } from './modals.ts';
import { noUnfurl, renderSlackMessage } from './render.ts';
import type { SlackReplies } from './replies.ts';

type Dependencies = {
  commands: Commands;
  modals: SlackModals;
  replies: SlackReplies;
  directory: Directory;
  installUrl: string | undefined;
  onError: (error: unknown) => void;
};

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

const ephemeral = (card: Card): RespondArguments => ({
  ...renderSlackMessage(card),
  ...noUnfurl,
  response_type: 'ephemeral',
});

/** `/push`, and everything that may be typed after it. */
export function onSlashCommands(
  app: App,
  { commands, modals, replies, directory, installUrl, onError }: Dependencies,
): void {
  app.command(/^\//, async ({ ack, command, client, context }) => {
    const caller = slackCallerOf(context, command.user_id, command.trigger_id);
    const trigger = { client, triggerId: command.trigger_id };
    const response = respond(caller, trigger, command).catch((error) => {
      onError(error);
      return cardsOf(caller).internalError;
    });
    const soon = await withinAckTimeout(response);
    if (soon !== undefined) return ack(soon.value && ephemeral(soon.value));
    await ack();
    const late = await response;
    const { user_id: user, response_url: responseUrl } = command;
    if (late !== undefined) await replies.respond({ client, user, responseUrl }, late);
  });

  /** The card to show, or undefined where a modal was opened instead. */
  async function respond(
    caller: ChatCaller,
    trigger: ModalTrigger,
    command: SlashCommand,
  ): Promise<Card | undefined> {
    const { text, response_url: responseUrl } = command;
    const [, typed = '', rest = ''] = /^\s*(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
    const cardOf = (work: Promise<Card>) =>
      hintedOutcomeOf(caller, work, { commands, onError }).then((outcome) => outcome?.card);
    const { cards, messages } = languageOf(caller);
    const words = subwordsIn(messages);
    const word = words.get(typed.toLowerCase());
    const meant = rest === '' && word === undefined ? maybeMeant(typed, [...words.keys()]) : undefined;
    if (meant !== undefined) return cards.didYouMean(typed, `/push ${meant}`);
    const hint = rest === '' ? undefined : cards.hints.subword(typed);
    const reader = repeatable(caller);
    if (typed === '') {
      return orRetry(caller, modals.push(trigger, caller, { responseUrl }), 'newPush');
    }
    switch (word) {
      case 'help':
        return cards.help('slack');
      case 'list':
        return cardOf(commands.list(reader, { query: rest, hint }));
      case 'expire':
        return cardOf(commands.withNamedPush(caller, rest, commands.expire));
      case 'audit':
        return cardOf(commands.withNamedPush(reader, rest, commands.audit));
      case 'request':
        return request(caller, trigger, { text: rest, responseUrl, cardOf });
      case 'connect':
        return cardOf(commands.connect(caller, `@${command.user_name}`));
      case 'settings':
        return orRetry(caller, modals.settings(trigger, reader), 'settings');
      default:
        return cardOf(commands.createFromText(caller, text));
    }
  }

  /** Nothing once a form is open; or else a card with a button that opens it, since a trigger works once. */
  async function orRetry(
    caller: ChatCaller,
    opening: Promise<unknown>,
    action: 'newPush' | 'newRequest' | 'settings',
  ): Promise<Card | undefined> {
    const { cards } = languageOf(caller);
    try {
      await opening;
      return undefined;
    } catch (error) {
      onError(error);
      if (isInvalidToken(error)) return cards.notInstalled(installUrl);
      const button = cards.buttons.home.find(({ id }) => id === actions[action]);
      return button ? cards.formFailed(button) : cards.internalError;
    }
  }

  type RequestCommand = {
    text: string;
    responseUrl: string;
    cardOf: (work: Promise<Card>) => Promise<Card | undefined>;
  };

  /** People, a reason and a due time. A form asks for the people where the names that were typed do not tell. */
  async function request(
    caller: ChatCaller,
    trigger: ModalTrigger,
    { text, responseUrl, cardOf }: RequestCommand,
  ): Promise<Card | undefined> {
    const { names, rest } = readNames(text);
    const { reason, dueInMinutes } = readDueTime(rest, [
      messagesOf('en').chat,
      languageOf(caller).messages.chat,
    ]);
    const found = await directory.find(trigger.client, caller.workspace, names);
    const providers = found.users.map((user) => addressOf(addressWorkspace(caller.chatUser), user));
    if (providers.length > 0 && found.unknown.length === 0)
      return cardOf(commands.request(caller, providers, { reason, dueInMinutes }));
    const unread = [...found.unknown.map((name) => `@${name}`), reason].join(' ');
    const form = { providers, reason: unread, dueInMinutes };
    return orRetry(caller, modals.request(trigger, caller, form, { responseUrl }), 'newRequest');
  }
}
