import { randomUUID } from 'node:crypto';
import type { SubmitDialogResponse } from '@mattermost/types/integrations';
import { bindingWorkspace, type ChatCaller } from '../../domain/index.ts';
import type { Card } from '../card.ts';
import type { Commands } from '../commands.ts';
import { toErrorCard } from '../errorCard.ts';
import { type FormSpec, isListField, listIn } from '../form.ts';
import { fieldErrors } from '../interactions/fieldErrors.ts';
import { buildOtherForm, type Opening } from '../interactions/openings.ts';
import { createRoomyForms } from '../interactions/roomyForm.ts';
import { cardToOpenAgain } from '../interactions/typed.ts';
import { cardsOf, languageOf } from '../language.ts';
import { hintedOutcomeOf } from '../outcome.ts';
import type { MattermostApi } from './api.ts';
import type { MattermostFiles } from './files.ts';
import { type DialogState, dialogInputsOf, readDialog, renderDialog, textareaMax } from './form.ts';
import type { MattermostReplies, Whereabouts } from './replies.ts';

type Dependencies = {
  api: Pick<MattermostApi, 'openDialog'>;
  commands: Commands;
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
export function createDialogs({ api, commands, replies, files, seal, url, onError }: Dependencies) {
  const buildPushForm = createRoomyForms({ commands, textMax: textareaMax });

  /** Opens a dialog, or returns a card that says why not. */
  async function open(
    place: Whereabouts,
    triggerId: string,
    opening: Opening,
    post?: string,
  ): Promise<Card | undefined> {
    const { caller, responseUrl } = place;
    try {
      const { form, saving } = await formOf(place, opening);
      const inputs = dialogInputsOf(form);
      const state: DialogState = {
        id: form.id,
        state: form.state,
        key: randomUUID(),
        fields: inputs.map(({ name }) => name),
        lists: inputs.filter(isListField).map(({ name }) => name),
        team: bindingWorkspace(caller),
        responseUrl,
        post,
      };
      const dialog = renderDialog(form, seal(state, caller.chatUser.address));
      await api.openDialog({ trigger_id: triggerId, url, dialog });
      await saving;
      return undefined;
    } catch (error) {
      const card = toErrorCard(error, cardsOf(caller));
      if (card === undefined) onError(error);
      return card ?? cardToOpenAgain(caller, opening);
    }
  }

  async function formOf(
    { caller, responseUrl }: Whereabouts,
    opening: Opening,
  ): Promise<{ form: FormSpec; saving?: Promise<unknown> }> {
    // a dialog stays open until it is accepted
    if (opening.form === 'refill') throw new Error('no button of a dialog that was refused is drawn');
    if (opening.form !== 'push') return { form: await buildOtherForm(commands, caller, opening) };
    const sent = await files.sentBy(caller.chatUser.address);
    const { form, save } = await buildPushForm(caller, {
      requestId: opening.requestId,
      replyTo: responseUrl,
      ...(sent.length > 0 && { message: { text: '', files: sent }, canFetchFiles: Promise.resolve(true) }),
    });
    return { form, saving: save().catch(onError) };
  }

  /** A dialog stays open, with all that was entered, until its submission is accepted. */
  async function submit(
    caller: ChatCaller,
    submission: Record<string, unknown>,
    state: DialogState,
  ): Promise<SubmitDialogResponse> {
    const values = readDialog(submission, state);
    const chosen = listIn(values, 'messageFiles') ?? [];
    const signal = AbortSignal.timeout(createTimeoutMs);
    const work = commands.submit(
      caller,
      { id: state.id, state: state.state, values },
      { signal, ...(chosen.length > 0 && { files: files.fetch(chosen, caller, signal) }) },
    );
    const outcome = await hintedOutcomeOf(caller, work, { commands, onError });
    if (outcome === undefined) return {};
    if (outcome.hasFailed) return { errors: fieldErrors(state.fields, outcome, languageOf(caller)) };
    await replies.result({ caller, responseUrl: state.responseUrl }, outcome.card, state.post);
    return {};
  }

  return { open, submit };
}
