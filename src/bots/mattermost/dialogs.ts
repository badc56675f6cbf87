import { randomUUID } from 'node:crypto';
import type { SubmitDialogResponse } from '@mattermost/types/integrations';
import { bindingWorkspace, type ChatCaller } from '../../domain/index.ts';
import type { Card } from '../card.ts';
import { toErrorCard } from '../errorCard.ts';
import { isListField, listIn } from '../form.ts';
import { fieldErrors } from '../interactions/fieldErrors.ts';
import type { Interactions } from '../interactions/interactions.ts';
import type { Opening } from '../interactions/openings.ts';
import { cardToOpenAgain } from '../interactions/typed.ts';
import { cardsOf, languageOf } from '../language.ts';
import type { MattermostApi } from './api.ts';
import type { MattermostFiles } from './files.ts';
import { type DialogState, dialogInputsOf, readDialog, renderDialog, textareaMax } from './form.ts';
import type { MattermostReplies, Whereabouts } from './replies.ts';

type Dependencies = {
  api: Pick<MattermostApi, 'openDialog'>;
  interactions: Interactions;
  replies: MattermostReplies;
  files: MattermostFiles;
  seal: (state: DialogState, user: string) => string;
  /** Where dialogs are submitted. */
  url: string;
  onError: (error: unknown) => void;
};

export type MattermostDialogs = ReturnType<typeof createDialogs>;

/** Mattermost waits for half a minute. What takes longer is aborted, so that no push is created unnoticed. */
const createTimeoutMs = 25_000;

/** Opens dialogs, and does what they are for. */
export function createDialogs({ api, interactions, replies, files, seal, url, onError }: Dependencies) {
  /** Opens a dialog, or returns a card that says why not. */
  async function open(
    { caller, responseUrl }: Whereabouts,
    triggerId: string,
    opening: Opening,
    post?: string,
  ): Promise<Card | undefined> {
    try {
      const { address } = caller.chatUser;
      const sent = opening.form === 'push' ? await files.sentBy(address) : [];
      const { form, save } = await interactions.buildForm(caller, opening, {
        textMax: textareaMax,
        replyTo: responseUrl,
        ...(sent.length > 0 && { message: { text: '', files: sent }, canFetchFiles: Promise.resolve(true) }),
      });
      const saving = save().catch(onError);
      const state: DialogState = {
        id: form.id,
        state: form.state,
        key: randomUUID(),
        inputs: Object.fromEntries(dialogInputsOf(form).map((field) => [field.name, isListField(field)])),
        team: bindingWorkspace(caller),
        responseUrl,
        post,
      };
      const dialog = renderDialog(form, seal(state, address));
      await api.openDialog({ trigger_id: triggerId, url, dialog });
      await saving;
      return undefined;
    } catch (error) {
      const card = toErrorCard(error, cardsOf(caller));
      if (card === undefined) onError(error);
      return card ?? cardToOpenAgain(caller, opening);
    }
  }

  /** A dialog stays open, with all that was entered, until its submission is accepted. */
  async function submit(
    caller: ChatCaller,
    submission: Record<string, unknown>,
    { id, state, inputs, responseUrl, post }: DialogState,
  ): Promise<SubmitDialogResponse> {
    const values = readDialog(submission, inputs);
    const chosen = listIn(values, 'messageFiles') ?? [];
    const signal = AbortSignal.timeout(createTimeoutMs);
    const outcome = await interactions.submit(
      caller,
      { id, state, values },
      { signal, ...(chosen.length > 0 && { files: files.fetch(chosen, caller, signal) }) },
    );
    if (outcome?.hasFailed) return { errors: fieldErrors(Object.keys(inputs), outcome, languageOf(caller)) };
    if (outcome !== undefined) await replies.result({ caller, responseUrl }, outcome.card, post);
    return {};
  }

  return { open, submit };
}
