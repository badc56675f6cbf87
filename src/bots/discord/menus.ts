import type {
  APIMessageApplicationCommandInteraction,
  APIUserApplicationCommandInteraction,
} from 'discord-api-types/v10';
import * as words from '../messages.ts';
import { menus } from './definition.ts';
import type { DiscordModals } from './modals.ts';
import { callerOf, type DiscordReplies, type Reply } from './replies.ts';

type Dependencies = { modals: DiscordModals; replies: DiscordReplies };

/** What stands in the menus of messages and of people. */
export function createContextMenus({ modals, replies }: Dependencies) {
  async function onMessage(interaction: APIMessageApplicationCommandInteraction): Promise<Reply> {
    const { target_id, resolved } = interaction.data;
    const text = resolved.messages[target_id]?.content ?? '';
    if (text === '') return replies.message(words.nothingToPush);
    return modals.messageForm(callerOf(interaction), text);
  }

  async function onUser(interaction: APIUserApplicationCommandInteraction): Promise<Reply> {
    const { name, target_id: user } = interaction.data;
    if (name === menus.requestFrom) return modals.requestForm(user);
    return modals.form(callerOf(interaction), { state: {}, recipient: user });
  }

  return { onMessage, onUser };
}
