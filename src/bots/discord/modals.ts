import { InteractionResponseType } from 'discord.js';
import type { ChatCaller, FormDefaults } from '../../domain/index.ts';
import type { MessageFile } from '../commands/drafts.ts';
import type { Commands } from '../commands.ts';
import { type FormSpec, type FormState, formIds, type Option } from '../form.ts';
import type { Forms } from '../forms/forms.ts';
import type { SettingBounds } from '../forms/options.ts';
import { fieldsToCorrect } from '../forms/push.ts';
import type { PushFieldName, PushFormOptions } from '../forms/pushFields.ts';
import { buildSimpleForm, type Opening } from '../interactions/openings.ts';
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

/** Opens modals. Discord takes one as the first response only, so none waits long for the database. */
export function createDiscordModals({ commands, replies, onError }: Dependencies) {
  const open = (form: FormSpec): Reply => ({
    initial: { type: InteractionResponseType.Modal, data: renderDiscordForm(form) },
  });

  async function push(
    caller: ChatCaller,
    { state = {}, draft, ...options }: PushOptions = {},
  ): Promise<Reply> {
    const defaults = await defaultsWithinTimeout(commands, caller);
    const isRequested = state.requestId !== undefined;
    const { messageFiles = [] } = options;
    const fields =
      draft?.problems === undefined
        ? pushFields({
            hasLifetime: state.expires !== undefined,
            isRequested,
            files: filesField(messageFiles, defaults),
          })
        : fieldsToCorrect(draft, fieldsMax);
    return open(languageOf(caller).forms.push(defaults, { ...options, fields, state, draft }));
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

  /** A form with the current settings. It is not opened without them, because saving would then change untouched fields. */
  async function withSettings<Settings>(
    caller: ChatCaller,
    reading: Promise<Settings>,
    formOf: (forms: Forms, settings: Settings, bounds: SettingBounds) => FormSpec,
  ): Promise<Reply> {
    const { cards, forms } = languageOf(caller);
    const known = reading.then((settings) => ({ settings }));
    const outcome = outcomeOf(
      caller,
      known.then(() => cards.saved),
      onError,
    );
    const soon = await withinAckTimeout(outcome);
    if (soon === undefined) return replies.message(cards.tooSlow);
    if (soon.value === undefined || soon.value.hasFailed)
      return replies.message(soon.value?.card ?? cards.alreadyDone);
    const { settings } = await known;
    return open(formOf(forms, settings, commands.fallbackDefaults()));
  }

  /** Opens what a button or a command asks for. */
  async function openAsked(interaction: UserInteraction, opening: Opening): Promise<Reply> {
    const caller = discordCallerOf(interaction);
    switch (opening.form) {
      case 'push':
        return push(caller, { state: { requestId: opening.requestId } });
      case 'refill':
        return refill(caller, decodeDiscordState(formIds.push, opening.value));
      case 'settings':
        return withSettings(caller, commands.settings(caller), (forms, settings, bounds) =>
          forms.settings(settings, bounds, { asksTimeZone: true }),
        );
      case 'rules':
        return withSettings(caller, commands.rules(caller), (forms, rules, bounds) =>
          forms.rules(rules, bounds, 'discord'),
        );
      default:
        return open(buildSimpleForm(opening, languageOf(caller).forms));
    }
  }

  return { open: openAsked, push, pushMessage };
}

const fieldsMax = 5;

/** The fields that matter most: a modal holds five. The last one asks which others to show in a second form. */
function pushFields({
  hasLifetime,
  isRequested,
  files,
}: {
  hasLifetime: boolean;
  isRequested: boolean;
  files: PushFieldName;
}): PushFieldName[] {
  const lifetime = hasLifetime ? 'passphrase' : 'expireAfterDays';
  return isRequested
    ? ['payload', files, lifetime, 'more']
    : ['payload', files, 'recipients', lifetime, 'more'];
}

/** The field for files: those of a message, as far as the user may push files, or those that they attach. */
function filesField(messageFiles: Option[], { canAttachFiles }: FormDefaults): PushFieldName {
  if (messageFiles.length === 0) return 'files';
  return canAttachFiles ? 'messageFiles' : 'messageFilesHint';
}
