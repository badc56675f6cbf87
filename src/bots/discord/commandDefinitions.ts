import {
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandOption,
  type APIApplicationCommandSubcommandOption,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  ApplicationCommandOptionType as Option,
  type RESTPutAPIApplicationCommandsJSONBody,
} from 'discord.js';
import { messagesOf } from '../../locales/locales.ts';
import { lifetimeOptions } from '../forms/options.ts';
import { dueOptions } from '../forms/request.ts';
import type { ChatMessages } from '../messages.ts';
import { inEnglish, localizedDescription, localizedName } from './localizations.ts';
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

/** Interactions carry the English names, whatever people see. */
export const contextMenus = {
  pushMessage: inEnglish(({ commands }) => commands.pushMessage),
  sendTo: inEnglish(({ commands }) => commands.sendTo),
  requestFrom: inEnglish(({ commands }) => commands.requestFrom),
};

type Subcommand = 'list' | 'expire' | 'audit' | 'request' | 'connect' | 'settings' | 'help';

const sub = (
  name: Subcommand,
  options: APIApplicationCommandBasicOption[] = [],
): APIApplicationCommandSubcommandOption => ({
  type: Option.Subcommand,
  ...localizedName(({ commandNames }) => commandNames[name]),
  ...localizedDescription(({ commands }) => commands[name]),
  options,
});

const whichPush: APIApplicationCommandBasicOption = {
  type: Option.String,
  ...localizedName(({ commandNames }) => commandNames.push),
  ...localizedDescription(({ commands }) => commands.whichPush),
  autocomplete: true,
};

const searchOption: APIApplicationCommandBasicOption = {
  type: Option.String,
  ...localizedName(({ commandNames }) => commandNames.search),
  ...localizedDescription(({ commands }) => commands.search),
  max_length: 60,
};

const [viewsMax, daysMax] = [100, 90];
const defaultDays = 7;

const lifetimesIn = (texts: ChatMessages) =>
  lifetimeOptions(texts, { maxViews: viewsMax, maxDays: daysMax }, defaultDays);

const lifetimes = lifetimesIn(messagesOf('en').chat).map(({ value }, at) => ({
  ...localizedName((texts) => lifetimesIn(texts)[at]?.label ?? ''),
  value,
}));

const pushOptions: APIApplicationCommandOption[] = [
  {
    type: Option.User,
    ...localizedName(({ commandNames }) => commandNames.recipient),
    ...localizedDescription(({ commands }) => commands.recipient),
  },
  {
    type: Option.Integer,
    ...localizedName(({ commandNames }) => commandNames.views),
    ...localizedDescription(({ commands }) => commands.views),
    min_value: 1,
    max_value: viewsMax,
  },
  {
    type: Option.String,
    ...localizedName(({ commandNames }) => commandNames.expires),
    ...localizedDescription(({ commands }) => commands.expires),
    choices: lifetimes,
  },
  {
    type: Option.String,
    ...localizedName(({ commandNames }) => commandNames.name),
    ...localizedDescription(({ commands }) => commands.name),
    max_length: nameMax,
  },
];

const dueTimes = dueOptions(messagesOf('en').chat).map(({ value }, at) => ({
  ...localizedName((texts) => dueOptions(texts)[at]?.label ?? ''),
  value: Number(value),
}));

const requestOptions: APIApplicationCommandBasicOption[] = [
  {
    type: Option.User,
    ...localizedName(({ commandNames }) => commandNames.user),
    ...localizedDescription(({ commands }) => commands.provider),
  },
  {
    type: Option.String,
    ...localizedName(({ commandNames }) => commandNames.reason),
    ...localizedDescription(({ commands }) => commands.reason),
    max_length: 500,
  },
  {
    type: Option.Integer,
    ...localizedName(({ commandNames }) => commandNames.due),
    ...localizedDescription(({ commands }) => commands.due),
    choices: dueTimes,
  },
];

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
