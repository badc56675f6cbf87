import {
  type APIApplicationCommandAutocompleteInteraction,
  type APIApplicationCommandInteractionDataOption,
  type APIChatInputApplicationCommandInteraction,
  ApplicationCommandOptionType,
  InteractionResponseType,
} from 'discord.js';
import type { Asker } from '../../domain/index.ts';
import type { Card } from '../card.ts';
import type { Commands } from '../commands.ts';
import * as words from '../messages.ts';
import { inTime } from '../outcome.ts';
import type { Opening } from './modals.ts';
import { managesServer } from './permissions.ts';
import { askerOf, type Conversation, type Heard, speakerOf } from './replies.ts';

type Parts = { commands: Commands; opening: Opening; conversation: Conversation };

type Values = { subcommand: string; given: Map<string, string | number>; typing: string };

/** `/push` and `/pushes`, and what is offered while somebody types. */
export function createSlashCommands({ commands, opening, conversation }: Parts) {
  async function run(interaction: APIChatInputApplicationCommandInteraction): Promise<Heard> {
    const asker = askerOf(interaction);
    const { subcommand, given } = valuesOf(interaction.data.options);
    const word = (name: string) => given.get(name)?.toString();
    const said = (work: Promise<Card>) =>
      conversation.answer(interaction, conversation.outcome(interaction, work));
    switch (subcommand) {
      case '': {
        const views = Number(given.get('views') ?? 0) || undefined;
        const memory = { views, expires: word('expires'), name: word('name') };
        return opening.form(asker, { memory, recipient: word('recipient'), isSet: true });
      }
      case 'list':
        return said(commands.list(asker));
      case 'expire':
        return said(onChosen(asker, word('push'), commands.burn));
      case 'audit':
        return said(onChosen(asker, word('push'), commands.audit));
      case 'request':
        return said(commands.request(asker, speakerOf(word('user') ?? ''), word('reason') ?? null));
      case 'connect': {
        const { username } = interaction.member?.user ?? interaction.user ?? { username: '' };
        return said(commands.connect(asker, `@${username}`));
      }
      case 'settings':
        return managesServer(interaction)
          ? conversation.say(words.whichSettings)
          : opening.settings(interaction);
      default:
        return conversation.say(words.help('discord'));
    }
  }

  /** The push that was chosen from what was offered, or else is meant by what was typed. */
  function onChosen(
    asker: Asker,
    entered = '',
    act: (asker: Asker, id: string) => Promise<Card>,
  ): Promise<Card> {
    const [, id] = chosen.exec(entered) ?? [];
    return id === undefined ? commands.withNamed(asker, entered, act) : act(asker, id);
  }

  async function offer(interaction: APIApplicationCommandAutocompleteInteraction): Promise<Heard> {
    const { speaker } = askerOf(interaction);
    const { subcommand, typing } = valuesOf(interaction.data.options);
    const found = commands.suggest(speaker, typing, { withExpired: subcommand === 'audit' });
    const soon = await inTime(found.catch(() => []));
    const choices = (soon?.value ?? []).map(({ id, label }) => ({
      name: label.slice(0, choiceMax),
      value: `push ${id}`,
    }));
    return {
      first: { type: InteractionResponseType.ApplicationCommandAutocompleteResult, data: { choices } },
    };
  }

  return { run, offer };
}

const chosen = /^push ([\da-f]{32})$/;
const choiceMax = 100;

function valuesOf(options: APIApplicationCommandInteractionDataOption[] = []): Values {
  const values: Values = { subcommand: '', given: new Map(), typing: '' };
  for (const option of options) {
    if (option.type === ApplicationCommandOptionType.Subcommand)
      return { ...valuesOf(option.options), subcommand: option.name };
    if (!('value' in option) || typeof option.value === 'boolean') continue;
    values.given.set(option.name, option.value);
    if ('focused' in option && option.focused) values.typing = String(option.value);
  }
  return values;
}
