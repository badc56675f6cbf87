import { InteractionResponseType } from 'discord.js';
import type { ChatCaller, FormDefaults } from '../../domain/index.ts';
import type { MessageFile } from '../commands/drafts.ts';
import type { Commands } from '../commands.ts';
import { type FormSpec, type FormState, formIds, type Option } from '../form.ts';
import { fieldsToCorrect } from '../forms/push.ts';
import type { PushFieldName, PushFormOptions } from '../forms/pushFields.ts';
import { buildOtherForm, type Opening } from '../interactions/openings.ts';
import { cardsOf, languageOf } from '../language.ts';
import { defaultsWithinTimeout, outcomeOf, withinAckTimeout } from '../outcome.ts';
import { fileOptions } from './attachments.ts';
import { discordCallerOf, type UserInteraction } from './caller.ts';
import { renderDiscordForm } from './form.ts';
import { decodeDiscordState } from './modalState.ts';
import type { DiscordReplies, Reply } from './replies.ts';

type Dependencies = { commands: Commands; replies: DiscordReplies; onError: (error: unknown) => void };

export type DiscordModals = ReturnType<typeof createDiscordModals>;

type PushOptions = Pick<PushFormOptions, 'recipients' | 'text' | 'draft' | 'messageFiles'> & {
  state?: FormState;
};

/** A modal holds so many. */
const fieldsMax = 5;

/** Opens modals. Discord takes one as the first response only, so none waits long for the database. */
export function createDiscordModals({ commands, replies, onError }: Dependencies) {
  const reply = (form: FormSpec): Reply => ({
    initial: { type: InteractionResponseType.Modal, data: renderDiscordForm(form) },
  });

  async function push(
    caller: ChatCaller,
    { state = {}, draft, ...options }: PushOptions = {},
  ): Promise<Reply> {
    const defaults = await defaultsWithinTimeout(commands, caller);
    const files = filesField(options.messageFiles ?? [], defaults);
    const fields =
      draft?.problems === undefined ? pushFields(state, files) : fieldsToCorrect(draft, fieldsMax);
    return reply(languageOf(caller).forms.push(defaults, { ...options, fields, state, draft }));
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
    return { ...form, followUp: async () => saving };
  }

  /** Opens a refused form again, with everything that was entered. */
  async function refill(caller: ChatCaller, state: FormState): Promise<Reply> {
    const soon = await withinAckTimeout(commands.maybeDraft(state.draftToken ?? ''));
    if (soon === undefined) return replies.message(cardsOf(caller).tooSlow);
    if (soon.value === undefined) return replies.message(cardsOf(caller).lostDraft);
    const messageFiles = fileOptions(soon.value.messageFiles ?? []);
    return push(caller, { state, draft: soon.value, messageFiles });
  }

  /** Opens what a button or a command asks for. */
  async function open(interaction: UserInteraction, opening: Opening): Promise<Reply> {
    const caller = discordCallerOf(interaction);
    if (opening.form === 'push') return push(caller, { state: { requestId: opening.requestId } });
    if (opening.form === 'refill') return refill(caller, decodeDiscordState(formIds.push, opening.value));
    const opened = buildOtherForm(commands, caller, opening, { asksTimeZone: true }).then(
      reply,
      async (error) => {
        const refused = await outcomeOf(caller, Promise.reject(error), onError);
        return replies.message(refused?.card ?? cardsOf(caller).alreadyDone);
      },
    );
    return (await withinAckTimeout(opened))?.value ?? replies.message(cardsOf(caller).tooSlow);
  }

  return { open, push, pushMessage };
}

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
