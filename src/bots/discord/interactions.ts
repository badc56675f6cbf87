import {
  type APIApplicationCommandInteraction,
  type APIInteraction,
  type APIMessageApplicationCommandInteraction,
  type APIUserApplicationCommandInteraction,
  ApplicationCommandType,
  InteractionResponseType,
  InteractionType,
} from 'discord.js';
import type { Commands } from '../commands.ts';
import { cardsOf } from '../language.ts';
import { toMessageFile } from './attachments.ts';
import { discordCallerOf } from './caller.ts';
import { contextMenus } from './commandDefinitions.ts';
import { createComponents } from './components.ts';
import { createDiscordModals } from './modals.ts';
import { createDiscordReplies, type Reply } from './replies.ts';
import type { DiscordRest } from './restClient.ts';
import { createDiscordCommands } from './slashCommands.ts';
import { createModalSubmissions } from './submissions.ts';

type Dependencies = { rest: DiscordRest; commands: Commands; onError: (error: unknown) => void };

export type Handler = (interaction: APIInteraction) => Promise<Reply>;

/** Handles every interaction, from the gateway or over HTTP. Resolves to its first response within a second. */
export function createInteractionHandler({ rest, commands, onError }: Dependencies): Handler {
  const replies = createDiscordReplies({ rest, commands, onError });
  const modals = createDiscordModals({ commands, replies, onError });
  const slashCommands = createDiscordCommands({ commands, modals, replies });
  const components = createComponents({ commands, modals, replies });
  const submissions = createModalSubmissions({ commands, replies, onError });

  /** The command in the menu of a message. */
  async function onMessage(interaction: APIMessageApplicationCommandInteraction): Promise<Reply> {
    const { target_id, resolved } = interaction.data;
    const { content: text = '', attachments = [] } = resolved.messages[target_id] ?? {};
    if (text === '' && attachments.length === 0) return replies.message(cardsOf(interaction).nothingToPush);
    return modals.pushMessage(discordCallerOf(interaction), { text, files: attachments.map(toMessageFile) });
  }

  /** Those in the menu of a user. */
  async function onUser(interaction: APIUserApplicationCommandInteraction): Promise<Reply> {
    const { name, target_id: userId } = interaction.data;
    if (name === contextMenus.requestFrom)
      return modals.open(interaction, { form: 'request', options: { providers: [userId] } });
    return modals.push(discordCallerOf(interaction), { recipients: [userId] });
  }

  async function dispatch(interaction: APIInteraction): Promise<Reply> {
    switch (interaction.type) {
      case InteractionType.Ping:
        return { initial: { type: InteractionResponseType.Pong } };
      case InteractionType.ApplicationCommand:
        return onCommand(interaction);
      case InteractionType.ApplicationCommandAutocomplete:
        return slashCommands.autocomplete(interaction);
      case InteractionType.MessageComponent:
        return components.onComponent(interaction);
      case InteractionType.ModalSubmit:
        return submissions.onSubmit(interaction);
      default:
        return replies.message(cardsOf(interaction).notFound); // a type that Discord added since
    }
  }

  async function onCommand(interaction: APIApplicationCommandInteraction): Promise<Reply> {
    switch (interaction.data.type) {
      case ApplicationCommandType.ChatInput:
        return slashCommands.run({ ...interaction, data: interaction.data });
      case ApplicationCommandType.Message:
        return onMessage({ ...interaction, data: interaction.data });
      case ApplicationCommandType.User:
        return onUser({ ...interaction, data: interaction.data });
      default:
        return replies.message(cardsOf(interaction).notFound);
    }
  }

  return async (interaction) => {
    try {
      return await dispatch(interaction);
    } catch (error) {
      onError(error);
      return replies.message(cardsOf('locale' in interaction ? interaction : {}).internalError);
    }
  };
}
