import type { App, BlockAction, ButtonAction, webApi } from '@slack/bolt';
import type { ChatCaller } from '../../domain/index.ts';
import type { Card } from '../card.ts';
import type { Commands } from '../commands.ts';
import * as words from '../messages.ts';
import { outcomeOf } from '../outcome.ts';
import { renderCardModal } from './dialogs.ts';
import { readFields } from './elements.ts';
import type { Home } from './home.ts';
import type { ModalTrigger, SlackModals } from './modals.ts';
import { itemSuffix } from './render.ts';
import { addressOf, callerOf, type SlackReplies } from './replies.ts';

type Dependencies = {
  commands: Commands;
  modals: SlackModals;
  replies: SlackReplies;
  home: Home;
  onError: (error: unknown) => void;
};

type ComponentAction = {
  caller: ChatCaller;
  value: string;
  body: BlockAction;
  client: webApi.WebClient;
  trigger: ModalTrigger;
  isItem: boolean;
};

/** The buttons of all messages, of modals, and of the app's home. */
export function onComponents(app: App, { commands, modals, replies, home, onError }: Dependencies): void {
  function on(action: string, handle: (component: ComponentAction) => Promise<unknown>): void {
    const id = new RegExp(`^${action.replaceAll('.', '\\.')}(\\${itemSuffix})?$`);
    app.action<BlockAction<ButtonAction>>({ type: 'block_actions', action_id: id }, async (args) => {
      const { ack, action, body, client, context } = args;
      await ack();
      const caller = callerOf(context, body.user.id, body.trigger_id);
      const trigger = { client, triggerId: body.trigger_id, isInModal: body.view?.type === 'modal' };
      const isItem = action.action_id.endsWith(itemSuffix);
      await handle({ caller, value: action.value ?? '', body, client, trigger, isItem }).catch((error) =>
        onError(error),
      );
    });
  }

  /** Does something, and shows what came of it in the place where it was asked for. */
  const onCommandAction = (act: string, work: (caller: ChatCaller, value: string) => Promise<Card>) =>
    on(act, async ({ caller, value, ...pressed }) => {
      const outcome = await outcomeOf(work(caller, value), onError);
      if (outcome !== undefined) await show(pressed, caller, outcome.card, !outcome.hasFailed);
    });

  async function show(
    { body, client, isItem, trigger }: Omit<ComponentAction, 'caller' | 'value'>,
    caller: ChatCaller,
    card: Card,
    isDone: boolean,
  ): Promise<void> {
    const { response_url: responseUrl, view, user } = body;
    if (view?.type === 'modal')
      return void (await client.views.update({
        view_id: view.id,
        view: renderCardModal(view.title.text, card),
      }));
    if (view?.type === 'home') {
      if (isDone) return home.publish(client, caller, user.id);
      return modals.card(trigger, 'Sorry', Promise.resolve(card));
    }
    await replies.respond({ client, user: user.id, responseUrl }, card, { replacing: isDone && !isItem });
  }

  const { actions } = words;
  onCommandAction(actions.burn, commands.expire);
  onCommandAction(actions.extend, commands.extend);
  onCommandAction(actions.decline, commands.decline);
  onCommandAction(actions.cancel, commands.cancel);

  on(actions.audit, async ({ caller: { idempotencyKey: _, ...caller }, value, trigger }) => {
    const worded = outcomeOf(commands.audit(caller, value), onError);
    await modals.card(
      trigger,
      'Audit',
      worded.then((outcome) => outcome?.card ?? words.notFound),
    );
  });
  on(actions.send, ({ value, body, trigger }) =>
    modals.sendForm(trigger, { pushId: value, responseUrl: body.response_url }),
  );
  on(actions.provide, ({ caller, value, body, trigger }) =>
    modals.form(trigger, caller, { requestId: value, responseUrl: body.response_url, replacing: true }),
  );
  on(actions.newPush, ({ caller, trigger }) => modals.form(trigger, caller));
  on(actions.newRequest, ({ trigger }) => modals.requestForm(trigger, {}));
  on(actions.settings, ({ caller: { idempotencyKey: _, ...caller }, body, trigger }) =>
    modals.settings(trigger, caller, body.user.id),
  );
  on(actions.compose, async ({ caller, value, body }) => {
    const users = readFields(body.view?.state.values ?? {}).users('recipients');
    if (users.length > 0)
      await commands.setComposeRecipients(
        caller,
        value,
        users.map((user) => addressOf(caller.workspace, user)),
      );
  });
  on(actions.open, async () => {}); // a link: the browser is on its way
}
