import {
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandOption,
  type APIApplicationCommandSubcommandOption,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  ApplicationCommandOptionType as Option,
  type RESTPutAPIApplicationCommandsJSONBody,
} from 'discord-api-types/v10';
import { lifetimes, nameMax } from './form.ts';

/** Works in servers, with the bot and between people; installed by a server, or by somebody for themselves. */
const everywhere = {
  integration_types: [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall],
  contexts: [
    InteractionContextType.Guild,
    InteractionContextType.BotDM,
    InteractionContextType.PrivateChannel,
  ],
};

export const menus = {
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

const pushOptions: APIApplicationCommandOption[] = [
  { type: Option.User, name: 'recipient', description: 'Who gets it, by direct message' },
  {
    type: Option.Integer,
    name: 'views',
    description: 'How often it opens',
    min_value: 1,
    max_value: 100,
  },
  {
    type: Option.String,
    name: 'expires',
    description: 'How long it opens',
    choices: lifetimes(90, 7).map(({ label, value }) => ({ name: label, value })),
  },
  {
    type: Option.String,
    name: 'name',
    description: 'What you call it; only you see that',
    max_length: nameMax,
  },
];

/** Everything that Discord shows people of us before they use it. Options hold nothing secret: Discord keeps them. */
export const definition: RESTPutAPIApplicationCommandsJSONBody = [
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
  { name: menus.pushMessage, type: ApplicationCommandType.Message },
  { name: menus.sendTo, type: ApplicationCommandType.User },
  { name: menus.requestFrom, type: ApplicationCommandType.User },
].map((command) => ({ type: ApplicationCommandType.ChatInput, ...command, ...everywhere }) as Command);

type Command = RESTPutAPIApplicationCommandsJSONBody[number];
