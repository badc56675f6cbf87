import type {
  APIMessageApplicationCommandInteraction,
  APIUserApplicationCommandInteraction,
} from 'discord.js';
import * as words from '../messages.ts';
import { menus } from './definition.ts';
import type { Opening } from './modals.ts';
import { askerOf, type Conversation, type Heard } from './replies.ts';

type Parts = { opening: Opening; conversation: Conversation };

/** What stands in the menus of messages and of people. */
export function createMenus({ opening, conversation }: Parts) {
  async function onMessage(interaction: APIMessageApplicationCommandInteraction): Promise<Heard> {
    const { target_id, resolved } = interaction.data;
    const text = resolved.messages[target_id]?.content ?? '';
    if (text === '') return conversation.say(words.nothingToPush);
    return opening.formOfMessage(askerOf(interaction), text);
  }

  async function onPerson(interaction: APIUserApplicationCommandInteraction): Promise<Heard> {
    const { name, target_id: person } = interaction.data;
    if (name === menus.requestFrom) return opening.requestForm(person);
    return opening.form(askerOf(interaction), { memory: {}, recipient: person });
  }

  return { onMessage, onPerson };
}
