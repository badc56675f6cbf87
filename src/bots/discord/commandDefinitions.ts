import {
  type APIApplicationCommandBasicOption,
  ApplicationCommandType,
  ApplicationIntegrationType,
  Locale as DiscordLocale,
  InteractionContextType,
  ApplicationCommandOptionType as Option,
  type RESTPutAPIApplicationCommandsJSONBody,
} from 'discord.js';
import { type Domain, digestOf } from '../../domain/index.ts';
import { messagesOf, toLocale } from '../../locales/locales.ts';
import { retry } from '../../retry.ts';
import { lifetimeOptions } from '../forms/options.ts';
import { dueOptions } from '../forms/request.ts';
import type { Subword } from '../interactions/typed.ts';
import type { ChatMessages } from '../messages.ts';
import { nameMax } from './customIds.ts';
import { explainDiscordError } from './errors.ts';
import type { DiscordRest } from './restClient.ts';
import type { DiscordSettings } from './settings.ts';

/** Discord's languages that we have texts in. English is for all others. */
const translated = Object.values(DiscordLocale).filter((tag) => toLocale(tag) !== 'en');

type PickText = (texts: ChatMessages) => string;

/** The English text: what Discord shows where it has no translation. */
const inEnglish = (pick: PickText): string => pick(messagesOf('en').chat);

/** A name, or a description, in all languages. */
const localized = <Key extends 'name' | 'description'>(key: Key, pick: PickText) =>
  ({
    [key]: inEnglish(pick),
    [`${key}_localizations`]: Object.fromEntries(
      translated.map((tag) => [tag, pick(messagesOf(toLocale(tag)).chat)]),
    ),
  }) as Record<Key, string>;

/** In servers, with the bot and between users; installed by a server, or by a user. */
const everywhere = {
  integration_types: [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall],
  contexts: [
    InteractionContextType.Guild,
    InteractionContextType.BotDM,
    InteractionContextType.PrivateChannel,
  ],
};

/** Interactions carry the English names, whatever people see. */
export const contextMenus = {
  pushMessage: inEnglish(({ commands }) => commands.pushMessage),
  sendTo: inEnglish(({ commands }) => commands.sendTo),
  requestFrom: inEnglish(({ commands }) => commands.requestFrom),
};

/** An option, or a subcommand. What it is called and how it is described may stand under two names. */
const option = (
  type: Option,
  name: keyof ChatMessages['commandNames'],
  { text = name as keyof ChatMessages['commands'], ...more }: OptionDetails = {},
) =>
  ({
    type,
    ...localized('name', ({ commandNames }) => commandNames[name]),
    ...localized('description', ({ commands }) => commands[text]),
    ...more,
  }) as APIApplicationCommandBasicOption;

type OptionDetails = { text?: keyof ChatMessages['commands']; [more: string]: unknown };

/** What can be chosen, by its value. */
const choices = <Value>(
  optionsIn: (texts: ChatMessages) => { label: string; value: string }[],
  toValue: (value: string) => Value,
) =>
  optionsIn(messagesOf('en').chat).map(({ value }, at) => ({
    ...localized('name', (texts) => optionsIn(texts)[at]?.label ?? ''),
    value: toValue(value),
  }));

const bounds = { maxViews: 100, maxDays: 90 };
const lifetimes = choices((texts) => lifetimeOptions(texts, bounds, 7), String);

const pushOptions = [
  option(Option.User, 'recipient'),
  option(Option.Integer, 'views', { min_value: 1, max_value: bounds.maxViews }),
  option(Option.String, 'expires', { choices: lifetimes }),
  option(Option.String, 'name', { max_length: nameMax }),
];
const requestOptions = [
  option(Option.User, 'user', { text: 'provider' }),
  option(Option.String, 'reason', { max_length: 500 }),
  option(Option.Integer, 'due', { choices: choices(dueOptions, Number) }),
];
const searchOption = option(Option.String, 'search', { max_length: 60 });
const whichPush = option(Option.String, 'push', { text: 'whichPush', autocomplete: true });

const sub = (name: Subword, options: object[] = []) => option(Option.Subcommand, name, { options });

/** The commands as Discord lists them. Options hold nothing secret: Discord keeps them. */
export const commandDefinitions: RESTPutAPIApplicationCommandsJSONBody = [
  { name: 'push', ...localized('description', ({ commands }) => commands.push), options: pushOptions },
  {
    name: 'pushes',
    ...localized('description', ({ commands }) => commands.pushes),
    options: [
      sub('list', [searchOption]),
      sub('expire', [whichPush]),
      sub('audit', [whichPush]),
      sub('request', requestOptions),
      sub('request-link', requestOptions.slice(1)),
      sub('connect'),
      sub('settings'),
      sub('help'),
    ],
  },
  { ...localized('name', ({ commands }) => commands.pushMessage), type: ApplicationCommandType.Message },
  { ...localized('name', ({ commands }) => commands.sendTo), type: ApplicationCommandType.User },
  { ...localized('name', ({ commands }) => commands.requestFrom), type: ApplicationCommandType.User },
].map((command) => ({ type: ApplicationCommandType.ChatInput, ...command, ...everywhere }) as Command);

type Command = RESTPutAPIApplicationCommandsJSONBody[number];

type Dependencies = {
  rest: DiscordRest;
  settings: DiscordSettings;
  chat: Pick<Domain['chat'], 'commandRegistrations'>;
  onError: (error: unknown) => void;
};

const retryMs = 30_000;

/** Registers the commands at Discord, which allows some such calls a day. Changes show at once. */
export function createRegistration({ rest, settings, chat, onError }: Dependencies) {
  const hash = digestOf(JSON.stringify([settings.DISCORD_APPLICATION_ID, commandDefinitions])).toString(
    'hex',
  );

  /** Replaces all commands in one call. Resolves to their number. */
  async function register(): Promise<number> {
    await rest.setCommands(commandDefinitions);
    await chat.commandRegistrations.save('discord', hash);
    return commandDefinitions.length;
  }

  /** Registers unless the same was registered before. Retries however long Discord or the database are away. */
  async function registerUntilDone(signal: AbortSignal): Promise<void> {
    const delayMs = (_attempt: number, error: unknown) => explainDiscordError(error)?.afterMs ?? retryMs;
    const registerIfChanged = async () => {
      if ((await chat.commandRegistrations.maybeHash('discord')) !== hash) await register();
    };
    await retry(registerIfChanged, { delayMs, onRetry: onError, signal }).catch(() => {}); // rejects only when stopped
  }

  return { register, registerUntilDone };
}
