import type { App } from '@slack/bolt';
import { addressWorkspace, type ChatCaller } from '../../domain/index.ts';
import { actions } from '../actions.ts';
import type { Card } from '../card.ts';
import type { Commands } from '../commands.ts';
import { formIds, listIn } from '../form.ts';
import { languageOf } from '../language.ts';
import { hintedOutcomeOf, outcomeOf } from '../outcome.ts';
import { repeatable } from './caller.ts';
import { channelOf, createChannelShare } from './channelShare.ts';
import { type ComponentAction, createComponentListener } from './componentListener.ts';
import type { Home } from './home.ts';
import type { SlackModals } from './modals.ts';
import type { OpenForm } from './moreFields.ts';
import { readValues } from './readForm.ts';
import type { SlackReplies } from './replies.ts';
import type { UserGroups } from './userGroups.ts';
import { renderCardModal } from './views.ts';

type Dependencies = {
  commands: Commands;
  modals: SlackModals;
  replies: SlackReplies;
  userGroups: UserGroups;
  home: Home;
  onError: (error: unknown) => void;
};

type Command = (caller: ChatCaller, value: string) => Promise<Card>;

/** What each button does. */
export function onComponents(
  app: App,
  { commands, modals, replies, userGroups, home, onError }: Dependencies,
): void {
  const on = createComponentListener(app, { replies, onError });
  const shareInChannel = createChannelShare({ commands, replies, onError });

  /** Runs a command, and shows its card in the place of the button. */
  const onCommand = (action: string, command: Command) =>
    on(action, async (component) => {
      const outcome = await hintedOutcomeOf(component.caller, command(component.caller, component.value), {
        commands,
        onError,
      });
      if (outcome !== undefined) await show(component, outcome.card, { hasFailed: outcome.hasFailed });
    });

  /** Runs a command, and shows its card in a modal. */
  const onLookup = (action: string, title: 'audit' | 'allPushes' | 'nudge', command: Command) =>
    on(action, ({ caller, value, trigger }) => {
      const { cards, messages } = languageOf(caller);
      const outcome = outcomeOf(caller, command(caller, value), onError);
      const work = outcome.then((known) => known?.card ?? cards.notFound);
      return modals.card(trigger, caller, { title: messages.chat.buttons[title], work });
    });

  async function show(
    { caller, body, isItem, trigger }: ComponentAction,
    card: Card,
    { hasFailed }: { hasFailed: boolean },
  ): Promise<void> {
    const { client } = trigger;
    const { messages } = languageOf(caller);
    const { response_url: responseUrl, view, user } = body;
    if (view?.type === 'modal') {
      await client.views.update({ view_id: view.id, view: renderCardModal(view.title.text, card, messages) });
      return;
    }
    if (view?.type === 'home') {
      if (!hasFailed) return home.publish(client, caller, user.id);
      return modals.card(trigger, caller, { title: messages.chat.modals.sorry, work: Promise.resolve(card) });
    }
    await replies.respond({ client, user: user.id, responseUrl }, card, {
      replacing: !hasFailed && !isItem,
    });
  }

  onCommand(actions.burn, commands.expire);
  onCommand(actions.extend, commands.extend);
  onCommand(actions.listPage, (caller, value) => commands.listPage(repeatable(caller), value));
  onCommand(actions.decline, commands.decline);
  onCommand(actions.cancel, commands.cancel);
  onCommand(actions.cancelAll, commands.cancelAll);
  onCommand(actions.remindInAnHour, (caller, id) => commands.remindLater(caller, id, 'hour'));
  onCommand(actions.remindInADay, (caller, id) => commands.remindLater(caller, id, 'day'));
  onCommand(actions.remindInTheMorning, (caller, id) => commands.remindLater(caller, id, 'morning'));
  onCommand(actions.rejectLink, commands.rejectLink);

  /** Runs a command, and shows its card below the button. */
  async function answer(
    { caller, body, trigger: { client } }: ComponentAction,
    work: Promise<Card>,
  ): Promise<void> {
    const outcome = await outcomeOf(caller, work, onError);
    const reader = { client, user: body.user.id, responseUrl: body.response_url };
    if (outcome !== undefined) await replies.respond(reader, outcome.card);
  }

  on(actions.openBound, (component) => {
    const { caller, value, body } = component;
    return answer(component, commands.openBound(caller, value, channelOf(caller, body)));
  });
  on(actions.remindLater, (component) =>
    answer(component, commands.whenToRemind(component.caller, component.value)),
  );

  on(actions.shareInChannel, async (component) => {
    const refusal = await shareInChannel(component.caller, component.value, component.body);
    if (refusal !== undefined) await show(component, refusal, { hasFailed: true });
  });

  onLookup(actions.audit, 'audit', (caller, value) => commands.audit(repeatable(caller), value));
  onLookup(actions.nudge, 'nudge', commands.nudge);
  onLookup(actions.listAll, 'allPushes', (caller) => commands.list(repeatable(caller)));
  on(actions.exportActivity, ({ caller, trigger }) => {
    const { cards, messages } = languageOf(caller);
    const work = outcomeOf(caller, commands.exportActivity(repeatable(caller)), onError).then(
      (known) => known?.card ?? cards.notFound,
    );
    return modals.card(trigger, caller, { title: messages.chat.buttons.exportActivity, work });
  });
  on(actions.send, ({ caller, value, body, trigger }) =>
    modals.share(trigger, caller, { responseUrl: body.response_url, pushId: value }),
  );
  on(actions.provide, ({ caller, value, body, trigger }) =>
    modals.push(trigger, caller, { requestId: value, responseUrl: body.response_url, replacing: true }),
  );
  on(actions.confirmLink, ({ caller, value, body, trigger }) =>
    modals.confirmLink(trigger, caller, { responseUrl: body.response_url, replacing: true, linkId: value }),
  );
  on(actions.newPush, ({ caller, trigger }) => modals.push(trigger, caller));
  on(actions.newRequest, ({ caller, trigger }) => modals.request(trigger, caller, {}));
  on(actions.settings, ({ caller, trigger }) => modals.settings(trigger, repeatable(caller)));
  on(actions.more, async ({ caller, body, trigger }) => {
    if (body.view !== undefined) await modals.more(trigger, caller, body.view as OpenForm & { id: string });
  });
  on(actions.compose, async ({ caller, value, body, trigger: { client } }) => {
    const values = readValues(body.view?.state.values ?? {}, addressWorkspace(caller.chatUser));
    const whole = await userGroups.expand(client, caller, { id: formIds.push, values, state: {} });
    const recipients = listIn(whole.values, 'recipients') ?? [];
    if (recipients.length > 0) await commands.setComposeRecipients(caller, value, recipients);
  });
  on(actions.open, async () => {}); // a link that the browser opens
}
