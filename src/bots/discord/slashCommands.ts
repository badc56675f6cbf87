import {
  type APIApplicationCommandAutocompleteInteraction,
  type APIApplicationCommandInteractionDataOption,
  type APIChatInputApplicationCommandInteraction,
  ApplicationCommandOptionType,
  InteractionResponseType,
} from 'discord.js';
import type { Interactions } from '../interactions/interactions.ts';
import { subwords } from '../interactions/typed.ts';
import { withinAckTimeout } from '../outcome.ts';
import { discordCallerOf, maybeUserOf } from './caller.ts';
import type { DiscordModals } from './modals.ts';
import type { DiscordReplies, Reply } from './replies.ts';

type Dependencies = { interactions: Interactions; modals: DiscordModals; replies: DiscordReplies };

type Values = { subcommand: string; options: Map<string, string | number>; focused: string };

/** `/push` and `/pushes`, and their autocompletion. */
export function createDiscordCommands({ interactions, modals, replies }: Dependencies) {
  async function run(interaction: APIChatInputApplicationCommandInteraction): Promise<Reply> {
    const caller = discordCallerOf(interaction);
    const { subcommand, options } = valuesOf(interaction.data.options);
    const text = (name: string) => options.get(name)?.toString();
    const number = (name: string) => Number(options.get(name) ?? 0) || undefined;
    const people = (name: string) => [text(name) ?? []].flat();
    if (subcommand === '') {
      const state = { views: number('views'), expires: text('expires'), name: text('name') };
      return modals.push(caller, { state, recipients: people('recipient') });
    }
    const reaction = interactions.run(subwords.find((word) => word === subcommand) ?? 'help', {
      caller,
      name: maybeUserOf(interaction)?.username ?? '',
      text: text('search') ?? text('push'),
      pushId: choiceValue.exec(text('push') ?? '')?.[1],
      providers: people('user'),
      reason: text('reason'),
      dueInMinutes: number('due'),
    });
    return 'opening' in reaction
      ? modals.open(caller, reaction.opening)
      : replies.respond(interaction, reaction.outcome);
  }

  async function autocomplete(interaction: APIApplicationCommandAutocompleteInteraction): Promise<Reply> {
    const caller = discordCallerOf(interaction);
    const { subcommand, focused } = valuesOf(interaction.data.options);
    const { commands } = interactions;
    const suggested = commands.suggest(caller, focused, { withExpired: subcommand === 'audit' });
    const soon = await withinAckTimeout(suggested.catch(() => []));
    const choices = (soon?.value ?? []).map(({ id, label }) => ({
      name: label.slice(0, choiceCharactersMax),
      value: `push ${id}`,
    }));
    return {
      initial: { type: InteractionResponseType.ApplicationCommandAutocompleteResult, data: { choices } },
    };
  }

  return { run, autocomplete };
}

/** The push that was chosen from the suggestions; others were typed. */
const choiceValue = /^push ([\da-f]{32})$/;
const choiceCharactersMax = 100;

function valuesOf(options: APIApplicationCommandInteractionDataOption[] = []): Values {
  const values: Values = { subcommand: '', options: new Map(), focused: '' };
  for (const option of options) {
    if (option.type === ApplicationCommandOptionType.Subcommand)
      return { ...valuesOf(option.options), subcommand: option.name };
    if (!('value' in option) || typeof option.value === 'boolean') continue;
    values.options.set(option.name, option.value);
    if ('focused' in option && option.focused) values.focused = String(option.value);
  }
  return values;
}
