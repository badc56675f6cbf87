import type { webApi } from '@slack/bolt';
import { addressWorkspace, type ChatCaller } from '../../domain/index.ts';
import type { Card } from '../card.ts';
import type { Commands } from '../commands.ts';
import type { FormSpec } from '../form.ts';
import { moreFields } from '../forms/pushFields.ts';
import { buildSimpleForm, type Opening } from '../interactions/openings.ts';
import { repeatable } from '../interactions/repeatable.ts';
import { createRoomyForms, type PushedMessage } from '../interactions/roomyForm.ts';
import { type ChatReader, languageOf } from '../language.ts';
import { defaultsWithinTimeout } from '../outcome.ts';
import type { FileAccess } from './files.ts';
import { renderSlackForm, slackTextMax } from './form.ts';
import type { ModalOrigin } from './modalState.ts';
import { type OpenForm, withMoreFields } from './moreFields.ts';
import type { UserGroups } from './userGroups.ts';
import { renderCardModal, renderLoadingModal } from './views.ts';

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

export type SlackModals = ReturnType<typeof createSlackModals>;

type PushFormOptions = ModalOrigin & {
  /** The request that the push answers. */
  requestId?: string | undefined;
  /** The message to push. */
  message?: PushedMessage;
};

/** Opens modals. Slack accepts them for three seconds only, so none waits for the database. */
export function createSlackModals({ commands, fileAccess, userGroups, onError }: Dependencies) {
  async function open(
    { client, triggerId, isInModal = false }: ModalTrigger,
    view: webApi.ViewsOpenArguments['view'],
  ): Promise<string> {
    const { view: opened } = await client.views[isInModal ? 'push' : 'open']({ trigger_id: triggerId, view });
    return opened?.id ?? '';
  }

  const openForm = (trigger: ModalTrigger, form: FormSpec, origin?: ModalOrigin) =>
    open(trigger, renderSlackForm(form, origin));

  const buildPushForm = createRoomyForms({ commands, textMax: slackTextMax });

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
    await openForm(trigger, form, origin);
    await saving;
  }

  /** Shows the fields of a push that were left out. */
  async function more({ client }: ModalTrigger, caller: ChatCaller, view: OpenForm & { id: string }) {
    const defaults = await defaultsWithinTimeout(commands, caller);
    const form = languageOf(caller).forms.push(defaults, { fields: [], more: [...moreFields], state: {} });
    await client.views.update({ view_id: view.id, view: withMoreFields(view, form) });
  }

  /** Opens at once, and shows the card when it is there. */
  async function card(
    trigger: ModalTrigger,
    reader: ChatReader,
    { title, work }: { title: string; work: Promise<Card> },
  ): Promise<void> {
    const { messages } = languageOf(reader);
    const view_id = await open(trigger, renderLoadingModal(title, messages));
    await trigger.client.views.update({ view_id, view: renderCardModal(title, await work, messages) });
  }

  /** A user's own settings and, for an admin, those of the workspace. */
  async function settings(trigger: ModalTrigger, caller: ChatCaller): Promise<void> {
    const { messages, forms } = languageOf(caller);
    const title = messages.chat.forms.settings.title;
    const view_id = await open(trigger, renderLoadingModal(title, messages));
    const [found, hasRules] = await Promise.all([commands.settings(caller), commands.isManager(caller)]);
    const form = forms.settings(found, commands.fallbackDefaults(), { hasRules });
    await trigger.client.views.update({ view_id, view: renderSlackForm(form) });
  }

  /** Opens what a button or a command asks for. */
  async function openAsked(
    trigger: ModalTrigger,
    caller: ChatCaller,
    opening: Opening,
    origin: ModalOrigin = {},
  ): Promise<void> {
    switch (opening.form) {
      case 'push':
        return push(trigger, caller, { requestId: opening.requestId, ...origin });
      case 'settings':
        return settings(trigger, repeatable(caller));
      case 'rules': // part of the settings
      case 'refill': // a form stays open until it is accepted
        return;
      default: {
        const groups = opening.form === 'share' ? await userGroups.options(trigger.client, caller) : [];
        await openForm(trigger, buildSimpleForm(opening, languageOf(caller).forms, groups), origin);
      }
    }
  }

  return { open: openAsked, push, more, card };
}
