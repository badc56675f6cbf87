import type { App, BlockAction, ButtonAction, webApi } from '@slack/bolt';
import { addressWorkspace, type ChatCaller } from '../../domain/index.ts';
import { actions } from '../actions.ts';
import type { Card } from '../card.ts';
import { formIds, listIn } from '../form.ts';
import { formPlans } from '../interactions/openings.ts';
import { createPressPlans, outcomeOfPress, type PressPlan } from '../interactions/presses.ts';
import { repeatable } from '../interactions/repeatable.ts';
import { languageOf } from '../language.ts';
import { outcomeOf } from '../outcome.ts';
import { addressOf, slackCallerOf } from './caller.ts';
import type { OpenForm } from './form.ts';
import type { ModalTrigger } from './modals.ts';
import type { SlackParts } from './parts.ts';
import { readValues } from './readForm.ts';
import { itemSuffix, renderCardModal, renderHome } from './render.ts';

/** A button that was pressed, and where. */
type PressedButton = {
  caller: ChatCaller;
  value: string;
  body: BlockAction;
  trigger: ModalTrigger;
  isItem: boolean;
};

/** The buttons of messages, of modals, and of the App Home, and that home itself. */
export function onComponents(app: App, { commands, modals, replies, userGroups, onError }: SlackParts): void {
  const plans = createPressPlans(commands);

  app.action<BlockAction<ButtonAction>>({ type: 'block_actions' }, async (args) => {
    const { ack, action, body, client, context } = args;
    await ack();
    const { action_id: id, value = '', text } = action;
    const caller = slackCallerOf(context, body.user.id, body.trigger_id);
    const trigger = { client, triggerId: body.trigger_id, isInModal: body.view?.type === 'modal' };
    const button = { caller, value, body, trigger, isItem: id.endsWith(itemSuffix) };
    await handle(id.replace(itemSuffix, ''), button).catch(async (error) => {
      onError(error);
      const again = languageOf(caller).cards.formFailed({ label: text.text, id, value }); // a trigger opens one modal
      await replies.respond(readerOf(button), again);
    });
  });

  async function handle(id: string, button: PressedButton): Promise<unknown> {
    const { caller, value, body, trigger } = button;
    const { [id]: plan } = plans;
    const { [id]: form } = formPlans;
    if (plan !== undefined) return press(plan, button);
    if (form !== undefined) {
      const { replaces: replacing } = form;
      const origin = replacing === undefined ? {} : { responseUrl: body.response_url, replacing };
      return modals.open(trigger, caller, form.open(value), origin);
    }
    if (id === actions.more) return modals.more(trigger, caller, body.view as OpenForm);
    if (id === actions.compose) return compose(button);
    // or else it is a link that the browser opens
  }

  async function press(plan: PressPlan, button: PressedButton): Promise<unknown> {
    if (plan.shows === 'question') return; // Slack asks
    const { caller, value, body, trigger } = button;
    const channel = body.channel && addressOf(addressWorkspace(caller.chatUser), body.channel.id);
    const working = outcomeOfPress(plan, { caller, value, channel }, { commands, onError });
    if (plan.shows === 'aside') {
      const { cards, messages } = languageOf(caller);
      const card = working.then((known) => known?.card ?? cards.notFound);
      return modals.card(trigger, caller, messages.chat.buttons[plan.title], card);
    }
    const outcome = await working;
    if (outcome === undefined) return;
    if (plan.shows === 'below') return replies.respond(readerOf(button), outcome.card);
    if (plan.shows === 'publicly' && !outcome.hasFailed) return shareHere(button, outcome.card);
    return show(button, outcome.card, outcome);
  }

  /** Posts a card for everybody in the channel of a message, and tells the sender where that did not work. */
  async function shareHere(button: PressedButton, card: Card): Promise<void> {
    const { response_url: url } = button.body;
    if (url !== undefined && (await replies.respondAt(url, card, { isPublic: true }))) return;
    await show(button, languageOf(button.caller).cards.notInChannel, { hasFailed: true });
  }

  /** Shows a card in the place of the button. */
  async function show(
    button: PressedButton,
    card: Card,
    { hasFailed }: { hasFailed: boolean },
  ): Promise<unknown> {
    const { caller, body, isItem, trigger } = button;
    const { messages } = languageOf(caller);
    const { view, user } = body;
    if (view?.type === 'modal')
      return trigger.client.views.update({
        view_id: view.id,
        view: renderCardModal(view.title.text, card, messages),
      });
    if (view?.type === 'home')
      return hasFailed
        ? modals.card(trigger, caller, messages.chat.modals.sorry, Promise.resolve(card))
        : publishHome(trigger.client, caller, user.id);
    return replies.respond(readerOf(button), card, { replacing: !hasFailed && !isItem });
  }

  /** The form goes on in the browser, with the recipients that are chosen already. */
  async function compose({ caller, value, body, trigger: { client } }: PressedButton): Promise<void> {
    const values = readValues(body.view?.state.values ?? {}, addressWorkspace(caller.chatUser));
    const whole = await userGroups.expand(client, caller, { id: formIds.push, values, state: {} });
    const recipients = listIn(whole.values, 'recipients') ?? [];
    if (recipients.length > 0) await commands.setComposeRecipients(caller, value, recipients);
  }

  /** The App Home lists a user's pushes and requests. */
  async function publishHome(client: webApi.WebClient, reader: ChatCaller, user: string): Promise<void> {
    const caller = repeatable(reader);
    const { cards, messages } = languageOf(caller);
    const parts = await commands.home(caller).catch(async (error) => {
      const outcome = await outcomeOf(caller, Promise.reject(error), onError);
      return { [messages.chat.lists.home.active]: outcome?.card ?? cards.internalError };
    });
    await client.views.publish({ user_id: user, view: renderHome(cards.buttons.home, parts) });
  }

  app.event('app_home_opened', async ({ event: { tab, user }, client, context }) => {
    if (tab === 'home') await publishHome(client, slackCallerOf(context, user, null), user).catch(onError);
  });
}

const readerOf = ({ body, trigger }: PressedButton) => ({
  client: trigger.client,
  user: body.user.id,
  responseUrl: body.response_url,
});
