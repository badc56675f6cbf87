import type { AckFn, App, ViewResponseAction, ViewSubmitAction, webApi } from '@slack/bolt';
import { DomainError } from '../../domain/index.ts';
import { en } from '../../locales/en.ts';
import { problemText } from '../../locales/wording.ts';
import { type Card, toPlainText } from '../card.ts';
import type { Commands } from '../commands.ts';
import * as words from '../messages.ts';
import { type Outcome, outcomeOf, withinAckTimeout } from '../outcome.ts';
import { renderCardModal, requestFormId, sendFormId } from './dialogs.ts';
import { readFields } from './elements.ts';
import { formId, readForm } from './form.ts';
import { decodeState, type SlackModalState } from './modalState.ts';
import { addressOf, callerOf, type SlackReplies } from './replies.ts';
import { readSettings, settingsFormId } from './settingsForm.ts';

type Dependencies = { commands: Commands; replies: SlackReplies; onError: (error: unknown) => void };

type SubmissionArgs = {
  ack: AckFn<ViewResponseAction>;
  body: ViewSubmitAction;
  client: webApi.WebClient;
};

/** What people fill into modals. A modal stays, with all that was filled in, until its act is done. */
export function onSubmissions(app: App, { commands, replies, onError }: Dependencies): void {
  app.view<ViewSubmitAction>(formId, async ({ ack, body, client, context, view }) => {
    const state = decodeState(view.private_metadata);
    const caller = callerOf(context, body.user.id, idempotencyKeyOf(body));
    const { form, users } = readForm(view.state.values);
    const abort = new AbortController();

    async function create(): Promise<Card> {
      const { draftToken, requestId } = state;
      const payload = draftToken === undefined ? form.payload : await commands.maybeDraftText(draftToken);
      if (payload === undefined) return Promise.reject(new DomainError('invalid', 'draftLost'));
      const completed = { ...form, payload };
      const card =
        requestId === undefined
          ? await commands.create(caller, completed, {
              recipients: users.map((user) => addressOf(caller.workspace, user)),
              signal: abort.signal,
              ...(draftToken !== undefined && { hints: [words.hints.original] }),
            })
          : await commands.provide(caller, requestId, completed, abort.signal);
      if (draftToken !== undefined) commands.deleteDraft(draftToken).catch(onError);
      return card;
    }

    await respond({ ack, body, client }, state, outcomeOf(create(), onError), () => abort.abort());
  });

  app.view<ViewSubmitAction>(requestFormId, async ({ ack, body, client, context, view }) => {
    const caller = callerOf(context, body.user.id, idempotencyKeyOf(body));
    const { user, text } = readFields(view.state.values);
    const provider = {
      platform: 'slack' as const,
      address: addressOf(caller.workspace, user('provider') ?? ''),
    };
    const requesting = commands.request(caller, provider, text('reason') ?? null);
    await respond({ ack, body, client }, decodeState(view.private_metadata), outcomeOf(requesting, onError));
  });

  app.view<ViewSubmitAction>(sendFormId, async ({ ack, body, client, context, view }) => {
    const caller = callerOf(context, body.user.id, idempotencyKeyOf(body));
    const state = decodeState(view.private_metadata);
    const people = readFields(view.state.values).users('recipients');
    const sending = commands.share(
      caller,
      state.pushId ?? '',
      people.map((user) => addressOf(caller.workspace, user)),
    );
    await respond({ ack, body, client }, state, outcomeOf(sending, onError));
  });

  app.view<ViewSubmitAction>(settingsFormId, async ({ ack, body, client, context, view }) => {
    const caller = callerOf(context, body.user.id, idempotencyKeyOf(body));
    const isAdmin = view.private_metadata === 'admin';
    const saving = commands.saveSettings(caller, readSettings(view.state.values, { isAdmin }));
    await respond({ ack, body, client }, {}, outcomeOf(saving, onError));
  });

  /**
   * Answers a submission in time. While it is under way for too long it is given up where that is possible, so that
   * nothing comes of it later, and the person may press the button again; or else they are told later.
   */
  async function respond(
    { ack, body, client }: SubmissionArgs,
    { responseUrl, replacing = false }: SlackModalState,
    outcome: Promise<Outcome>,
    abort?: () => void,
  ): Promise<void> {
    const told = { client, user: body.user.id, responseUrl };
    const soon = await withinAckTimeout(outcome);
    if (soon === undefined && abort !== undefined) {
      abort();
      return ack({ response_action: 'errors', errors: { [firstInput(body)]: toPlainText(words.tooSlow) } });
    }
    if (soon === undefined) {
      await ack();
      const late = await outcome;
      if (late !== undefined) await replies.respond(told, late.card, { replacing });
      return;
    }
    const { value } = soon;
    if (value === undefined) return ack();
    if (value.hasFailed) return ack({ response_action: 'errors', errors: errorsOf(body, value) });
    if (responseUrl === undefined)
      return ack({ response_action: 'update', view: renderCardModal('Done', value.card) });
    await ack();
    await replies.respond(told, value.card, { replacing });
  }
}

/** Slack gives each submission a trigger of its own. */
function idempotencyKeyOf(body: ViewSubmitAction): string | undefined {
  return 'trigger_id' in body ? String(body.trigger_id) : undefined;
}

function inputsOf({ view }: ViewSubmitAction): string[] {
  return view.blocks.flatMap((block) => (block.type === 'input' ? [String(block.block_id)] : []));
}

const firstInput = (body: ViewSubmitAction): string => inputsOf(body)[0] ?? '';

/** What was wrong, at the inputs that it is about; the rest at the first, for Slack has no other place. */
function errorsOf(body: ViewSubmitAction, { card, error }: NonNullable<Outcome>): Record<string, string> {
  const inputs = inputsOf(body);
  const problems = error instanceof DomainError ? Object.entries(error.problems) : [];
  const known = problems.filter(([name]) => inputs.includes(name));
  if (known.length === 0) return { [firstInput(body)]: card.lines.map(toPlainText).join(' ') };
  return Object.fromEntries(
    known.map(([name, [first]]) => [name, first === undefined ? '' : capitalised(problemText(en, first))]),
  );
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
