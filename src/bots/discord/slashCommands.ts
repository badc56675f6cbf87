import {
  type APIApplicationCommandAutocompleteInteraction,
  type APIApplicationCommandInteractionDataOption,
  type APIChatInputApplicationCommandInteraction,
  ApplicationCommandOptionType,
  InteractionResponseType,
} from 'discord.js';
import type { ChatCaller } from '../../domain/index.ts';
import type { Card } from '../card.ts';
import type { Commands } from '../commands.ts';
import { cardsOf } from '../language.ts';
import { withinAckTimeout } from '../outcome.ts';
import { discordCallerOf } from './caller.ts';
import type { DiscordModals } from './modals.ts';
import type { DiscordReplies, Reply } from './replies.ts';

type Dependencies = { commands: Commands; modals: DiscordModals; replies: DiscordReplies };

type Values = { subcommand: string; options: Map<string, string | number>; focused: string };

/** `/push` and `/pushes`, and their autocompletion. */
export function createDiscordCommands({ commands, modals, replies }: Dependencies) {
  async function run(interaction: APIChatInputApplicationCommandInteraction): Promise<Reply> {
    const caller = discordCallerOf(interaction);
    const { subcommand, options } = valuesOf(interaction.data.options);
    const text = (name: string) => options.get(name)?.toString();
    const respond = (work: Promise<Card>) => replies.respond(interaction, replies.outcome(interaction, work));
    switch (subcommand) {
      case '': {
        const views = Number(options.get('views') ?? 0) || undefined;
        const state = { views, expires: text('expires'), name: text('name') };
        const recipient = text('recipient');
        return modals.push(caller, { state, recipients: recipient ? [recipient] : [] });
      }
      case 'list':
        return respond(commands.list(caller, { query: text('search') ?? '' }));
      case 'expire':
        return respond(onPush(caller, text('push'), commands.expire));
      case 'audit':
        return respond(onPush(caller, text('push'), commands.audit));
      case 'request':
        return request(interaction, options);
      case 'connect': {
        const { username } = interaction.member?.user ?? interaction.user ?? { username: '' };
        return respond(commands.connect(caller, `@${username}`));
      }
      case 'settings':
        return caller.standing === 'admin'
          ? replies.message(cardsOf(caller).whoseSettings('discord'))
          : modals.open(interaction, { form: 'settings' });
      default:
        return replies.message(commands.help(caller));
    }
  }

  /** Asks one person. Without one, a form asks for them. */
  async function request(
    interaction: APIChatInputApplicationCommandInteraction,
    options: Values['options'],
  ): Promise<Reply> {
    const [user, reason] = [options.get('user')?.toString(), options.get('reason')?.toString()];
    const input = { reason, dueInMinutes: Number(options.get('due') ?? 0) || undefined };
    if (user === undefined) return modals.open(interaction, { form: 'request', options: input });
    const work = commands.request(discordCallerOf(interaction), [user], input);
    return replies.respond(interaction, replies.outcome(interaction, work));
  }

  /** The push that was chosen from the suggestions, or else the one whose name was typed. */
  function onPush(
    caller: ChatCaller,
    typed = '',
    act: (caller: ChatCaller, id: string) => Promise<Card>,
  ): Promise<Card> {
    const [, id] = choiceValue.exec(typed) ?? [];
    return id === undefined ? commands.withNamedPush(caller, typed, act) : act(caller, id);
  }

  async function autocomplete(interaction: APIApplicationCommandAutocompleteInteraction): Promise<Reply> {
    const caller = discordCallerOf(interaction);
    const { subcommand, focused } = valuesOf(interaction.data.options);
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
