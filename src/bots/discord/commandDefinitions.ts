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
import { lifetimeOptions } from '../forms/options.ts';
import { messages } from '../messages.ts';
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

const { commands: texts } = messages.chat;

export const contextMenus = {
  pushMessage: texts.pushMessage,
  sendTo: texts.sendTo,
  requestFrom: texts.requestFrom,
};

const sub = (
  name: string,
  description: string,
  options: APIApplicationCommandBasicOption[] = [],
): APIApplicationCommandSubcommandOption => ({ type: Option.Subcommand, name, description, options });

const pushOption = (description: string): APIApplicationCommandBasicOption => ({
  type: Option.String,
  name: 'push',
  description,
  autocomplete: true,
});

const [viewsMax, daysMax] = [100, 90];
const defaultDays = 7;

const lifetimes = lifetimeOptions(messages.chat, { maxViews: viewsMax, maxDays: daysMax }, defaultDays);

const pushOptions: APIApplicationCommandOption[] = [
  { type: Option.User, name: 'recipient', description: texts.recipient },
  {
    type: Option.Integer,
    name: 'views',
    description: texts.views,
    min_value: 1,
    max_value: viewsMax,
  },
  {
    type: Option.String,
    name: 'expires',
    description: texts.expires,
    choices: lifetimes.map(({ label, value }) => ({ name: label, value })),
  },
  {
    type: Option.String,
    name: 'name',
    description: texts.name,
    max_length: nameMax,
  },
];

/** The commands as Discord lists them. Options hold nothing secret: Discord keeps them. */
export const commandDefinitions: RESTPutAPIApplicationCommandsJSONBody = [
  { name: 'push', description: texts.push, options: pushOptions },
  {
    name: 'pushes',
    description: texts.pushes,
    options: [
      sub('list', texts.list),
      sub('expire', texts.expire, [pushOption(texts.whichPush)]),
      sub('audit', texts.audit, [pushOption(texts.whichPush)]),
      sub('request', texts.request, [
        { type: Option.User, name: 'user', description: texts.provider, required: true },
        { type: Option.String, name: 'reason', description: texts.reason, max_length: 500 },
      ]),
      sub('connect', texts.connect),
      sub('settings', texts.settings),
      sub('help', texts.help),
    ],
  },
  { name: contextMenus.pushMessage, type: ApplicationCommandType.Message },
  { name: contextMenus.sendTo, type: ApplicationCommandType.User },
  { name: contextMenus.requestFrom, type: ApplicationCommandType.User },
].map((command) => ({ type: ApplicationCommandType.ChatInput, ...command, ...everywhere }) as Command);

type Command = RESTPutAPIApplicationCommandsJSONBody[number];
