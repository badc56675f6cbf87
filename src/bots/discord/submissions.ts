import type { APIAttachment, APIModalSubmitInteraction } from 'discord-api-types/v10';
import { type ChatCaller, toRefusal } from '../../domain/index.ts';
import { minuteMs } from '../../time.ts';
import type { Card } from '../card.ts';
import type { Commands } from '../commands.ts';
import * as words from '../messages.ts';
import type { Outcome } from '../outcome.ts';
import { attachmentsOf, fetchAttachments } from './attachments.ts';
import { parseCustomId } from './customIds.ts';
import { readFields } from './elements.ts';
import { filesField, formActions, readForm } from './form.ts';
import { type DiscordModalState, decodeState, encodeState } from './modalState.ts';
import { isServerManager } from './permissions.ts';
import { callerOf, chatUserOf, type DiscordReplies, type Reply } from './replies.ts';
import { readRules, readSettings } from './settingsForm.ts';

type Dependencies = { commands: Commands; replies: DiscordReplies; onError: (error: unknown) => void };

/** An answer can be brought for 15 minutes; what takes longer is given up, so that nothing is made that nobody hears of. */
const createTimeoutMs = 14 * minuteMs;

/** What people fill into modals. Discord closes a modal when it is submitted. */
export function createModalSubmissions({ commands, replies, onError }: Dependencies) {
  async function onSubmit(interaction: APIModalSubmitInteraction): Promise<Reply> {
    const { action, value } = parseCustomId(interaction.data.custom_id);
    const caller = callerOf(interaction);
    const respond = (work: Promise<Card>) => replies.respond(interaction, replies.outcome(interaction, work));
    const { text, values } = readFields(interaction.data);
    switch (action) {
      case formActions.push:
        return push(interaction, decodeState(value));
      case formActions.request:
        return respond(commands.request(caller, chatUserOf(value), text('reason') ?? null));
      case formActions.send:
        return respond(commands.share(caller, value, values('recipients')));
      case formActions.settings:
        return respond(commands.saveSettings(caller, readSettings(interaction.data)));
      case formActions.rules:
        return isServerManager(interaction)
          ? respond(commands.saveSettings(caller, { workspace: readRules(interaction.data) }))
          : replies.message(words.notAllowed);
      default:
        return replies.message(words.notFound);
    }
  }

  async function push(interaction: APIModalSubmitInteraction, state: DiscordModalState): Promise<Reply> {
    const caller = callerOf(interaction);
    const submitted = readForm(interaction.data, state);
    const attachments = attachmentsOf(interaction, filesField);
    const { payload } = submitted.form;
    const outcome = replies
      .outcome(interaction, create(caller, { ...submitted, attachments }, state))
      .then((known) => (isRefillable(known, attachments) ? offerRefill(known, payload, state) : known));
    return replies.respond(interaction, outcome, { replacing: state.requestId !== undefined });
  }

  async function create(
    caller: ChatCaller,
    { form, recipients, attachments }: ReturnType<typeof readForm> & { attachments: APIAttachment[] },
    { draftToken, isFromMessage, requestId }: DiscordModalState,
  ): Promise<Card> {
    const payload = draftToken === undefined ? form.payload : await commands.maybeDraftText(draftToken);
    if (payload === undefined) return words.lostDraft;
    const filled = { ...form, payload };
    const signal = AbortSignal.timeout(createTimeoutMs);
    const card =
      requestId === undefined
        ? await commands.create(caller, filled, {
            recipients,
            signal,
            ...(attachments.length > 0 && { files: fetchAttachments(attachments, signal) }),
            ...(isFromMessage && { hints: [words.hints.original] }),
          })
        : await commands.provide(caller, requestId, filled, signal);
    if (draftToken !== undefined) await commands.deleteDraft(draftToken);
    return card;
  }

  /** A secret that was entered is kept for an hour, so that whoever entered it has to say only what was wrong. */
  async function offerRefill(
    outcome: NonNullable<Outcome>,
    payload: string,
    state: DiscordModalState,
  ): Promise<Outcome> {
    const draft = state.draftToken === undefined ? commands.prepareDraft(payload) : undefined;
    try {
      await draft?.save();
    } catch (error) {
      onError(error);
      return outcome;
    }
    const button = words.refill(encodeState({ ...state, ...(draft && { draftToken: draft.token }) }));
    const { card } = outcome;
    return { ...outcome, card: { ...card, buttons: [...(card.buttons ?? []), button] } };
  }

  return { onSubmit };
}

/** What the asker can mend; files that were refused can be left out. */
function isRefillable(outcome: Outcome, attachments: APIAttachment[]): outcome is NonNullable<Outcome> {
  if (outcome === undefined || !outcome.hasFailed) return false;
  const code = toRefusal(outcome.error)?.code;
  return code === 'invalid' || (attachments.length > 0 && (code === 'forbidden' || code === 'too_large'));
}
