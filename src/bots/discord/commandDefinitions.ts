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

export const contextMenus = {
  pushMessage: 'Push securely',
  sendTo: 'Send a secret',
  requestFrom: 'Request a secret',
} as const;

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

const lifetimes = lifetimeOptions(
  messagesOf('en').chat,
  { maxViews: viewsMax, maxDays: daysMax },
  { days: defaultDays, hasShort: true },
);

const pushOptions: APIApplicationCommandOption[] = [
  { type: Option.User, name: 'recipient', description: 'Who gets it, by direct message' },
  {
    type: Option.Integer,
    name: 'views',
    description: 'How often it opens',
    min_value: 1,
    max_value: viewsMax,
  },
  {
    type: Option.String,
    name: 'expires',
    description: 'How long it opens',
    choices: lifetimes.map(({ label, value }) => ({ name: label, value })),
  },
  {
    type: Option.String,
    name: 'name',
    description: 'What you call it; only you see that',
    max_length: nameMax,
  },
];

/** The commands as Discord lists them. Options hold nothing secret: Discord keeps them. */
export const commandDefinitions: RESTPutAPIApplicationCommandsJSONBody = [
  { name: 'push', description: 'Hand over a secret through a link that dies', options: pushOptions },
  {
    name: 'pushes',
    description: 'Your pushes, requests and settings',
    options: [
      sub('list', 'Show your pushes'),
      sub('expire', 'End a push now', [pushOption('Which push')]),
      sub('audit', 'Tell what happened to a push', [pushOption('Which push')]),
      sub('request', 'Ask somebody for a secret', [
        { type: Option.User, name: 'user', description: 'Whom you ask', required: true },
        { type: Option.String, name: 'reason', description: 'What for; they read this', max_length: 500 },
      ]),
      sub('connect', 'Sign in on the web'),
      sub('settings', 'Set what your pushes are like'),
      sub('help', 'How to hand over a secret'),
    ],
  },
  { name: contextMenus.pushMessage, type: ApplicationCommandType.Message },
  { name: contextMenus.sendTo, type: ApplicationCommandType.User },
  { name: contextMenus.requestFrom, type: ApplicationCommandType.User },
].map((command) => ({ type: ApplicationCommandType.ChatInput, ...command, ...everywhere }) as Command);

type Command = RESTPutAPIApplicationCommandsJSONBody[number];
