import { type APIMessageComponentInteraction, InteractionResponseType } from 'discord.js';
import type { Commands } from '../commands.ts';
import { formPlans } from '../interactions/openings.ts';
import { createPressPlans, type PressPlan } from '../interactions/presses.ts';
import { cardsOf } from '../language.ts';
import { discordCallerOf } from './caller.ts';
import { parseCustomId, selectAction } from './customIds.ts';
import type { DiscordModals } from './modals.ts';
import { renderDiscordMessage } from './render.ts';
import type { DiscordReplies, Reply } from './replies.ts';

type Dependencies = { commands: Commands; modals: DiscordModals; replies: DiscordReplies };

/** The buttons and select menus of messages. */
export function createComponents({ commands, modals, replies }: Dependencies) {
  const plans = createPressPlans(commands);

  async function onComponent(interaction: APIMessageComponentInteraction): Promise<Reply> {
    const { data } = interaction;
    const [selected = ''] = 'values' in data ? data.values : [];
    const isSelected = parseCustomId(data.custom_id).action === selectAction;
    const { action, value } = parseCustomId(isSelected ? selected : data.custom_id);
    const plan = plans[action];
    if (plan !== undefined) return press(interaction, plan, { value, isSelected });
    const form = formPlans[action];
    return form === undefined
      ? replies.message(cardsOf(interaction).notFound)
      : modals.open(interaction, form.open(value));
  }

  /** What was selected from a menu is shown below it. */
  async function press(
    interaction: APIMessageComponentInteraction,
    plan: PressPlan,
    { value, isSelected }: { value: string; isSelected: boolean },
  ): Promise<Reply> {
    const pressed = { caller: discordCallerOf(interaction), value, channel: interaction.channel.id };
    if (plan.shows === 'question') {
      const data = renderDiscordMessage(plan.ask(pressed));
      return { initial: { type: InteractionResponseType.UpdateMessage, data } };
    }
    const outcome = replies.outcome(interaction, plan.run(pressed));
    if (plan.shows === 'publicly') return replies.respondPublicly(interaction, outcome);
    return replies.respond(interaction, outcome, { replacing: plan.shows === 'instead' && !isSelected });
  }

  return { onComponent };
}
