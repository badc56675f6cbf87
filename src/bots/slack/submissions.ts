import { randomUUID } from 'node:crypto';
import type { AckFn, App, ViewResponseAction, ViewSubmitAction, webApi } from '@slack/bolt';
import { addressWorkspace, type ChatCaller } from '../../domain/index.ts';
import { minuteMs } from '../../time.ts';
import { type Card, toPlainText } from '../card.ts';
import type { SubmitOptions } from '../commands/submit.ts';
import { type FormSubmission, formIds } from '../form.ts';
import { fieldErrors } from '../interactions/fieldErrors.ts';
import { type Language, languageOf } from '../language.ts';
import { hintedOutcomeOf, type Outcome, submissionTimeoutMs, withinAckTimeout } from '../outcome.ts';
import { slackCallerOf } from './caller.ts';
import { fetchSlackFiles, fileIdsOf } from './files.ts';
import type { SlackParts } from './parts.ts';
import { readSlackForm } from './readForm.ts';
import { renderCardModal } from './render.ts';
import type { SlackReader } from './replies.ts';

/** A submission that is being handled, and where its result may go. */
type Submitted = {
  ack: AckFn<ViewResponseAction>;
  /** The names of the inputs. */
  inputs: string[];
  language: Language;
  reader: SlackReader;
  replacing: boolean;
  outcome: Promise<Outcome>;
};

/** Matches the callback ids of all forms. */
const formIdPattern = new RegExp(`^(${Object.values(formIds).join('|')})$`);
/** Response URLs work for half an hour. */
const fetchTimeoutMs = 10 * minuteMs;

/**
 * Submitted forms. Slack keeps a modal open, with all that was entered, until we accept it. What takes too long is aborted
 * where it can be, so the user may submit again; else it follows later. Files take their time, while the form shows that.
 */
export function onSubmissions(app: App, { commands, replies, userGroups, onError }: SlackParts): void {
  app.view<ViewSubmitAction>(formIdPattern, async ({ ack, body, client, context, view }) => {
    const caller = slackCallerOf(context, body.user.id, idempotencyKeyOf(body));
    const { submission, origin } = readSlackForm(view, addressWorkspace(caller.chatUser));
    const { work, hasFiles, abort } = begin(client, caller, submission);
    const submitted: Submitted = {
      ack,
      inputs: view.blocks.flatMap(({ type, block_id }) => (type === 'input' ? [String(block_id)] : [])),
      language: languageOf(caller),
      reader: { client, user: body.user.id, responseUrl: origin.responseUrl },
      replacing: origin.replacing ?? false,
      outcome: hintedOutcomeOf(caller, work, { commands, onError }),
    };
    const timeoutMs = abort || hasFiles ? submissionTimeoutMs : undefined;
    const soon = await withinAckTimeout(submitted.outcome, timeoutMs);
    if (soon !== undefined) return respondNow(submitted, soon.value);
    if (hasFiles) return respondOnTop(submitted);
    if (abort !== undefined) return giveUp(submitted, abort);
    await ack();
    const late = await submitted.outcome;
    if (late !== undefined) await show(submitted, late.card);
  });

  /** Does what a form is for. A push of a text alone can be aborted. */
  function begin(client: webApi.WebClient, caller: ChatCaller, submission: FormSubmission) {
    const submit = (options: SubmitOptions) =>
      userGroups.expand(client, caller, submission).then((whole) => commands.submit(caller, whole, options));
    const fileIds = fileIdsOf(submission);
    if (fileIds.length > 0) {
      const signal = AbortSignal.timeout(fetchTimeoutMs);
      const files = fetchSlackFiles(client, fileIds, { reader: caller, signal });
      return { hasFiles: true, work: submit({ signal, files }) };
    }
    const abort = submission.id === formIds.push ? new AbortController() : undefined;
    return { hasFiles: false, abort, work: submit({ signal: abort?.signal }) };
  }

  const show = ({ reader, replacing }: Submitted, card: Card) => replies.respond(reader, card, { replacing });

  /** Shows the result where the form was opened, if that was in a conversation, or else in the form. */
  async function respondNow(submitted: Submitted, outcome: Outcome): Promise<void> {
    const { ack, inputs, language, reader } = submitted;
    if (outcome === undefined) return ack();
    if (outcome.hasFailed)
      return ack({ response_action: 'errors', errors: fieldErrors(inputs, outcome, language) });
    const { messages } = language;
    const done = () => renderCardModal(messages.chat.modals.done, outcome.card, messages);
    if (reader.responseUrl === undefined) return ack({ response_action: 'update', view: done() });
    await ack();
    await show(submitted, outcome.card);
  }

  /** Aborts what takes too long, and says so in the form, which can be submitted again. */
  function giveUp({ ack, inputs: [first = ''], language }: Submitted, abort: AbortController): Promise<void> {
    abort.abort();
    const [line = []] = language.cards.tooSlow.lines;
    return ack({ response_action: 'errors', errors: { [first]: toPlainText(line) } });
  }

  /**
   * Shows above a form that its files are being fetched, and then the result. After a refusal, closing that leads back to
   * the form with all that was entered; after a success it closes the form, too.
   */
  async function respondOnTop(submitted: Submitted): Promise<void> {
    const { ack, language, reader, replacing, outcome } = submitted;
    const { cards, messages } = language;
    const { loading, done, sorry } = messages.chat.modals;
    const external_id = randomUUID();
    const waiting = renderCardModal(loading, cards.fetchingFiles, messages);
    await ack({ response_action: 'push', view: { ...waiting, external_id } });
    const { card, hasFailed } = (await outcome) ?? { card: cards.alreadyDone, hasFailed: false };
    const result = renderCardModal(hasFailed ? sorry : done, card, messages);
    const isShown = await reader.client.views
      .update({ external_id, view: { ...result, external_id, clear_on_close: !hasFailed } })
      .then(() => true)
      .catch(() => false); // it was closed
    if (!isShown || (reader.responseUrl !== undefined && !hasFailed))
      await replies.respond(reader, card, { replacing: replacing && !hasFailed });
  }
}

/** Slack gives each submission a trigger of its own. */
function idempotencyKeyOf(body: ViewSubmitAction): string | null {
  return 'trigger_id' in body ? String(body.trigger_id) : null;
}
