import type {
  APIMessageApplicationCommandInteraction,
  APIUserApplicationCommandInteraction,
} from 'discord.js';
import { cardsOf } from '../language.ts';
import { toMessageFile } from './attachments.ts';
import { discordCallerOf } from './caller.ts';
import { contextMenus } from './commandDefinitions.ts';
import type { DiscordModals } from './modals.ts';
import type { DiscordReplies, Reply } from './replies.ts';

type Dependencies = { modals: DiscordModals; replies: DiscordReplies };

/** The commands in the context menus of messages and users. */
export function createDiscordShortcuts({ modals, replies }: Dependencies) {
  async function onMessage(interaction: APIMessageApplicationCommandInteraction): Promise<Reply> {
    const { target_id, resolved } = interaction.data;
    const { content: text = '', attachments = [] } = resolved.messages[target_id] ?? {};
    if (text === '' && attachments.length === 0) return replies.message(cardsOf(interaction).nothingToPush);
    return modals.pushMessage(discordCallerOf(interaction), { text, files: attachments.map(toMessageFile) });
  }

  async function onUser(interaction: APIUserApplicationCommandInteraction): Promise<Reply> {
    const { name, target_id: userId } = interaction.data;
    if (name === contextMenus.requestFrom)
      return modals.open(interaction, { form: 'request', options: { providers: [userId] } });
    return modals.push(discordCallerOf(interaction), { recipients: [userId] });
  }

  return { onMessage, onUser };
}
