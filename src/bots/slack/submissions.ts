import type { AckFn, App, ViewResponseAction, ViewSubmitAction, webApi } from '@slack/bolt';
import { DomainError } from '../../domain/index.ts';
import { type Card, plain } from '../card.ts';
import type { Commands } from '../commands.ts';
import * as words from '../messages.ts';
import { inTime, type Outcome, outcomeOf } from '../outcome.ts';
import { drawCard, requestId, sendId } from './dialogs.ts';
import { readFields } from './elements.ts';
import { formId, readForm } from './form.ts';
import { type Memory, readMemory } from './modalState.ts';
import { addressOf, askerOf, type Conversation } from './replies.ts';
import { readSettings, settingsId } from './settingsForm.ts';

type Parts = { commands: Commands; conversation: Conversation; failed: (error: unknown) => void };

type Submitted = {
  ack: AckFn<ViewResponseAction>;
  body: ViewSubmitAction;
  client: webApi.WebClient;
};

/** What people fill into modals. A modal stays, with all that was filled in, until its act is done. */
export function onSubmissions(app: App, { commands, conversation, failed }: Parts): void {
  app.view<ViewSubmitAction>(formId, async ({ ack, body, client, context, view }) => {
    const memory = readMemory(view.private_metadata);
    const asker = askerOf(context, body.user.id, occasionOf(body));
    const { form, users } = readForm(view.state.values);
    const giveUp = new AbortController();

    async function push(): Promise<Card> {
      const { draft, answering } = memory;
      const payload = draft === undefined ? form.payload : await commands.textOf(draft);
      if (payload === undefined)
        return Promise.reject(new DomainError('invalid', plain(words.lostDraft.lines[0] ?? [])));
      const filled = { ...form, payload };
      const card =
        answering === undefined
          ? await commands.push(asker, filled, {
              recipients: users.map((user) => addressOf(asker.workspace, user)),
              signal: giveUp.signal,
              ...(draft !== undefined && { hints: [words.hints.original] }),
            })
          : await commands.provide(asker, answering, filled, giveUp.signal);
      if (draft !== undefined) commands.dropDraft(draft).catch(failed);
      return card;
    }

    await answer({ ack, body, client }, memory, outcomeOf(push(), failed), () => giveUp.abort());
  });

  app.view<ViewSubmitAction>(requestId, async ({ ack, body, client, context, view }) => {
    const asker = askerOf(context, body.user.id, occasionOf(body));
    const { person, word } = readFields(view.state.values);
    const provider = {
      platform: 'slack' as const,
      address: addressOf(asker.workspace, person('provider') ?? ''),
    };
    const asking = commands.request(asker, provider, word('reason') ?? null);
    await answer({ ack, body, client }, readMemory(view.private_metadata), outcomeOf(asking, failed));
  });

  app.view<ViewSubmitAction>(sendId, async ({ ack, body, client, context, view }) => {
    const asker = askerOf(context, body.user.id, occasionOf(body));
    const memory = readMemory(view.private_metadata);
    const people = readFields(view.state.values).people('recipients');
    const sending = commands.send(
      asker,
      memory.push ?? '',
      people.map((user) => addressOf(asker.workspace, user)),
    );
    await answer({ ack, body, client }, memory, outcomeOf(sending, failed));
  });

  app.view<ViewSubmitAction>(settingsId, async ({ ack, body, client, context, view }) => {
    const asker = askerOf(context, body.user.id, occasionOf(body));
    const isAdmin = view.private_metadata === 'admin';
    const saving = commands.saveSettings(asker, readSettings(view.state.values, { isAdmin }));
    await answer({ ack, body, client }, {}, outcomeOf(saving, failed));
  });

  /**
   * Answers a submission in time. While it is under way for too long it is given up where that is possible, so that
   * nothing comes of it later, and the person may press the button again; or else they are told later.
   */
  async function answer(
    { ack, body, client }: Submitted,
    { replyTo, replacing = false }: Memory,
    outcome: Promise<Outcome>,
    giveUp?: () => void,
  ): Promise<void> {
    const told = { client, user: body.user.id, replyTo };
    const soon = await inTime(outcome);
    if (soon === undefined && giveUp !== undefined) {
      giveUp();
      return ack({ response_action: 'errors', errors: { [firstInput(body)]: plain(words.tooSlow) } });
    }
    if (soon === undefined) {
      await ack();
      const late = await outcome;
      if (late !== undefined) await conversation.tell(told, late.card, { replacing });
      return;
    }
    const { value } = soon;
    if (value === undefined) return ack();
    if (value.hasFailed) return ack({ response_action: 'errors', errors: errorsOf(body, value) });
    if (replyTo === undefined) return ack({ response_action: 'update', view: drawCard('Done', value.card) });
    await ack();
    await conversation.tell(told, value.card, { replacing });
  }
}

/** Slack gives each submission a trigger of its own. */
function occasionOf(body: ViewSubmitAction): string | undefined {
  return 'trigger_id' in body ? String(body.trigger_id) : undefined;
}

function inputsOf({ view }: ViewSubmitAction): string[] {
  return view.blocks.flatMap((block) => (block.type === 'input' ? [String(block.block_id)] : []));
}

const firstInput = (body: ViewSubmitAction): string => inputsOf(body)[0] ?? '';

/** What was wrong, at the inputs that it is about; the rest at the first, for Slack has no other place. */
function errorsOf(body: ViewSubmitAction, { card, error }: NonNullable<Outcome>): Record<string, string> {
  const inputs = inputsOf(body);
  const fields = error instanceof DomainError ? Object.entries(error.fields ?? {}) : [];
  const known = fields.filter(([name]) => inputs.includes(name));
  if (known.length === 0) return { [firstInput(body)]: card.lines.map(plain).join(' ') };
  return Object.fromEntries(known.map(([name, [what = '']]) => [name, capitalised(what)]));
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
