import { type APIModalInteractionResponseCallbackData, InteractionResponseType } from 'discord-api-types/v10';
import type { ChatCaller } from '../../domain/index.ts';
import type { Commands } from '../commands.ts';
import type { ChatUserSettings } from '../forms/settings.ts';
import * as words from '../messages.ts';
import { defaultsWithinTimeout, withinAckTimeout } from '../outcome.ts';
import { renderForm, renderRequestForm, renderSendForm } from './form.ts';
import type { DiscordModalState } from './modalState.ts';
import { callerOf, type DiscordReplies, type Reply, type UserInteraction } from './replies.ts';
import { renderRules, renderSettings } from './settingsForm.ts';

type Dependencies = { commands: Commands; replies: DiscordReplies; onError: (error: unknown) => void };

export type DiscordModals = ReturnType<typeof createDiscordModals>;

/** Opens modals. Discord takes one as the very first answer only, so none waits for the database for long. */
export function createDiscordModals({ commands, replies, onError }: Dependencies) {
  const open = (data: APIModalInteractionResponseCallbackData): Reply => ({
    initial: { type: InteractionResponseType.Modal, data },
  });

  /** The form of a push. */
  const form = async (caller: ChatCaller, about: Parameters<typeof renderForm>[1]): Promise<Reply> =>
    open(renderForm(await defaultsWithinTimeout(commands, caller), about));

  /** The form of a push of a text that there is, which Discord is not told again. */
  async function messageForm(caller: ChatCaller, text: string): Promise<Reply> {
    const { token, save } = commands.prepareDraft(text);
    const keeping = save().catch(onError);
    const notice = `The text of that message, ${text.length} characters.`;
    const { initial } = await form(caller, { state: { draftToken: token, isFromMessage: true }, notice });
    return { initial, followUp: () => keeping };
  }

  const refillForm = (caller: ChatCaller, state: DiscordModalState): Promise<Reply> =>
    form(caller, { state, notice: 'What you entered before.' });

  /** A modal that shows what was set before: without that, saving it would change what nobody touched. */
  async function settingsForm(
    acted: UserInteraction,
    render: typeof renderSettings | typeof renderRules,
  ): Promise<Reply> {
    const caller = callerOf(acted);
    const found: { settings?: ChatUserSettings } = {};
    const reading = commands.settings(caller).then((settings) => {
      found.settings = settings;
      return words.saved;
    });
    const outcome = replies.outcome(acted, reading);
    const soon = await withinAckTimeout(outcome);
    if (soon === undefined) return replies.message(words.tooSlowCard);
    if (found.settings === undefined) return replies.respond(acted, outcome);
    return open(render(found.settings, commands.plainDefaults()));
  }

  return {
    form,
    messageForm,
    refillForm,
    requestForm: (provider: string) => open(renderRequestForm(provider)),
    sendForm: (push: string) => open(renderSendForm(push)),
    settings: (acted: UserInteraction) => settingsForm(acted, renderSettings),
    rules: (acted: UserInteraction) => settingsForm(acted, renderRules),
  };
}
