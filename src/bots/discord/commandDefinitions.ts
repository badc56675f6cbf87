import {
  type APIApplicationCommandBasicOption,
  ApplicationCommandType,
  ApplicationIntegrationType,
  Locale as DiscordLocale,
  InteractionContextType,
  ApplicationCommandOptionType as Option,
  type RESTPutAPIApplicationCommandsJSONBody,
} from 'discord.js';
import { messagesOf, toLocale } from '../../locales/locales.ts';
import { lifetimeOptions } from '../forms/options.ts';
import { dueOptions } from '../forms/request.ts';
import type { ChatMessages } from '../messages.ts';
import { nameMax } from './modalState.ts';

/** Discord's languages that we have texts in. English is for all others. */
const translated = Object.values(DiscordLocale).filter((tag) => toLocale(tag) !== 'en');

/** The English text: what Discord shows where it has no translation. */
const inEnglish = (pick: (texts: ChatMessages) => string): string => pick(messagesOf('en').chat);

const translationsOf = (pick: (texts: ChatMessages) => string) =>
  Object.fromEntries(translated.map((tag) => [tag, pick(messagesOf(toLocale(tag)).chat)]));

/** A name in all languages. */
const localizedName = (pick: (texts: ChatMessages) => string) => ({
  name: inEnglish(pick),
  name_localizations: translationsOf(pick),
});

/** A description in all languages. */
const localizedDescription = (pick: (texts: ChatMessages) => string) => ({
  description: inEnglish(pick),
  description_localizations: translationsOf(pick),
});

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
    ...localizedName(({ commandNames }) => commandNames[name]),
    ...localizedDescription(({ commands }) => commands[text]),
    ...more,
  }) as APIApplicationCommandBasicOption;

type OptionDetails = { text?: keyof ChatMessages['commands']; [more: string]: unknown };

/** What can be chosen, by its value. */
const choices = <Value>(
  optionsIn: (texts: ChatMessages) => { label: string; value: string }[],
  toValue: (value: string) => Value,
) =>
  optionsIn(messagesOf('en').chat).map(({ value }, at) => ({
    ...localizedName((texts) => optionsIn(texts)[at]?.label ?? ''),
    value: toValue(value),
  }));

const [viewsMax, daysMax, defaultDays] = [100, 90, 7];
const bounds = { maxViews: viewsMax, maxDays: daysMax };
const lifetimes = choices((texts) => lifetimeOptions(texts, bounds, defaultDays), String);

const pushOptions = [
  option(Option.User, 'recipient'),
  option(Option.Integer, 'views', { min_value: 1, max_value: viewsMax }),
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

type Subcommand = 'list' | 'expire' | 'audit' | 'request' | 'connect' | 'settings' | 'help';

const sub = (name: Subcommand, options: object[] = []) => option(Option.Subcommand, name, { options });

/** The commands as Discord lists them. Options hold nothing secret: Discord keeps them. */
export const commandDefinitions: RESTPutAPIApplicationCommandsJSONBody = [
  { name: 'push', ...localizedDescription(({ commands }) => commands.push), options: pushOptions },
  {
    name: 'pushes',
    ...localizedDescription(({ commands }) => commands.pushes),
    options: [
      sub('list', [searchOption]),
      sub('expire', [whichPush]),
      sub('audit', [whichPush]),
      sub('request', requestOptions),
      sub('connect'),
      sub('settings'),
      sub('help'),
    ],
  },
  { ...localizedName(({ commands }) => commands.pushMessage), type: ApplicationCommandType.Message },
  { ...localizedName(({ commands }) => commands.sendTo), type: ApplicationCommandType.User },
  { ...localizedName(({ commands }) => commands.requestFrom), type: ApplicationCommandType.User },
].map((command) => ({ type: ApplicationCommandType.ChatInput, ...command, ...everywhere }) as Command);

type Command = RESTPutAPIApplicationCommandsJSONBody[number];
