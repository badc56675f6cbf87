import { type APIMessageComponentInteraction, InteractionResponseType } from 'discord.js';
import type { Asker } from '../../domain/index.ts';
import type { Card } from '../card.ts';
import type { Commands } from '../commands.ts';
import * as words from '../messages.ts';
import { asked, type CustomId, choosing, readId } from './customIds.ts';
import { readMemory } from './modalState.ts';
import type { Opening } from './modals.ts';
import { managesServer } from './permissions.ts';
import { draw } from './render.ts';
import { askerOf, type Conversation, type Heard } from './replies.ts';

type Parts = { commands: Commands; opening: Opening; conversation: Conversation };

type Act = (asker: Asker, value: string) => Promise<Card>;

/** The buttons and menus of all messages. */
export function createPresses({ commands, opening, conversation }: Parts) {
  const { acts } = words;
  /** What changes what a message is about, and so the message. */
  const changing: Record<string, Act> = {
    [acts.burn]: commands.burn,
    [acts.extend]: commands.extend,
    [acts.decline]: commands.decline,
    [acts.cancel]: commands.cancel,
    [acts.show]: commands.show,
  };
  /** What only tells. */
  const telling: Record<string, Act> = {
    [acts.audit]: commands.audit,
    [acts.show]: commands.show,
    [acts.showRequest]: commands.showRequest,
  };

  async function press(interaction: APIMessageComponentInteraction): Promise<Heard> {
    const { act, value } = readId(interaction.data.custom_id);
    if (act === choosing) return choose(interaction);
    const question = asked(act);
    if (question !== undefined) return ask({ act: question, value });
    const change = changing[act];
    if (change !== undefined) return done(interaction, change, value, { replacing: true });
    const tell = telling[act];
    if (tell !== undefined) return done(interaction, tell, value);
    return open(interaction, { act, value });
  }

  const done = (
    interaction: APIMessageComponentInteraction,
    act: Act,
    value: string,
    options: { replacing?: boolean } = {},
  ) =>
    conversation.answer(
      interaction,
      conversation.outcome(interaction, act(askerOf(interaction), value)),
      options,
    );

  async function choose(interaction: APIMessageComponentInteraction): Promise<Heard> {
    const [chosen = ''] = 'values' in interaction.data ? interaction.data.values : [];
    const { act, value } = readId(chosen);
    return done(interaction, telling[act] ?? commands.show, value);
  }

  /** Discord asks nobody anything before a button counts, so the message itself does. */
  function ask({ act, value }: CustomId): Heard {
    const { title, text, yes, no } = words.questions[acts.burn]; // nothing else asks
    const card: Card = {
      summary: title,
      lines: [[{ bold: title }], [text]],
      buttons: [
        { label: yes, style: 'danger', id: act, value },
        { label: no, id: acts.show, value },
      ],
    };
    return { first: { type: InteractionResponseType.UpdateMessage, data: draw(card) } };
  }

  async function open(interaction: APIMessageComponentInteraction, { act, value }: CustomId): Promise<Heard> {
    const asker = askerOf(interaction);
    switch (act) {
      case acts.send:
        return opening.sendForm(value);
      case acts.newPush:
        return opening.form(asker, { memory: {} });
      case acts.provide:
        return opening.form(asker, { memory: { answering: value } });
      case acts.refill:
        return opening.formAgain(asker, readMemory(value));
      case acts.settings:
        return opening.settings(interaction);
      case acts.rules:
        return managesServer(interaction) ? opening.rules(interaction) : conversation.say(words.notAllowed);
      default:
        return conversation.say(words.gone);
    }
  }

  return { press };
}
