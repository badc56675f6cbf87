import type { APIAttachment, APIModalSubmitInteraction } from 'discord.js';
import { type ErrorCode, toRefusal } from '../../domain/index.ts';
import { minuteMs } from '../../time.ts';
import type { Commands } from '../commands.ts';
import { CardError } from '../errorCard.ts';
import { type FormSubmission, formIds, listIn } from '../form.ts';
import { cardsOf } from '../language.ts';
import type { Outcome } from '../outcome.ts';
import { attachmentsOf, fetchFiles, toMessageFile } from './attachments.ts';
import { discordCallerOf } from './caller.ts';
import { encodeDiscordState } from './modalState.ts';
import { maybeReadForm } from './readForm.ts';
import type { DiscordReplies, Reply } from './replies.ts';

type Dependencies = { commands: Commands; replies: DiscordReplies; onError: (error: unknown) => void };

/** Discord takes responses for 15 minutes. What takes longer is aborted, so that no push is created unnoticed. */
const createTimeoutMs = 14 * minuteMs;

/** Submitted forms. Discord closes a modal when it is submitted. */
export function createModalSubmissions({ commands, replies, onError }: Dependencies) {
  async function onSubmit(interaction: APIModalSubmitInteraction): Promise<Reply> {
    const submission = maybeReadForm(interaction.data);
    if (submission === undefined) return replies.message(cardsOf(interaction).notFound);
    if (submission.id === formIds.push) return submitPush(interaction, submission);
    const work = commands.submit(discordCallerOf(interaction), submission);
    const replacing = submission.id === formIds.confirmLink;
    return replies.respond(interaction, replies.outcome(interaction, work), { replacing });
  }

  async function submitPush(
    interaction: APIModalSubmitInteraction,
    submission: FormSubmission,
  ): Promise<Reply> {
    const more = listIn(submission.values, 'more') ?? [];
    if (more.length > 0) return askForMore(interaction, submission, more);
    const attachments = attachmentsOf(interaction, submission);
    const mayHaveFiles = attachments.length > 0 || submission.state.draftToken !== undefined;
    const signal = AbortSignal.timeout(createTimeoutMs);
    const work = commands.submit(discordCallerOf(interaction), submission, {
      signal,
      ...(mayHaveFiles && { files: filesOf(attachments, submission, signal) }),
    });
    const outcome = replies
      .outcome(interaction, work)
      .then((known) =>
        isRefillable(known, mayHaveFiles) ? offerRefill(interaction, known, submission) : known,
      );
    return replies.respond(interaction, outcome, { replacing: submission.state.requestId !== undefined });
  }

  /** What was attached to the form, and the chosen files of the message that it was opened for. */
  async function* filesOf(attachments: APIAttachment[], submission: FormSubmission, signal: AbortSignal) {
    const ofMessage = await commands.chosenMessageFiles(submission);
    yield* fetchFiles([...attachments.map(toMessageFile), ...ofMessage], signal);
  }

  /** Discord opens no form after a form, so a button opens the second one. Until then all that was entered is saved. */
  function askForMore(
    interaction: APIModalSubmitInteraction,
    submission: FormSubmission,
    fields: string[],
  ): Promise<Reply> {
    const work = commands.saveRefused(submission, fields).then((draftToken) => {
      const { requestId, isFromMessage } = submission.state;
      const state = encodeDiscordState(submission.id, { requestId, isFromMessage, draftToken });
      return cardsOf(interaction).moreOptions(state);
    });
    return replies.respond(interaction, replies.outcome(interaction, work));
  }

  /** Saves everything that was entered for an hour, so that the user corrects only what was wrong, or tries again. */
  async function offerRefill(
    interaction: APIModalSubmitInteraction,
    outcome: NonNullable<Outcome>,
    submission: FormSubmission,
  ): Promise<Outcome> {
    const { card, error } = outcome;
    const problems = Object.keys(toRefusal(error)?.problems ?? {});
    try {
      const draftToken = await commands.saveRefused(submission, problems);
      const { requestId, isFromMessage } = submission.state;
      const state = encodeDiscordState(submission.id, { requestId, isFromMessage, draftToken });
      const { buttons } = cardsOf(interaction);
      return { ...outcome, card: { ...card, buttons: [...(card.buttons ?? []), buttons.refill(state)] } };
    } catch (failure) {
      onError(failure);
      return outcome;
    }
  }

  return { onSubmit };
}

/** What a user can correct, or wait for. Undefined for a failure, which is not the user's fault. */
const passing: (ErrorCode | undefined)[] = ['invalid', 'too_many', 'unavailable', undefined];
/** Files that were refused can be left out. */
const passingWithoutFiles: (ErrorCode | undefined)[] = ['forbidden', 'too_large'];

/** Whether another try may succeed. Discord has closed the form by then, with all that was entered. */
function isRefillable(outcome: Outcome, mayHaveFiles: boolean): outcome is NonNullable<Outcome> {
  if (outcome === undefined || !outcome.hasFailed || outcome.error instanceof CardError) return false;
  const code = toRefusal(outcome.error)?.code;
  return passing.includes(code) || (mayHaveFiles && passingWithoutFiles.includes(code));
}
