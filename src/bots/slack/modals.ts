import type { webApi } from '@slack/bolt';
import type { ChatCaller } from '../../domain/index.ts';
import type { Commands } from '../commands.ts';
import { defaultsWithinTimeout } from '../outcome.ts';
import { renderCardModal, renderLoadingModal, renderRequestModal, renderSendModal } from './dialogs.ts';
import { renderPushModal } from './form.ts';
import { encodeState, type SlackModalState } from './modalState.ts';
import { renderSettingsModal } from './settingsForm.ts';

type Dependencies = { commands: Commands; onError: (error: unknown) => void };

/** Where a modal may be opened, once and within three seconds of what somebody did. */
export type ModalTrigger = {
  client: webApi.WebClient;
  triggerId: string;
  /** Whether it was done in a modal, on top of which the next one goes. */
  isInModal?: boolean;
};

export type SlackModals = ReturnType<typeof createSlackModals>;

/** Opens modals. Slack takes them for three seconds only, so none waits for the database. */
export function createSlackModals({ commands, onError }: Dependencies) {
  async function open(
    { client, triggerId, isInModal = false }: ModalTrigger,
    view: webApi.ViewsOpenArguments['view'],
  ) {
    const { view: opened } = await client.views[isInModal ? 'push' : 'open']({ trigger_id: triggerId, view });
    return opened?.id ?? '';
  }

  /** The form of a push. `draft` is a text that it is to be made of. */
  async function form(
    trigger: ModalTrigger,
    caller: ChatCaller,
    { draft, ...memory }: Omit<SlackModalState, 'draftToken' | 'pushId'> & { draft?: string } = {},
  ): Promise<void> {
    const { chatUser, workspace } = caller;
    const { responseUrl, requestId } = memory;
    const compose = commands.prepareComposeLink({ chatUser, workspace, replyTo: responseUrl, requestId });
    const kept = draft === undefined ? undefined : commands.prepareDraft(draft);
    const view = renderPushModal(await defaultsWithinTimeout(commands, caller), {
      state: encodeState({ ...memory, ...(kept && { draftToken: kept.token }) }),
      compose,
      isRequested: requestId !== undefined,
      ...(draft !== undefined && { draft: `The text of that message, ${draft.length} characters.` }),
    });
    const saving = Promise.all([compose.save(), kept?.save()]).catch((error) => onError(error));
    await open(trigger, view);
    await saving;
  }

  const requestForm = (trigger: ModalTrigger, memory: SlackModalState, reason = '') =>
    open(trigger, renderRequestModal(encodeState(memory), reason));

  const sendForm = (trigger: ModalTrigger, memory: SlackModalState) =>
    open(trigger, renderSendModal(encodeState(memory)));

  /** A modal that tells what `work` gives, as soon as it does. */
  async function card(
    trigger: ModalTrigger,
    title: string,
    work: Promise<Parameters<typeof renderCardModal>[1]>,
  ): Promise<void> {
    const id = await open(trigger, renderLoadingModal(title));
    await trigger.client.views.update({ view_id: id, view: renderCardModal(title, await work) });
  }

  async function settings(trigger: ModalTrigger, caller: ChatCaller, user: string): Promise<void> {
    const id = await open(trigger, renderLoadingModal('Settings'));
    const [found, { user: info }] = await Promise.all([
      commands.settings(caller),
      trigger.client.users.info({ user }),
    ]);
    const isAdmin = Boolean(info?.is_admin || info?.is_owner);
    const view = renderSettingsModal(found, commands.plainDefaults(), { isAdmin });
    await trigger.client.views.update({ view_id: id, view });
  }

  return { form, requestForm, sendForm, card, settings };
}
