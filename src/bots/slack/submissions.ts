import { randomUUID } from 'node:crypto';
import type { AckFn, App, ViewResponseAction, ViewSubmitAction, webApi } from '@slack/bolt';
import { addressWorkspace, type ChatCaller } from '../../domain/index.ts';
import { minuteMs } from '../../time.ts';
import { toPlainText } from '../card.ts';
import { type FormSubmission, formIds } from '../form.ts';
import { fieldErrors } from '../interactions/fieldErrors.ts';
import { languageOf } from '../language.ts';
import { type Outcome, submissionTimeoutMs, withinAckTimeout } from '../outcome.ts';
import { slackCallerOf } from './caller.ts';
import { fetchSlackFiles, fileIdsOf } from './files.ts';
import { type ModalOrigin, readSlackForm } from './form.ts';
import type { SlackParts } from './parts.ts';
import { renderCardModal } from './render.ts';

/** A submission that is being handled, and where its result may go. */
type Submitted = ModalOrigin & {
  ack: AckFn<ViewResponseAction>;
  client: webApi.WebClient;
  caller: ChatCaller;
  user: string;
  /** The names of the inputs. */
  inputs: string[];
};

/** Matches the callback ids of all forms. */
const formIdPattern = new RegExp(`^(${Object.values(formIds).join('|')})$`);
/** Response URLs work for half an hour. */
const fetchTimeoutMs = 10 * minuteMs;

/**
 * Submitted forms. Slack keeps a modal open, with all that was entered, until we accept it. What takes too long is aborted
 * where it can be, so the user may submit again; else it follows later. Files take their time, while the form shows that.
 */
export function onSubmissions(app: App, { interactions, replies, userGroups }: SlackParts): void {
  app.view<ViewSubmitAction>(formIdPattern, async ({ ack, body, client, context, view }) => {
    const caller = slackCallerOf(context, body.user.id, idempotencyKeyOf(body));
    const { submission, origin } = readSlackForm(view, addressWorkspace(caller.chatUser));
    const inputs = view.blocks.flatMap(({ type, block_id }) => (type === 'input' ? [String(block_id)] : []));
    const submitted = { ack, client, caller, user: body.user.id, inputs, ...origin };
    const files = fileIdsOf(submission);
    const signal = files.length > 0 ? AbortSignal.timeout(fetchTimeoutMs) : undefined;
    const abort = submission.id === formIds.push && !signal ? new AbortController() : undefined;
    const outcome = submit(submitted, submission, { files, signal: signal ?? abort?.signal });
    const soon = await withinAckTimeout(outcome, signal || abort ? submissionTimeoutMs : undefined);
    if (soon !== undefined) return respondNow(submitted, soon.value);
    if (signal !== undefined) return respondOnTop(submitted, outcome);
    if (abort !== undefined) return giveUp(submitted, abort);
    await ack();
    await show(submitted, await outcome);
  });

  /** Does what a form is for. */
  function submit(
    { client, caller }: Submitted,
    submission: FormSubmission,
    { files: ids, signal }: { files: string[]; signal: AbortSignal | undefined },
  ): Promise<Outcome> {
    const files = ids.length > 0 && signal && fetchSlackFiles(client, ids, { reader: caller, signal });
    const work = userGroups
      .expand(client, caller, submission)
      .then((whole) => interactions.commands.submit(caller, whole, { signal, ...(files && { files }) }));
    return interactions.hintedOutcomeOf(caller, work);
  }

  async function show({ replacing, ...reader }: Submitted, outcome: Outcome): Promise<void> {
    if (outcome !== undefined) await replies.respond(reader, outcome.card, { replacing });
  }

  /** Shows the result where the form was opened, if that was in a conversation, or else in the form. */
  async function respondNow(submitted: Submitted, outcome: Outcome): Promise<void> {
    const { ack, inputs, caller, responseUrl } = submitted;
    if (outcome === undefined) return ack();
    const language = languageOf(caller);
    if (outcome.hasFailed)
      return ack({ response_action: 'errors', errors: fieldErrors(inputs, outcome, language) });
    const { messages } = language;
    if (responseUrl === undefined)
      return ack({
        response_action: 'update',
        view: renderCardModal(messages.chat.modals.done, outcome.card, messages),
      });
    await ack();
    await show(submitted, outcome);
  }

  /** Aborts what takes too long, and says so in the form, which can be submitted again. */
  function giveUp({ ack, inputs: [first = ''], caller }: Submitted, abort: AbortController): Promise<void> {
    abort.abort();
    const [line = []] = languageOf(caller).cards.tooSlow.lines;
    return ack({ response_action: 'errors', errors: { [first]: toPlainText(line) } });
  }

  /**
   * Shows above a form that its files are being fetched, and then the result. After a refusal, closing that leads back to
   * the form with all that was entered; after a success it closes the form, too.
   */
  async function respondOnTop(submitted: Submitted, outcome: Promise<Outcome>): Promise<void> {
    const { ack, client, caller, responseUrl, replacing = false } = submitted;
    const { cards, messages } = languageOf(caller);
    const { loading, done, sorry } = messages.chat.modals;
    const external_id = randomUUID();
    const waiting = renderCardModal(loading, cards.fetchingFiles, messages);
    await ack({ response_action: 'push', view: { ...waiting, external_id } });
    const known = (await outcome) ?? { card: cards.alreadyDone, hasFailed: false };
    const { card, hasFailed } = known;
    const result = renderCardModal(hasFailed ? sorry : done, card, messages);
    const isShown = await client.views
      .update({ external_id, view: { ...result, external_id, clear_on_close: !hasFailed } })
      .then(() => true)
      .catch(() => false); // it was closed
    if (!isShown || (responseUrl !== undefined && !hasFailed))
      await show({ ...submitted, replacing: replacing && !hasFailed }, known);
  }
}

/** Slack gives each submission a trigger of its own. */
const idempotencyKeyOf = (body: ViewSubmitAction): string | null =>
  'trigger_id' in body ? String(body.trigger_id) : null;
