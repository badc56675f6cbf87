import {
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandOption,
  type APIApplicationCommandSubcommandOption,
  ApplicationCommandType,
  ApplicationIntegrationType,
  Locale as DiscordLocale,
  InteractionContextType,
  ApplicationCommandOptionType as Option,
  type RESTPutAPIApplicationCommandsJSONBody,
} from 'discord.js';
import { messagesOf, toLocale } from '../../locales/locales.ts';
import { lifetimeOptions } from '../forms/options.ts';
import type { ChatMessages } from '../messages.ts';
import { nameMax } from './modalState.ts';

/** In servers, with the bot and between users; installed by a server, or by a user. */
const everywhere = {
  integration_types: [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall],
  contexts: [
    InteractionContextType.Guild,
    InteractionContextType.BotDM,
    InteractionContextType.PrivateChannel,
  ],
};

/** Discord's languages that we have texts in. English is for all others. */
const translated = Object.values(DiscordLocale).filter((tag) => toLocale(tag) !== 'en');

const englishOf = (pick: (texts: ChatMessages) => string): string => pick(messagesOf('en').chat);

const translationsOf = (pick: (texts: ChatMessages) => string) =>
  Object.fromEntries(translated.map((tag) => [tag, pick(messagesOf(toLocale(tag)).chat)]));

const named = (pick: (texts: ChatMessages) => string) => ({
  name: englishOf(pick),
  name_localizations: translationsOf(pick),
});

const described = (pick: (texts: ChatMessages) => string) => ({
  description: englishOf(pick),
  description_localizations: translationsOf(pick),
});

/** Interactions carry the English names, whatever people see. */
export const contextMenus = {
  pushMessage: englishOf(({ commands }) => commands.pushMessage),
  sendTo: englishOf(({ commands }) => commands.sendTo),
  requestFrom: englishOf(({ commands }) => commands.requestFrom),
};

type Subcommand = 'list' | 'expire' | 'audit' | 'request' | 'connect' | 'settings' | 'help';

const sub = (
  name: Subcommand,
  options: APIApplicationCommandBasicOption[] = [],
): APIApplicationCommandSubcommandOption => ({
  type: Option.Subcommand,
  ...named(({ commandNames }) => commandNames[name]),
  ...described(({ commands }) => commands[name]),
  options,
});

const whichPush: APIApplicationCommandBasicOption = {
  type: Option.String,
  ...named(({ commandNames }) => commandNames.push),
  ...described(({ commands }) => commands.whichPush),
  autocomplete: true,
};

const searchOption: APIApplicationCommandBasicOption = {
  type: Option.String,
  ...named(({ commandNames }) => commandNames.search),
  ...described(({ commands }) => commands.search),
  max_length: 60,
};

const [viewsMax, daysMax] = [100, 90];
const defaultDays = 7;

const lifetimesIn = (texts: ChatMessages) =>
  lifetimeOptions(texts, { maxViews: viewsMax, maxDays: daysMax }, defaultDays);

const lifetimes = lifetimesIn(messagesOf('en').chat).map(({ value }, at) => ({
  ...named((texts) => lifetimesIn(texts)[at]?.label ?? ''),
  value,
}));

const pushOptions: APIApplicationCommandOption[] = [
  {
    type: Option.User,
    ...named(({ commandNames }) => commandNames.recipient),
    ...described(({ commands }) => commands.recipient),
  },
  {
    type: Option.Integer,
    ...named(({ commandNames }) => commandNames.views),
    ...described(({ commands }) => commands.views),
    min_value: 1,
    max_value: viewsMax,
  },
  {
    type: Option.String,
    ...named(({ commandNames }) => commandNames.expires),
    ...described(({ commands }) => commands.expires),
    choices: lifetimes,
  },
  {
    type: Option.String,
    ...named(({ commandNames }) => commandNames.name),
    ...described(({ commands }) => commands.name),
    max_length: nameMax,
  },
];

const requestOptions: APIApplicationCommandBasicOption[] = [
  {
    type: Option.User,
    ...named(({ commandNames }) => commandNames.user),
    ...described(({ commands }) => commands.provider),
    required: true,
  },
  {
    type: Option.String,
    ...named(({ commandNames }) => commandNames.reason),
    ...described(({ commands }) => commands.reason),
    max_length: 500,
  },
];

/** The commands as Discord lists them. Options hold nothing secret: Discord keeps them. */
export const commandDefinitions: RESTPutAPIApplicationCommandsJSONBody = [
  { name: 'push', ...described(({ commands }) => commands.push), options: pushOptions },
  {
    name: 'pushes',
    ...described(({ commands }) => commands.pushes),
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
  { ...named(({ commands }) => commands.pushMessage), type: ApplicationCommandType.Message },
  { ...named(({ commands }) => commands.sendTo), type: ApplicationCommandType.User },
  { ...named(({ commands }) => commands.requestFrom), type: ApplicationCommandType.User },
].map((command) => ({ type: ApplicationCommandType.ChatInput, ...command, ...everywhere }) as Command);

type Command = RESTPutAPIApplicationCommandsJSONBody[number];
