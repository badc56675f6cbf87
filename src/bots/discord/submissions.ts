import type { APIAttachment, APIModalSubmitInteraction } from 'discord.js';
import { type Asker, asRefusal } from '../../domain/index.ts';
import type { Card } from '../card.ts';
import type { Commands } from '../commands.ts';
import * as words from '../messages.ts';
import type { Outcome } from '../outcome.ts';
import { attachmentsOf, fetched } from './attachments.ts';
import { readId } from './customIds.ts';
import { readFields } from './elements.ts';
import { filesField, forms, readForm } from './form.ts';
import { type Memory, readMemory, writeMemory } from './modalState.ts';
import { managesServer } from './permissions.ts';
import { askerOf, type Conversation, type Heard, speakerOf } from './replies.ts';
import { readRules, readSettings } from './settingsForm.ts';

type Parts = { commands: Commands; conversation: Conversation; failed: (error: unknown) => void };

/** An answer can be brought for 15 minutes; what takes longer is given up, so that nothing is made that nobody hears of. */
const givenUpAfterMs = 14 * 60_000;

/** What people fill into modals. Discord closes a modal when it is submitted. */
export function createSubmissions({ commands, conversation, failed }: Parts) {
  async function submit(interaction: APIModalSubmitInteraction): Promise<Heard> {
    const { act, value } = readId(interaction.data.custom_id);
    const asker = askerOf(interaction);
    const said = (work: Promise<Card>) =>
      conversation.answer(interaction, conversation.outcome(interaction, work));
    const { word, values } = readFields(interaction.data);
    switch (act) {
      case forms.push:
        return push(interaction, readMemory(value));
      case forms.request:
        return said(commands.request(asker, speakerOf(value), word('reason') ?? null));
      case forms.send:
        return said(commands.send(asker, value, values('recipients')));
      case forms.settings:
        return said(commands.saveSettings(asker, readSettings(interaction.data)));
      case forms.rules:
        return managesServer(interaction)
          ? said(commands.saveSettings(asker, { workspace: readRules(interaction.data) }))
          : conversation.say(words.notAllowed);
      default:
        return conversation.say(words.gone);
    }
  }

  async function push(interaction: APIModalSubmitInteraction, memory: Memory): Promise<Heard> {
    const asker = askerOf(interaction);
    const filled = readForm(interaction.data, memory);
    const attachments = attachmentsOf(interaction, filesField);
    const { payload } = filled.form;
    const coming = conversation
      .outcome(interaction, make(asker, { ...filled, attachments }, memory))
      .then((known) => (isToBeFilledInAgain(known, attachments) ? again(known, payload, memory) : known));
    return conversation.answer(interaction, coming, { replacing: memory.answering !== undefined });
  }

  async function make(
    asker: Asker,
    { form, recipients, attachments }: ReturnType<typeof readForm> & { attachments: APIAttachment[] },
    { draft, isMessage, answering }: Memory,
  ): Promise<Card> {
    const payload = draft === undefined ? form.payload : await commands.textOf(draft);
    if (payload === undefined) return words.lostDraft;
    const filled = { ...form, payload };
    const signal = AbortSignal.timeout(givenUpAfterMs);
    const card =
      answering === undefined
        ? await commands.push(asker, filled, {
            recipients,
            signal,
            ...(attachments.length > 0 && { files: fetched(attachments, signal) }),
            ...(isMessage && { hints: [words.hints.original] }),
          })
        : await commands.provide(asker, answering, filled, signal);
    if (draft !== undefined) await commands.dropDraft(draft);
    return card;
  }

  /** A secret that was entered is kept for an hour, so that whoever entered it has to say only what was wrong. */
  async function again(outcome: NonNullable<Outcome>, payload: string, memory: Memory): Promise<Outcome> {
    const kept = memory.draft === undefined ? commands.draft(payload) : undefined;
    try {
      await kept?.keep();
    } catch (error) {
      failed(error);
      return outcome;
    }
    const button = words.refill(writeMemory({ ...memory, ...(kept && { draft: kept.token }) }));
    const { card } = outcome;
    return { ...outcome, card: { ...card, buttons: [...(card.buttons ?? []), button] } };
  }

  return { submit };
}

/** What the asker can mend; files that were refused can be left out. */
function isToBeFilledInAgain(
  outcome: Outcome,
  attachments: APIAttachment[],
): outcome is NonNullable<Outcome> {
  if (outcome === undefined || !outcome.hasFailed) return false;
  const code = asRefusal(outcome.error)?.code;
  return code === 'invalid' || (attachments.length > 0 && (code === 'forbidden' || code === 'too_large'));
}
