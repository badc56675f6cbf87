import {
  type APIApplicationCommandInteraction,
  type APIInteraction,
  ApplicationCommandType,
  InteractionResponseType,
  InteractionType,
} from 'discord.js';
import type { Commands } from '../commands.ts';
import * as words from '../messages.ts';
import { createPresses } from './components.ts';
import { createMenus } from './menus.ts';
import { createOpening } from './modals.ts';
import { createConversation, type Heard } from './replies.ts';
import type { Api } from './restClient.ts';
import { createSlashCommands } from './slashCommands.ts';
import { createSubmissions } from './submissions.ts';

type Parts = { api: Api; commands: Commands; failed: (error: unknown) => void };

export type Hear = (interaction: APIInteraction) => Promise<Heard>;

/** Everything that people do in Discord, whichever way it is told to us: gives the first answer within a second. */
export function createHearing({ api, commands, failed }: Parts): Hear {
  const conversation = createConversation({ api, commands, failed });
  const opening = createOpening({ commands, conversation, failed });
  const slashCommands = createSlashCommands({ commands, opening, conversation });
  const menus = createMenus({ opening, conversation });
  const presses = createPresses({ commands, opening, conversation });
  const submissions = createSubmissions({ commands, conversation, failed });

  async function dispatch(interaction: APIInteraction): Promise<Heard> {
    switch (interaction.type) {
      case InteractionType.Ping:
        return { first: { type: InteractionResponseType.Pong } };
      case InteractionType.ApplicationCommand:
        return onCommand(interaction);
      case InteractionType.ApplicationCommandAutocomplete:
        return slashCommands.offer(interaction);
      case InteractionType.MessageComponent:
        return presses.press(interaction);
      case InteractionType.ModalSubmit:
        return submissions.submit(interaction);
    }
  }

  async function onCommand(interaction: APIApplicationCommandInteraction): Promise<Heard> {
    switch (interaction.data.type) {
      case ApplicationCommandType.ChatInput:
        return slashCommands.run({ ...interaction, data: interaction.data });
      case ApplicationCommandType.Message:
        return menus.onMessage({ ...interaction, data: interaction.data });
      case ApplicationCommandType.User:
        return menus.onPerson({ ...interaction, data: interaction.data });
      default:
        return conversation.say(words.gone);
    }
  }

  return async (interaction) => {
    try {
      return await dispatch(interaction);
    } catch (error) {
      failed(error);
      return conversation.say(words.ourFault);
    }
  };
}
