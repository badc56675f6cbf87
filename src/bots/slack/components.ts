import type { App, BlockAction, ButtonAction, webApi } from '@slack/bolt';
import type { Asker } from '../../domain/index.ts';
import type { Card } from '../card.ts';
import type { Commands } from '../commands.ts';
import * as words from '../messages.ts';
import { outcomeOf } from '../outcome.ts';
import { drawCard } from './dialogs.ts';
import { readFields } from './elements.ts';
import type { Home } from './home.ts';
import type { Opening, Place } from './modals.ts';
import { ofItem } from './render.ts';
import { addressOf, askerOf, type Conversation } from './replies.ts';

type Parts = {
  commands: Commands;
  opening: Opening;
  conversation: Conversation;
  home: Home;
  failed: (error: unknown) => void;
};

type Pressed = {
  asker: Asker;
  value: string;
  body: BlockAction;
  client: webApi.WebClient;
  place: Place;
  isItem: boolean;
};

/** The buttons of all messages, of modals, and of the app's home. */
export function onButtons(app: App, { commands, opening, conversation, home, failed }: Parts): void {
  function on(act: string, press: (pressed: Pressed) => Promise<unknown>): void {
    const id = new RegExp(`^${act.replaceAll('.', '\\.')}(\\${ofItem})?$`);
    app.action<BlockAction<ButtonAction>>({ type: 'block_actions', action_id: id }, async (args) => {
      const { ack, action, body, client, context } = args;
      await ack();
      const asker = askerOf(context, body.user.id, body.trigger_id);
      const place = { client, triggerId: body.trigger_id, isInModal: body.view?.type === 'modal' };
      const isItem = action.action_id.endsWith(ofItem);
      await press({ asker, value: action.value ?? '', body, client, place, isItem }).catch((error) =>
        failed(error),
      );
    });
  }

  /** Does something, and shows what came of it in the place where it was asked for. */
  const onAct = (act: string, work: (asker: Asker, value: string) => Promise<Card>) =>
    on(act, async ({ asker, value, ...pressed }) => {
      const outcome = await outcomeOf(work(asker, value), failed);
      if (outcome !== undefined) await show(pressed, asker, outcome.card, !outcome.hasFailed);
    });

  async function show(
    { body, client, isItem, place }: Omit<Pressed, 'asker' | 'value'>,
    asker: Asker,
    card: Card,
    isDone: boolean,
  ): Promise<void> {
    const { response_url: replyTo, view, user } = body;
    if (view?.type === 'modal')
      return void (await client.views.update({ view_id: view.id, view: drawCard(view.title.text, card) }));
    if (view?.type === 'home') {
      if (isDone) return home.publish(client, asker, user.id);
      return opening.card(place, 'Sorry', Promise.resolve(card));
    }
    await conversation.tell({ client, user: user.id, replyTo }, card, { replacing: isDone && !isItem });
  }

  const { acts } = words;
  onAct(acts.burn, commands.burn);
  onAct(acts.extend, commands.extend);
  onAct(acts.decline, commands.decline);
  onAct(acts.cancel, commands.cancel);

  on(acts.audit, async ({ asker: { occasion: _, ...asker }, value, place }) => {
    const worded = outcomeOf(commands.audit(asker, value), failed);
    await opening.card(
      place,
      'Audit',
      worded.then((outcome) => outcome?.card ?? words.gone),
    );
  });
  on(acts.send, ({ value, body, place }) =>
    opening.sendForm(place, { push: value, replyTo: body.response_url }),
  );
  on(acts.provide, ({ asker, value, body, place }) =>
    opening.form(place, asker, { answering: value, replyTo: body.response_url, replacing: true }),
  );
  on(acts.newPush, ({ asker, place }) => opening.form(place, asker));
  on(acts.newRequest, ({ place }) => opening.requestForm(place, {}));
  on(acts.settings, ({ asker: { occasion: _, ...asker }, body, place }) =>
    opening.settings(place, asker, body.user.id),
  );
  on(acts.compose, async ({ asker, value, body }) => {
    const users = readFields(body.view?.state.values ?? {}).people('recipients');
    if (users.length > 0)
      await commands.addressComposing(
        asker,
        value,
        users.map((user) => addressOf(asker.workspace, user)),
      );
  });
  on(acts.open, async () => {}); // a link: the browser is on its way
}
