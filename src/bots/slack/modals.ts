import type { webApi } from '@slack/bolt';
import { addressWorkspace, type ChatCaller } from '../../domain/index.ts';
import type { Card } from '../card.ts';
import { moreFields } from '../forms/pushFields.ts';
import type { Interactions } from '../interactions/interactions.ts';
import type { Opening } from '../interactions/openings.ts';
import type { PushedMessage } from '../interactions/roomyForm.ts';
import { type ChatReader, languageOf } from '../language.ts';
import { defaultsWithinTimeout } from '../outcome.ts';
import type { FileAccess } from './files.ts';
import { type ModalOrigin, type OpenForm, renderSlackForm, slackTextMax, withMoreFields } from './form.ts';
import { renderCardModal, renderLoadingModal } from './render.ts';
import type { UserGroups } from './userGroups.ts';

type Dependencies = {
  interactions: Interactions;
  canFetchFiles: FileAccess;
  userGroups: UserGroups;
  onError: (error: unknown) => void;
};

/** Where a modal may be opened, once and within three seconds of the user's action. */
export type ModalTrigger = {
  client: webApi.WebClient;
  triggerId: string;
  /** Whether the action was in a modal, on top of which the next one goes. */
  isInModal?: boolean;
};

type View = webApi.ViewsOpenArguments['view'];

export type SlackModals = ReturnType<typeof createSlackModals>;

/** Opens modals. Slack accepts them for three seconds only, so none waits for the database. */
export function createSlackModals({ interactions, canFetchFiles, userGroups, onError }: Dependencies) {
  async function openView(
    { client, triggerId, isInModal = false }: ModalTrigger,
    view: View,
  ): Promise<string> {
    const { view: opened } = await client.views[isInModal ? 'push' : 'open']({ trigger_id: triggerId, view });
    return opened?.id ?? '';
  }

  /** Opens what a button, a command or a shortcut asks for; `message` is what is to be pushed. */
  async function open(
    trigger: ModalTrigger,
    caller: ChatCaller,
    opening: Opening,
    { message, ...origin }: ModalOrigin & { message?: PushedMessage } = {},
  ): Promise<void> {
    const build = () =>
      interactions.buildForm(caller, opening, {
        textMax: slackTextMax,
        showsRules: true,
        message,
        replyTo: origin.responseUrl,
        canFetchFiles: canFetchFiles(trigger.client, addressWorkspace(caller.chatUser)),
        groups: () => userGroups.options(trigger.client, caller),
      });
    if (opening.form === 'settings') {
      const { title } = languageOf(caller).messages.chat.forms.settings;
      return openLoading(trigger, caller, title, async () => renderSlackForm((await build()).form));
    }
    const { form, save } = await build();
    const saving = save().catch(onError);
    await openView(trigger, renderSlackForm(form, origin));
    await saving;
  }

  /** Shows the fields of a push that were left out. */
  async function more({ client }: ModalTrigger, caller: ChatCaller, view: OpenForm): Promise<void> {
    const defaults = await defaultsWithinTimeout(interactions.commands, caller);
    const form = languageOf(caller).forms.push(defaults, { fields: [], more: [...moreFields], state: {} });
    await client.views.update({ view_id: view.id, view: withMoreFields(view, form) });
  }

  /** Opens at once, and shows the view when it is there. */
  async function openLoading(
    trigger: ModalTrigger,
    reader: ChatReader,
    title: string,
    build: () => Promise<View>,
  ): Promise<void> {
    const view_id = await openView(trigger, renderLoadingModal(title, languageOf(reader).messages));
    await trigger.client.views.update({ view_id, view: await build() });
  }

  /** The same for a card. */
  const card = (trigger: ModalTrigger, reader: ChatReader, title: string, work: Promise<Card>) =>
    openLoading(trigger, reader, title, async () =>
      renderCardModal(title, await work, languageOf(reader).messages),
    );

  return { open, more, card };
}
