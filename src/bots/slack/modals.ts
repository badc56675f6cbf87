import type { webApi } from '@slack/bolt';
import { addressWorkspace, type ChatCaller } from '../../domain/index.ts';
import type { Card } from '../card.ts';
import type { Commands } from '../commands.ts';
import { moreFields } from '../forms/pushFields.ts';
import { buildOtherForm, type Opening } from '../interactions/openings.ts';
import { repeatable } from '../interactions/repeatable.ts';
import { createRoomyForms, type PushedMessage } from '../interactions/roomyForm.ts';
import { type ChatReader, languageOf } from '../language.ts';
import { defaultsWithinTimeout } from '../outcome.ts';
import type { FileAccess } from './files.ts';
import { type ModalOrigin, type OpenForm, renderSlackForm, slackTextMax, withMoreFields } from './form.ts';
import { renderCardModal, renderLoadingModal } from './render.ts';
import type { UserGroups } from './userGroups.ts';

type Dependencies = {
  commands: Commands;
  fileAccess: FileAccess;
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

type PushFormOptions = ModalOrigin & {
  /** The request that the push answers. */
  requestId?: string | undefined;
  /** The message to push. */
  message?: PushedMessage;
};

/** Opens modals. Slack accepts them for three seconds only, so none waits for the database. */
export function createSlackModals({ commands, fileAccess, userGroups, onError }: Dependencies) {
  const buildPushForm = createRoomyForms({ commands, textMax: slackTextMax });

  async function openView(
    { client, triggerId, isInModal = false }: ModalTrigger,
    view: View,
  ): Promise<string> {
    const { view: opened } = await client.views[isInModal ? 'push' : 'open']({ trigger_id: triggerId, view });
    return opened?.id ?? '';
  }

  async function push(
    trigger: ModalTrigger,
    caller: ChatCaller,
    { requestId, message, ...origin }: PushFormOptions = {},
  ): Promise<void> {
    const { form, save } = await buildPushForm(caller, {
      requestId,
      message,
      replyTo: origin.responseUrl,
      canFetchFiles: fileAccess.canRead(trigger.client, addressWorkspace(caller.chatUser)),
      groups: () => userGroups.options(trigger.client, caller),
    });
    const saving = save().catch(onError);
    await openView(trigger, renderSlackForm(form, origin));
    await saving;
  }

  /** Shows the fields of a push that were left out. */
  async function more({ client }: ModalTrigger, caller: ChatCaller, view: OpenForm): Promise<void> {
    const defaults = await defaultsWithinTimeout(commands, caller);
    const form = languageOf(caller).forms.push(defaults, { fields: [], more: [...moreFields], state: {} });
    await client.views.update({ view_id: view.id, view: withMoreFields(view, form) });
  }

  /** Opens at once, and shows the view when it is there. */
  async function openLoading(
    trigger: ModalTrigger,
    reader: ChatReader,
    { title, build }: { title: string; build: () => Promise<View> },
  ): Promise<void> {
    const view_id = await openView(trigger, renderLoadingModal(title, languageOf(reader).messages));
    await trigger.client.views.update({ view_id, view: await build() });
  }

  /** The same for a card. */
  const card = (trigger: ModalTrigger, reader: ChatReader, title: string, work: Promise<Card>) =>
    openLoading(trigger, reader, {
      title,
      build: async () => renderCardModal(title, await work, languageOf(reader).messages),
    });

  /** A user's own settings and, for an admin, those of the workspace. */
  async function settings(caller: ChatCaller) {
    const hasRules = await commands.isManager(caller);
    return renderSlackForm(await buildOtherForm(commands, caller, { form: 'settings' }, { hasRules }));
  }

  /** Opens what a button or a command asks for. */
  async function open(
    trigger: ModalTrigger,
    caller: ChatCaller,
    opening: Opening,
    origin: ModalOrigin = {},
  ): Promise<void> {
    switch (opening.form) {
      case 'push':
        return push(trigger, caller, { requestId: opening.requestId, ...origin });
      case 'settings': {
        const { title } = languageOf(caller).messages.chat.forms.settings;
        return openLoading(trigger, caller, { title, build: () => settings(repeatable(caller)) });
      }
      case 'rules': // part of the settings
      case 'refill': // a form stays open until it is accepted
        return;
      default: {
        const groups = opening.form === 'share' ? await userGroups.options(trigger.client, caller) : [];
        const form = await buildOtherForm(commands, caller, opening, { groups });
        await openView(trigger, renderSlackForm(form, origin));
      }
    }
  }

  return { open, push, more, card };
}
