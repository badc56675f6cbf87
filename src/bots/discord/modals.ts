import { type APIModalInteractionResponseCallbackData, InteractionResponseType } from 'discord.js';
import type { Asker } from '../../domain/index.ts';
import type { Commands, Settings } from '../commands.ts';
import * as words from '../messages.ts';
import { defaultsInTime, inTime } from '../outcome.ts';
import { drawForm, drawRequestForm, drawSendForm } from './form.ts';
import type { Memory } from './modalState.ts';
import { type Acted, askerOf, type Conversation, type Heard } from './replies.ts';
import { drawRules, drawSettings } from './settingsForm.ts';

type Parts = { commands: Commands; conversation: Conversation; failed: (error: unknown) => void };

export type Opening = ReturnType<typeof createOpening>;

/** Opens modals. Discord takes one as the very first answer only, so none waits for the database for long. */
export function createOpening({ commands, conversation, failed }: Parts) {
  const open = (data: APIModalInteractionResponseCallbackData): Heard => ({
    first: { type: InteractionResponseType.Modal, data },
  });

  /** The form of a push. */
  const form = async (asker: Asker, about: Parameters<typeof drawForm>[1]): Promise<Heard> =>
    open(drawForm(await defaultsInTime(commands, asker), about));

  /** The form of a push of a text that there is, which Discord is not told again. */
  async function formOfMessage(asker: Asker, text: string): Promise<Heard> {
    const { token, keep } = commands.draft(text);
    const keeping = keep().catch(failed);
    const instead = `The text of that message, ${text.length} characters.`;
    const { first } = await form(asker, { memory: { draft: token, isMessage: true }, instead });
    return { first, later: () => keeping };
  }

  const formAgain = (asker: Asker, memory: Memory): Promise<Heard> =>
    form(asker, { memory, instead: 'What you entered before.' });

  /** A modal that shows what was set before: without that, saving it would change what nobody touched. */
  async function settingsForm(acted: Acted, drawn: typeof drawSettings | typeof drawRules): Promise<Heard> {
    const asker = askerOf(acted);
    const found: { settings?: Settings } = {};
    const reading = commands.settings(asker).then((settings) => {
      found.settings = settings;
      return words.saved;
    });
    const outcome = conversation.outcome(acted, reading);
    const soon = await inTime(outcome);
    if (soon === undefined) return conversation.say(words.tooSlowCard);
    if (found.settings === undefined) return conversation.answer(acted, outcome);
    return open(drawn(found.settings, commands.plainDefaults()));
  }

  return {
    form,
    formOfMessage,
    formAgain,
    requestForm: (provider: string) => open(drawRequestForm(provider)),
    sendForm: (push: string) => open(drawSendForm(push)),
    settings: (acted: Acted) => settingsForm(acted, drawSettings),
    rules: (acted: Acted) => settingsForm(acted, drawRules),
  };
}
