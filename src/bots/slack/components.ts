import type { App, BlockAction, ButtonAction, webApi } from '@slack/bolt';
import { addressWorkspace, type ChatCaller } from '../../domain/index.ts';
import { actions } from '../actions.ts';
import type { Card } from '../card.ts';
import { formIds, listIn } from '../form.ts';
import type { RunningPress } from '../interactions/interactions.ts';
import { repeatable } from '../interactions/repeatable.ts';
import { cardsOf, languageOf } from '../language.ts';
import type { Outcome } from '../outcome.ts';
import { addressOf, slackCallerOf } from './caller.ts';
import { type OpenForm, readValues } from './form.ts';
import type { ModalTrigger } from './modals.ts';
import type { SlackParts } from './parts.ts';
import { itemSuffix, renderCardModal, renderHome } from './render.ts';
import type { SlackReader } from './replies.ts';

/** A button that was pressed, and where. */
type PressedButton = {
  caller: ChatCaller;
  value: string;
  body: BlockAction;
  trigger: ModalTrigger;
  reader: SlackReader;
  isItem: boolean;
};

/** The buttons of messages, of modals, and of the App Home, and that home itself. */
export function onComponents(app: App, parts: SlackParts): void {
  const { interactions, modals, replies, userGroups, onError } = parts;
  const { commands, outcomeOf } = interactions;

  app.action<BlockAction<ButtonAction>>({ type: 'block_actions' }, async (args) => {
    const { ack, action, body, client, context } = args;
    await ack();
    const { action_id: id, value = '', text } = action;
    const caller = slackCallerOf(context, body.user.id, body.trigger_id);
    const trigger = { client, triggerId: body.trigger_id, isInModal: body.view?.type === 'modal' };
    const reader = { client, user: body.user.id, responseUrl: body.response_url };
    const button = { caller, value, body, trigger, reader, isItem: id.endsWith(itemSuffix) };
    await handle(id.replace(itemSuffix, ''), button).catch(async (error) => {
      onError(error);
      const again = cardsOf(caller).formFailed({ label: text.text, id, value }); // a trigger opens one modal
      await replies.respond(reader, again);
    });
  });

  async function handle(id: string, button: PressedButton): Promise<unknown> {
    const { caller, value, body, trigger } = button;
    if (id === actions.more) return modals.more(trigger, caller, body.view as OpenForm);
    if (id === actions.compose) return compose(button);
    const channel = body.channel && addressOf(addressWorkspace(caller.chatUser), body.channel.id);
    const pressed = interactions.press(id, { caller, value, channel });
    if (pressed === undefined) return; // a link that the browser opens
    if ('opening' in pressed) {
      const { opening, replaces: replacing } = pressed;
      const origin = replacing === undefined ? {} : { responseUrl: body.response_url, replacing };
      return modals.open(trigger, caller, opening, origin);
    }
    if (pressed.shows !== 'question') return show(pressed, button); // which Slack asks
  }

  async function show({ shows, title, outcome }: RunningPress, button: PressedButton): Promise<unknown> {
    const { caller, trigger } = button;
    if (shows === 'aside') {
      const card = outcome.then((known) => known?.card ?? cardsOf(caller).notFound);
      return modals.card(trigger, caller, title, card);
    }
    const known = await outcome;
    if (known === undefined) return;
    if (shows === 'below') return replies.respond(button.reader, known.card);
    if (shows === 'publicly' && !known.hasFailed) return shareHere(button, known.card);
    return showInPlace(button, known);
  }

  /** Posts a card for everybody in the channel of a message, and tells the sender where that did not work. */
  async function shareHere(button: PressedButton, card: Card): Promise<void> {
    const { response_url: url } = button.body;
    if (url !== undefined && (await replies.respondAt(url, card, { isPublic: true }))) return;
    await showInPlace(button, { card: cardsOf(button.caller).notInChannel, hasFailed: true });
  }

  /** Shows a card in the place of the button. */
  async function showInPlace(
    { caller, body, isItem, trigger, reader }: PressedButton,
    { card, hasFailed }: NonNullable<Outcome>,
  ): Promise<unknown> {
    const { messages } = languageOf(caller);
    const { view, user } = body;
    if (view?.type === 'modal') {
      const shown = renderCardModal(view.title.text, card, messages);
      return trigger.client.views.update({ view_id: view.id, view: shown });
    }
    if (view?.type !== 'home') return replies.respond(reader, card, { replacing: !hasFailed && !isItem });
    const { sorry } = messages.chat.modals;
    return hasFailed
      ? modals.card(trigger, caller, sorry, Promise.resolve(card))
      : publishHome(trigger.client, caller, user.id);
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
      const outcome = await outcomeOf(caller, Promise.reject(error));
      return { [messages.chat.lists.home.active]: outcome?.card ?? cards.internalError };
    });
    await client.views.publish({ user_id: user, view: renderHome(cards.buttons.home, parts) });
  }

  app.event('app_home_opened', async ({ event: { tab, user }, client, context }) => {
    if (tab === 'home') await publishHome(client, slackCallerOf(context, user, null), user).catch(onError);
  });
}
