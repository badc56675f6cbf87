import { randomUUID } from 'node:crypto';
import type { AckFn, ViewResponseAction } from '@slack/bolt';
import type { Language } from '../language.ts';
import type { Outcome } from '../outcome.ts';
import type { SlackReader, SlackReplies } from './replies.ts';
import { renderCardModal } from './views.ts';

type Submission = { ack: AckFn<ViewResponseAction>; language: Language; outcome: Promise<Outcome> };

/**
 * Shows above a form that its files are being fetched, and then the result. After a refusal, closing that leads back to
 * the form with all that was entered; after a success it closes the form, too.
 */
export async function respondOnTop(
  { ack, language: { cards, messages }, outcome }: Submission,
  { replies, replacing, ...reader }: SlackReader & { replies: SlackReplies; replacing: boolean },
): Promise<void> {
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
  const hasPlace = reader.responseUrl !== undefined;
  if (!isShown || (hasPlace && !hasFailed))
    await replies.respond(reader, card, { replacing: replacing && !hasFailed });
}
