import { InteractionResponseType } from 'discord.js';
import type { ChatCaller } from '../../domain/index.ts';
import type { Commands } from '../commands.ts';
import type { FormSpec, FormState } from '../form.ts';
import type { Forms } from '../forms/forms.ts';
import type { SettingBounds } from '../forms/options.ts';
import { fieldsToCorrect } from '../forms/push.ts';
import type { PushFieldName, PushFormOptions } from '../forms/pushFields.ts';
import type { ChatUserSettings } from '../forms/settings.ts';
import { type ChatReader, cardsOf, languageOf } from '../language.ts';
import { defaultsWithinTimeout, withinAckTimeout } from '../outcome.ts';
import { discordCallerOf, type UserInteraction } from './caller.ts';
import { renderDiscordForm } from './form.ts';
import type { DiscordReplies, Reply } from './replies.ts';

type Dependencies = { commands: Commands; replies: DiscordReplies };

export type DiscordModals = ReturnType<typeof createDiscordModals>;

type PushOptions = Pick<PushFormOptions, 'recipients' | 'text' | 'draft'> & {
  state?: FormState;
};

/** Opens modals. Discord takes one as the first response only, so none waits long for the database. */
export function createDiscordModals({ commands, replies }: Dependencies) {
  const open = (form: FormSpec): Reply => ({
    initial: { type: InteractionResponseType.Modal, data: renderDiscordForm(form) },
  });

  async function push(
    caller: ChatCaller,
    { state = {}, draft, ...options }: PushOptions = {},
  ): Promise<Reply> {
    const defaults = await defaultsWithinTimeout(commands, caller);
    const isRequested = state.requestId !== undefined;
    const fields =
      draft?.problems === undefined
        ? pushFields({ hasLifetime: state.expires !== undefined, isRequested })
        : fieldsToCorrect(draft, fieldsMax);
    return open(languageOf(caller).forms.push(defaults, { ...options, fields, state, draft }));
  }

  /** The form of a push of a message's text, which may be changed. */
  const pushMessage = (caller: ChatCaller, text: string): Promise<Reply> =>
    push(caller, { state: { isFromMessage: true }, text });

  /** Opens a refused form again, with everything that was entered. */
  async function refill(caller: ChatCaller, state: FormState): Promise<Reply> {
    const soon = await withinAckTimeout(commands.maybeDraft(state.draftToken ?? ''));
    if (soon === undefined) return replies.message(cardsOf(caller).tooSlow);
    if (soon.value === undefined) return replies.message(cardsOf(caller).lostDraft);
    return push(caller, { state, draft: soon.value });
  }

  /** A form with the current settings. Without them it is not opened: saving would change what nobody touched. */
  async function withSettings(
    interaction: UserInteraction,
    formOf: (forms: Forms, settings: ChatUserSettings, bounds: SettingBounds) => FormSpec,
  ): Promise<Reply> {
    const { cards, forms } = languageOf(interaction);
    const found: { settings?: ChatUserSettings } = {};
    const reading = commands.settings(discordCallerOf(interaction)).then((settings) => {
      found.settings = settings;
      return cards.saved;
    });
    const outcome = replies.outcome(interaction, reading);
    const soon = await withinAckTimeout(outcome);
    if (soon === undefined) return replies.message(cards.tooSlow);
    if (found.settings === undefined) return replies.respond(interaction, outcome);
    return open(formOf(forms, found.settings, commands.fallbackDefaults()));
  }

  return {
    push,
    pushMessage,
    refill,
    request: (reader: ChatReader, provider: string) => open(languageOf(reader).forms.request({ provider })),
    share: (reader: ChatReader, pushId: string) => open(languageOf(reader).forms.share(pushId)),
    confirmLink: (reader: ChatReader, linkId: string) => open(languageOf(reader).forms.confirmLink(linkId)),
    settings: (interaction: UserInteraction) =>
      withSettings(interaction, (forms, settings, bounds) => forms.settings(settings, bounds)),
    rules: (interaction: UserInteraction) =>
      withSettings(interaction, (forms, { workspace }, bounds) => forms.rules(workspace, bounds)),
  };
}

const fieldsMax = 5;

/** The fields that matter most: a modal holds five. The last one asks which others to show in a second form. */
function pushFields({
  hasLifetime,
  isRequested,
}: {
  hasLifetime: boolean;
  isRequested: boolean;
}): PushFieldName[] {
  const lifetime = hasLifetime ? 'passphrase' : 'expireAfterDays';
  return isRequested
    ? ['payload', 'files', lifetime, 'more']
    : ['payload', 'files', 'recipients', lifetime, 'more'];
}
