import {
  type APIApplicationCommandInteraction,
  type APIInteraction,
  type APIMessageApplicationCommandInteraction,
  type APIMessageComponentInteraction,
  type APIUserApplicationCommandInteraction,
  ApplicationCommandType,
  InteractionResponseType,
  InteractionType,
} from 'discord.js';
import type { Interactions } from '../interactions/interactions.ts';
import { cardsOf } from '../language.ts';
import { toMessageFile } from './attachments.ts';
import { discordCallerOf } from './caller.ts';
import { contextMenus } from './commandDefinitions.ts';
import { parseCustomId, selectAction } from './customIds.ts';
import { createDiscordModals } from './modals.ts';
import { createDiscordReplies, message, type Reply } from './replies.ts';
import type { DiscordRest } from './restClient.ts';
import { createDiscordCommands } from './slashCommands.ts';
import { createModalSubmissions } from './submissions.ts';

type Dependencies = { rest: DiscordRest; interactions: Interactions; onError: (error: unknown) => void };

export type Handler = (interaction: APIInteraction) => Promise<Reply>;

/** Handles every interaction, from the gateway or over HTTP. Resolves to its first response within a second. */
export function createInteractionHandler({ rest, interactions, onError }: Dependencies): Handler {
  const replies = createDiscordReplies({ rest, onError });
  const modals = createDiscordModals({ interactions, onError });
  const slashCommands = createDiscordCommands({ interactions, modals, replies });
  const onSubmit = createModalSubmissions({ interactions, replies, onError });

  /** The command in the menu of a message. */
  async function onMessage(interaction: APIMessageApplicationCommandInteraction): Promise<Reply> {
    const { target_id, resolved } = interaction.data;
    const { content: text = '', attachments = [] } = resolved.messages[target_id] ?? {};
    if (text === '' && attachments.length === 0) return message(cardsOf(interaction).nothingToPush);
    return modals.pushMessage(discordCallerOf(interaction), { text, files: attachments.map(toMessageFile) });
  }

  /** Those in the menu of a user. */
  async function onUser(interaction: APIUserApplicationCommandInteraction): Promise<Reply> {
    const { name, target_id: userId } = interaction.data;
    const caller = discordCallerOf(interaction);
    return name === contextMenus.requestFrom
      ? modals.open(caller, { form: 'request', options: { providers: [userId] } })
      : modals.push(caller, { recipients: [userId] });
  }

  /** The buttons and select menus of messages. What was selected from a menu is shown below it. */
  async function onComponent(interaction: APIMessageComponentInteraction): Promise<Reply> {
    const { data, channel } = interaction;
    const [selected = ''] = 'values' in data ? data.values : [];
    const isSelected = parseCustomId(data.custom_id).action === selectAction;
    const { action, value } = parseCustomId(isSelected ? selected : data.custom_id);
    const caller = discordCallerOf(interaction);
    const pressed = interactions.press(action, { caller, value, channel: channel.id });
    if (pressed === undefined) return message(cardsOf(caller).notFound);
    if ('opening' in pressed) return modals.open(caller, pressed.opening);
    const { shows, outcome } = pressed;
    return replies.respond(interaction, outcome, isSelected && shows === 'instead' ? 'below' : shows);
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
        return message(cardsOf(interaction).notFound);
    }
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
        return onComponent(interaction);
      case InteractionType.ModalSubmit:
        return onSubmit(interaction);
      default:
        return message(cardsOf(interaction).notFound); // a type that Discord added since
    }
  }

  return async (interaction) => {
    try {
      return await dispatch(interaction);
    } catch (error) {
      onError(error);
      return message(cardsOf('locale' in interaction ? interaction : {}).internalError);
    }
  };
}
