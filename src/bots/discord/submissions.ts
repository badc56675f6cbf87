import type { APIModalSubmitInteraction } from 'discord.js';
import { type ErrorCode, toRefusal } from '../../domain/index.ts';
import { minuteMs } from '../../time.ts';
import type { MessageFile } from '../commands/drafts.ts';
import { CardError } from '../errorCard.ts';
import { type FormSubmission, formIds, listIn } from '../form.ts';
import type { Interactions } from '../interactions/interactions.ts';
import { type ChatReader, cardsOf } from '../language.ts';
import type { Outcome } from '../outcome.ts';
import { attachmentsOf, fetchFiles } from './attachments.ts';
import { discordCallerOf } from './caller.ts';
import { encodeDiscordState } from './customIds.ts';
import { maybeReadForm } from './form.ts';
import { type DiscordReplies, message, type Reply } from './replies.ts';

type Dependencies = {
  interactions: Interactions;
  replies: DiscordReplies;
  onError: (error: unknown) => void;
};

/** Discord takes responses for 15 minutes. What takes longer is aborted, so that no push is created unnoticed. */
const createTimeoutMs = 14 * minuteMs;

/** Submitted forms. Discord closes a modal when it is submitted. */
export function createModalSubmissions({ interactions, replies, onError }: Dependencies) {
  const { commands } = interactions;

  /** Discord opens no form after a form, so a button opens the second one. */
  async function onSubmit(interaction: APIModalSubmitInteraction): Promise<Reply> {
    const submission = maybeReadForm(interaction.data);
    const caller = discordCallerOf(interaction);
    if (submission === undefined) return message(cardsOf(caller).notFound);
    const { id, values, state } = submission;
    const more = listIn(values, 'more') ?? [];
    if (more.length > 0) {
      const asking = savedState(submission, more).then(cardsOf(caller).moreOptions);
      return replies.respond(interaction, interactions.hintedOutcomeOf(caller, asking));
    }
    const attachments = attachmentsOf(interaction, values);
    const mayHaveFiles = attachments.length > 0 || state.draftToken !== undefined;
    const signal = AbortSignal.timeout(createTimeoutMs);
    const files = mayHaveFiles ? filesOf(attachments, submission, signal) : undefined;
    const submitted = interactions.submit(caller, submission, { signal, files });
    const outcome = submitted.then((known) =>
      id === formIds.push && isRefillable(known, mayHaveFiles)
        ? offerRefill(known, submission, caller)
        : known,
    );
    const isAnswer = id === formIds.confirmLink || state.requestId !== undefined;
    return replies.respond(interaction, outcome, isAnswer ? 'instead' : 'below');
  }

  /** What was attached to the form, and the chosen files of the message that it was opened for. */
  async function* filesOf(attachments: MessageFile[], submission: FormSubmission, signal: AbortSignal) {
    const ofMessage = await commands.chosenMessageFiles(submission);
    yield* fetchFiles([...attachments, ...ofMessage], signal);
  }

  /** Saves all that was entered for an hour, and returns the state of the form that goes on with it. */
  async function savedState(submission: FormSubmission, problems: string[]): Promise<string> {
    const draftToken = await commands.saveRefused(submission, problems);
    const { requestId, isFromMessage } = submission.state;
    return encodeDiscordState(submission.id, { requestId, isFromMessage, draftToken });
  }

  /** Lets the user correct only what was wrong, or try again. */
  async function offerRefill(
    outcome: NonNullable<Outcome>,
    submission: FormSubmission,
    reader: ChatReader,
  ): Promise<Outcome> {
    const { card, error } = outcome;
    const problems = Object.keys(toRefusal(error)?.problems ?? {});
    try {
      const refill = cardsOf(reader).buttons.refill(await savedState(submission, problems));
      return { ...outcome, card: { ...card, buttons: [...(card.buttons ?? []), refill] } };
    } catch (failure) {
      onError(failure);
      return outcome;
    }
  }

  return onSubmit;
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
