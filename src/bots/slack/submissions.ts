import type { AckFn, App, ViewResponseAction, ViewSubmitAction, webApi } from '@slack/bolt';
import { addressWorkspace } from '../../domain/index.ts';
import { minuteMs } from '../../time.ts';
import { type Card, toPlainText } from '../card.ts';
import type { Commands } from '../commands.ts';
import { formIds } from '../form.ts';
import { fieldErrors } from '../interactions/fieldErrors.ts';
import { type Language, languageOf } from '../language.ts';
import { hintedOutcomeOf, type Outcome, submissionTimeoutMs, withinAckTimeout } from '../outcome.ts';
import { slackCallerOf } from './caller.ts';
import { fetchSlackFiles, fileIdsOf } from './files.ts';
import { respondOnTop } from './lateResponse.ts';
import type { ModalOrigin } from './modalState.ts';
import { formIdPattern, readSlackForm } from './readForm.ts';
import type { SlackReplies } from './replies.ts';
import type { UserGroups } from './userGroups.ts';
import { renderCardModal } from './views.ts';

type Dependencies = {
  commands: Commands;
  replies: SlackReplies;
  userGroups: UserGroups;
  onError: (error: unknown) => void;
};

type SubmissionArgs = {
  ack: AckFn<ViewResponseAction>;
  body: ViewSubmitAction;
  client: webApi.WebClient;
  language: Language;
};

/** Response URLs work for half an hour. */
const fetchTimeoutMs = 10 * minuteMs;

/** Submitted forms. Slack keeps a modal open, with all that was entered, until we accept it. */
export function onSubmissions(app: App, { commands, replies, userGroups, onError }: Dependencies): void {
  app.view<ViewSubmitAction>(formIdPattern, async ({ ack, body, client, context, view }) => {
    const caller = slackCallerOf(context, body.user.id, idempotencyKeyOf(body));
    const { submission, origin } = readSlackForm(view, addressWorkspace(caller.chatUser));
    const fileIds = fileIdsOf(submission);
    const hasFiles = fileIds.length > 0;
    const abort = submission.id === formIds.push && !hasFiles ? new AbortController() : undefined;
    const signal = hasFiles ? AbortSignal.timeout(fetchTimeoutMs) : abort?.signal;
    const files = hasFiles && signal && fetchSlackFiles(client, fileIds, { reader: caller, signal });
    const work = userGroups
      .expand(client, caller, submission)
      .then((whole) => commands.submit(caller, whole, { signal, ...(files && { files }) }));
    await respond(
      { ack, body, client, language: languageOf(caller) },
      origin,
      hintedOutcomeOf(caller, work, { commands, onError }),
      { abort, hasFiles },
    );
  });

  /**
   * Responds in time. What takes too long is aborted where it can be, so the user may submit again; else it follows later.
   * Files take their time, while the form shows that.
   */
  async function respond(
    args: SubmissionArgs,
    { responseUrl, replacing = false }: ModalOrigin,
    outcome: Promise<Outcome>,
    { abort, hasFiles }: { abort: AbortController | undefined; hasFiles: boolean },
  ): Promise<void> {
    const { ack, body, client, language } = args;
    const reader = { client, user: body.user.id, responseUrl };
    const show: Show = ({ card }) => replies.respond(reader, card, { replacing });
    const soon = await withinAckTimeout(outcome, abort || hasFiles ? submissionTimeoutMs : undefined);
    if (soon !== undefined) return respondNow(args, soon.value, responseUrl === undefined ? undefined : show);
    if (hasFiles) return respondOnTop({ ack, language, outcome }, { ...reader, replies, replacing });
    if (abort !== undefined) return giveUp(args, abort);
    await ack();
    const late = await outcome;
    if (late !== undefined) await show(late);
  }
}

type Show = (outcome: NonNullable<Outcome>) => Promise<void>;

/** `show` shows the result where the form was opened, if that was in a conversation. */
async function respondNow(
  { ack, body, language }: SubmissionArgs,
  outcome: Outcome,
  show: Show | undefined,
): Promise<void> {
  if (outcome === undefined) return ack();
  if (outcome.hasFailed)
    return ack({ response_action: 'errors', errors: fieldErrors(inputsOf(body), outcome, language) });
  if (show === undefined) return ack({ response_action: 'update', view: doneModal(outcome.card, language) });
  await ack();
  await show(outcome);
}

/** Aborts what takes too long, and says so in the form, which can be submitted again. */
function giveUp({ ack, body, language }: SubmissionArgs, abort: AbortController): Promise<void> {
  abort.abort();
  const [line = []] = language.cards.tooSlow.lines;
  return ack({ response_action: 'errors', errors: { [inputsOf(body)[0] ?? '']: toPlainText(line) } });
}

const doneModal = (card: Card, { messages }: Language) =>
  renderCardModal(messages.chat.modals.done, card, messages);

/** Slack gives each submission a trigger of its own. */
function idempotencyKeyOf(body: ViewSubmitAction): string | null {
  return 'trigger_id' in body ? String(body.trigger_id) : null;
}

function inputsOf({ view }: ViewSubmitAction): string[] {
  return view.blocks.flatMap((block) => (block.type === 'input' ? [String(block.block_id)] : []));
}
