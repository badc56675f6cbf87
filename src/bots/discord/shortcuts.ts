import type {
  APIMessageApplicationCommandInteraction,
  APIUserApplicationCommandInteraction,
} from 'discord.js';
import { cardsOf } from '../language.ts';
import { discordCallerOf } from './caller.ts';
import { contextMenus } from './commandDefinitions.ts';
import type { DiscordModals } from './modals.ts';
import type { DiscordReplies, Reply } from './replies.ts';

type Dependencies = { modals: DiscordModals; replies: DiscordReplies };

/** The commands in the context menus of messages and users. */
export function createDiscordShortcuts({ modals, replies }: Dependencies) {
  async function onMessage(interaction: APIMessageApplicationCommandInteraction): Promise<Reply> {
    const { target_id, resolved } = interaction.data;
    const text = resolved.messages[target_id]?.content ?? '';
    const hasFiles = (resolved.messages[target_id]?.attachments.length ?? 0) > 0;
    if (text === '' && !hasFiles) return replies.message(cardsOf(interaction).nothingToPush);
    return modals.pushMessage(discordCallerOf(interaction), text);
  }

  async function onUser(interaction: APIUserApplicationCommandInteraction): Promise<Reply> {
    const { name, target_id: userId } = interaction.data;
    if (name === contextMenus.requestFrom) return modals.request(interaction, userId);
    return modals.push(discordCallerOf(interaction), { recipients: [userId] });
  }

  return { onMessage, onUser };
}
