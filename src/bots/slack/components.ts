import type { App } from '@slack/bolt';
import { addressWorkspace } from '../../domain/index.ts';
import { actions } from '../actions.ts';
import type { Card } from '../card.ts';
import type { Commands } from '../commands.ts';
import { formIds, listIn } from '../form.ts';
import { formPlans } from '../interactions/openings.ts';
import { createPressPlans, type PressPlan } from '../interactions/presses.ts';
import { languageOf } from '../language.ts';
import { hintedOutcomeOf, outcomeOf } from '../outcome.ts';
import { addressOf } from './caller.ts';
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

/** The buttons of messages, of modals, and of the App Home. */
export function onComponents(
  app: App,
  { commands, modals, replies, userGroups, home, onError }: Dependencies,
): void {
  const on = createComponentListener(app, { replies, onError });

  async function press(plan: PressPlan, component: ComponentAction): Promise<void> {
    if (plan.shows === 'question') return; // Slack asks
    const { caller, value, body, trigger } = component;
    const channel = body.channel && addressOf(addressWorkspace(caller.chatUser), body.channel.id);
    const work = plan.run({ caller, value, channel });
    if (plan.shows === 'aside') {
      const { cards, messages } = languageOf(caller);
      const card = outcomeOf(caller, work, onError).then((known) => known?.card ?? cards.notFound);
      return modals.card(trigger, caller, { title: messages.chat.buttons[plan.title], work: card });
    }
    const outcome =
      plan.shows === 'instead'
        ? await hintedOutcomeOf(caller, work, { commands, onError })
        : await outcomeOf(caller, work, onError);
    if (outcome === undefined) return;
    const reader = { client: trigger.client, user: body.user.id, responseUrl: body.response_url };
    if (plan.shows === 'below') await replies.respond(reader, outcome.card);
    else if (plan.shows === 'publicly' && !outcome.hasFailed) await shareHere(component, outcome.card);
    else await show(component, outcome.card, outcome);
  }

  /** Posts a card for everybody in the channel of a message, and tells the sender where that did not work. */
  async function shareHere(component: ComponentAction, card: Card): Promise<void> {
    const { response_url: url } = component.body;
    if (url !== undefined && (await replies.respondAt(url, card, { isPublic: true }))) return;
    await show(component, languageOf(component.caller).cards.notInChannel, { hasFailed: true });
  }

  /** Shows a card in the place of the button. */
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

  for (const [action, plan] of Object.entries(createPressPlans(commands)))
    on(action, (component) => press(plan, component));
  for (const [action, { open, replaces }] of Object.entries(formPlans))
    on(action, ({ caller, value, body, trigger }) => {
      const origin = replaces === undefined ? {} : { responseUrl: body.response_url, replacing: replaces };
      return modals.open(trigger, caller, open(value), origin);
    });
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
