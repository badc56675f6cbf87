import type { webApi } from '@slack/bolt';
import { addressWorkspace, type ChatCaller } from '../../domain/index.ts';
import type { Card } from '../card.ts';
import type { Commands } from '../commands.ts';
import type { FormSpec } from '../form.ts';
import { moreFields } from '../forms/pushFields.ts';
import type { RequestFormOptions } from '../forms/request.ts';
import { type ChatReader, languageOf } from '../language.ts';
import { defaultsWithinTimeout } from '../outcome.ts';
import type { FileAccess } from './files.ts';
import { renderSlackForm, slackTextMax } from './form.ts';
import type { ModalOrigin } from './modalState.ts';
import { type OpenForm, withMoreFields } from './moreFields.ts';
import { isWorkspaceAdmin } from './permissions.ts';
import { type PushedMessage, pushFieldsOf } from './pushFields.ts';
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
  requestId?: string;
  /** The message to push. */
  message?: PushedMessage;
};

type ShareFormOptions = ModalOrigin & { pushId: string };
type LinkFormOptions = ModalOrigin & { linkId: string };

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

  async function push(
    trigger: ModalTrigger,
    caller: ChatCaller,
    { requestId, message, ...origin }: PushFormOptions = {},
  ): Promise<void> {
    const { chatUser, workspace, locale } = caller;
    const { text = '', files = [] } = message ?? {};
    const values = { payload: text };
    const draft = text.length > slackTextMax ? commands.prepareDraft({ values }) : undefined;
    const compose = commands.prepareComposeLink({
      chatUser,
      workspace,
      locale,
      replyTo: origin.responseUrl,
      requestId,
    });
    const [defaults, canRead, groups] = await Promise.all([
      defaultsWithinTimeout(commands, caller),
      fileAccess.canRead(trigger.client, addressWorkspace(chatUser)),
      requestId === undefined ? userGroups.options(trigger.client, caller) : [],
    ]);
    const form = languageOf(caller).forms.push(defaults, {
      fields: pushFieldsOf(message, {
        canFetch: canRead && defaults.canAttachFiles,
        hasGroups: groups.length > 0,
      }),
      groups,
      more: [...moreFields],
      state: { requestId, draftToken: draft?.token, isFromMessage: message && true },
      compose,
      messageFiles: files,
      ...(draft ? { draft: { values }, messageLength: text.length } : { text }),
    });
    const saving = Promise.all([draft?.save(), compose.save()]).catch(onError);
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
    const [found, hasRules] = await Promise.all([
      commands.settings(caller),
      isWorkspaceAdmin(trigger.client, caller),
    ]);
    const form = forms.settings(found, commands.fallbackDefaults(), { hasRules });
    await trigger.client.views.update({ view_id, view: renderSlackForm(form) });
  }

  return {
    push,
    more,
    request: (trigger: ModalTrigger, reader: ChatReader, options: RequestFormOptions, origin?: ModalOrigin) =>
      openForm(trigger, languageOf(reader).forms.request(options), origin),
    async share(trigger: ModalTrigger, caller: ChatCaller, { pushId, ...origin }: ShareFormOptions) {
      const groups = await userGroups.options(trigger.client, caller);
      return openForm(trigger, languageOf(caller).forms.share(pushId, groups), origin);
    },
    confirmLink: (trigger: ModalTrigger, reader: ChatReader, { linkId, ...origin }: LinkFormOptions) =>
      openForm(trigger, languageOf(reader).forms.confirmLink(linkId), origin),
    card,
    settings,
  };
}
