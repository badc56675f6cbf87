import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import type { ChatCaller } from '../../domain/index.ts';
import { languageOf } from '../language.ts';
import { slackCallerOf } from './caller.ts';
import type { ModalTrigger } from './modals.ts';
import { itemSuffix } from './render.ts';
import type { SlackReplies } from './replies.ts';

type Dependencies = { replies: SlackReplies; onError: (error: unknown) => void };

/** A button that was pressed, and its location. */
export type ComponentAction = {
  caller: ChatCaller;
  value: string;
  body: BlockAction;
  trigger: ModalTrigger;
  /** Whether the button belongs to one item of a list. */
  isItem: boolean;
};

/** Listens to the buttons of messages, of modals, and of the App Home. */
export function createComponentListener(app: App, { replies, onError }: Dependencies) {
  /** Offers the same button again: a trigger opens one modal, within three seconds. */
  async function offerAgain({ caller, body, trigger }: ComponentAction, action: ButtonAction): Promise<void> {
    const { text, action_id: id, value = '' } = action;
    const card = languageOf(caller).cards.formFailed({ label: text.text, id, value });
    await replies.respond(
      { client: trigger.client, user: body.user.id, responseUrl: body.response_url },
      card,
    );
  }

  /** Acknowledges an action at once, then handles it. Offers the button again if that fails. */
  return function on(action: string, handle: (component: ComponentAction) => Promise<unknown>): void {
    const id = new RegExp(`^${action.replace(/[.?]/g, '\\$&')}(\\${itemSuffix})?$`);
    app.action<BlockAction<ButtonAction>>({ type: 'block_actions', action_id: id }, async (args) => {
      const { ack, action, body, client, context } = args;
      await ack();
      const caller = slackCallerOf(context, body.user.id, body.trigger_id);
      const trigger = { client, triggerId: body.trigger_id, isInModal: body.view?.type === 'modal' };
      const isItem = action.action_id.endsWith(itemSuffix);
      const component = { caller, value: action.value ?? '', body, trigger, isItem };
      await handle(component).catch(async (error) => {
        onError(error);
        await offerAgain(component, action);
      });
    });
  };
}
