import { InteractionResponseType } from 'discord.js';
import type { ChatCaller, FormDefaults } from '../../domain/index.ts';
import type { MessageFile } from '../commands/drafts.ts';
import { type FormSpec, type FormState, formIds, type Option } from '../form.ts';
import { fieldsToCorrect } from '../forms/push.ts';
import type { PushFieldName, PushFormOptions } from '../forms/pushFields.ts';
import type { Interactions } from '../interactions/interactions.ts';
import { buildOtherForm, type Opening } from '../interactions/openings.ts';
import { cardsOf, languageOf } from '../language.ts';
import { defaultsWithinTimeout, withinAckTimeout } from '../outcome.ts';
import { fileOptions } from './attachments.ts';
import { decodeDiscordState } from './customIds.ts';
import { renderDiscordForm } from './form.ts';
import { message, type Reply } from './replies.ts';

type Dependencies = { interactions: Interactions; onError: (error: unknown) => void };

export type DiscordModals = ReturnType<typeof createDiscordModals>;

type PushOptions = Pick<PushFormOptions, 'recipients' | 'text' | 'draft' | 'messageFiles'> & {
  state?: FormState;
};

/** A modal holds so many. */
const fieldsMax = 5;

/** Opens modals. Discord takes one as the first response only, so none waits long for the database. */
export function createDiscordModals({ interactions, onError }: Dependencies) {
  const { commands, outcomeOf } = interactions;

  async function push(
    caller: ChatCaller,
    { state = {}, draft, ...options }: PushOptions = {},
  ): Promise<Reply> {
    const defaults = await defaultsWithinTimeout(commands, caller);
    const files = filesField(options.messageFiles ?? [], defaults);
    const fields =
      draft?.problems === undefined ? pushFields(state, files) : fieldsToCorrect(draft, fieldsMax);
    return modal(languageOf(caller).forms.push(defaults, { ...options, fields, state, draft }));
  }

  /** The form of a push of a message's text, which may be changed, and of its files, which are fetched in the end. */
  async function pushMessage(
    caller: ChatCaller,
    { text, files }: { text: string; files: MessageFile[] },
  ): Promise<Reply> {
    if (files.length === 0) return push(caller, { state: { isFromMessage: true }, text });
    const { token, save } = commands.prepareDraft({ values: {}, messageFiles: files });
    const saving = save().catch(onError);
    const state = { isFromMessage: true, draftToken: token };
    const form = await push(caller, { state, text, messageFiles: fileOptions(files) });
    return { ...form, followUp: () => saving };
  }

  /** Opens a refused form again, with everything that was entered. */
  async function refill(caller: ChatCaller, state: FormState): Promise<Reply> {
    const draft = await commands.maybeDraft(state.draftToken ?? '');
    if (draft === undefined) return message(cardsOf(caller).lostDraft);
    return push(caller, { state, draft, messageFiles: fileOptions(draft.messageFiles ?? []) });
  }

  /** Opens what a button or a command asks for. */
  async function open(caller: ChatCaller, opening: Opening): Promise<Reply> {
    if (opening.form === 'push') return push(caller, { state: { requestId: opening.requestId } });
    const opened =
      opening.form === 'refill'
        ? refill(caller, decodeDiscordState(formIds.push, opening.value))
        : buildOtherForm(commands, caller, opening, { asksTimeZone: true, fieldsMax }).then(modal, refuse);
    return (await withinAckTimeout(opened))?.value ?? message(cardsOf(caller).tooSlow);

    async function refuse(error: unknown): Promise<Reply> {
      const refused = await outcomeOf(caller, Promise.reject(error));
      return message(refused?.card ?? cardsOf(caller).alreadyDone);
    }
  }

  return { open, push, pushMessage };
}

const modal = (form: FormSpec): Reply => ({
  initial: { type: InteractionResponseType.Modal, data: renderDiscordForm(form) },
});

/** The fields that matter most. The last one asks which others to show in a second form. */
function pushFields({ expires, requestId }: FormState, files: PushFieldName): PushFieldName[] {
  const lifetime = expires === undefined ? 'expireAfterDays' : 'passphrase';
  return requestId === undefined
    ? ['payload', files, 'recipients', lifetime, 'more']
    : ['payload', files, lifetime, 'more'];
}

/** The field for files: those of a message, as far as the user may push files, or those that they attach. */
function filesField(messageFiles: Option[], { canAttachFiles }: FormDefaults): PushFieldName {
  if (messageFiles.length === 0) return 'files';
  return canAttachFiles ? 'messageFiles' : 'messageFilesHint';
}
