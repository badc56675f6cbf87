import { type APIMessageComponentInteraction, InteractionResponseType } from 'discord.js';
import type { ChatCaller } from '../../domain/index.ts';
import { actions } from '../actions.ts';
import type { Card } from '../card.ts';
import type { Commands } from '../commands.ts';
import { formIds } from '../form.ts';
import { cardsOf } from '../language.ts';
import { discordCallerOf } from './caller.ts';
import { type CustomId, maybeConfirmed, parseCustomId, selectAction } from './customIds.ts';
import { decodeDiscordState } from './modalState.ts';
import type { DiscordModals } from './modals.ts';
import { isServerManager } from './permissions.ts';
import { renderDiscordMessage } from './render.ts';
import type { DiscordReplies, Reply } from './replies.ts';

type Dependencies = { commands: Commands; modals: DiscordModals; replies: DiscordReplies };

const forManagers: string[] = [actions.rules, actions.exportActivity];

type Command = (caller: ChatCaller, value: string) => Promise<Card>;

/** The buttons and select menus of messages. */
export function createComponents({ commands, modals, replies }: Dependencies) {
  /** Commands whose card replaces the message. */
  const updates: Record<string, Command> = {
    [actions.burn]: commands.expire,
    [actions.extend]: commands.extend,
    [actions.decline]: commands.decline,
    [actions.cancel]: commands.cancel,
    [actions.cancelAll]: commands.cancelAll,
    [actions.remindInAnHour]: (caller, id) => commands.remindLater(caller, id, 'hour'),
    [actions.remindInADay]: (caller, id) => commands.remindLater(caller, id, 'day'),
    [actions.remindInTheMorning]: (caller, id) => commands.remindLater(caller, id, 'morning'),
    [actions.rejectLink]: commands.rejectLink,
    [actions.show]: commands.show,
    [actions.listPage]: commands.listPage,
  };
  /** Commands whose card is a new message, for the user alone. */
  const lookups: Record<string, Command> = {
    [actions.audit]: commands.audit,
    [actions.nudge]: commands.nudge,
    [actions.remindLater]: commands.whenToRemind,
    [actions.show]: commands.show,
    [actions.showRequest]: commands.showRequest,
  };

  async function onComponent(interaction: APIMessageComponentInteraction): Promise<Reply> {
    const { action, value } = parseCustomId(interaction.data.custom_id);
    const { id: channel } = interaction.channel;
    if (action === selectAction) return onSelect(interaction);
    if (action === actions.openBound)
      return run(interaction, (caller, id) => commands.openBound(caller, id, channel), value);
    if (action === actions.shareInChannel)
      return replies.respondPublicly(
        interaction,
        replies.outcome(interaction, commands.shareInChannel(discordCallerOf(interaction), value, channel)),
      );
    const confirmed = maybeConfirmed(action);
    if (confirmed !== undefined) return confirm(interaction, { action: confirmed, value });
    const update = updates[action];
    if (update !== undefined) return run(interaction, update, value, { replacing: true });
    const lookUp = lookups[action];
    if (lookUp !== undefined) return run(interaction, lookUp, value);
    if (forManagers.includes(action)) return onManagement(interaction, action);
    return openModal(interaction, { action, value });
  }

  const run = (
    interaction: APIMessageComponentInteraction,
    command: Command,
    value: string,
    options: { replacing?: boolean } = {},
  ) =>
    replies.respond(
      interaction,
      replies.outcome(interaction, command(discordCallerOf(interaction), value)),
      options,
    );

  async function onSelect(interaction: APIMessageComponentInteraction): Promise<Reply> {
    const [selected = ''] = 'values' in interaction.data ? interaction.data.values : [];
    const { action, value } = parseCustomId(selected);
    return run(interaction, lookups[action] ?? commands.show, value);
  }

  /** Discord's buttons have no confirmation of their own, so the message asks. Only burning does. */
  function confirm(interaction: APIMessageComponentInteraction, { action, value }: CustomId): Reply {
    const { title, text, yes, no } = cardsOf(interaction).confirmBurn;
    const card: Card = {
      summary: [title],
      lines: [[{ bold: title }], [text]],
      buttons: [
        { label: yes, style: 'danger', id: action, value },
        { label: no, id: actions.show, value },
      ],
    };
    return { initial: { type: InteractionResponseType.UpdateMessage, data: renderDiscordMessage(card) } };
  }

  /** What only those may do who manage the server. */
  async function onManagement(interaction: APIMessageComponentInteraction, action: string): Promise<Reply> {
    if (!isServerManager(interaction)) return replies.message(cardsOf(interaction).notAllowed);
    return action === actions.rules
      ? modals.rules(interaction)
      : run(interaction, (caller) => commands.exportActivity(caller), '');
  }

  async function openModal(
    interaction: APIMessageComponentInteraction,
    { action, value }: CustomId,
  ): Promise<Reply> {
    const caller = discordCallerOf(interaction);
    switch (action) {
      case actions.send:
        return modals.share(interaction, value);
      case actions.confirmLink:
        return modals.confirmLink(interaction, value);
      case actions.newPush:
        return modals.push(caller);
      case actions.provide:
        return modals.push(caller, { state: { requestId: value } });
      case actions.refill:
        return modals.refill(caller, decodeDiscordState(formIds.push, value));
      case actions.settings:
        return modals.settings(interaction);
      default:
        return replies.message(cardsOf(interaction).notFound);
    }
  }

  return { onComponent };
}
