import type { AllMiddlewareArgs, AnyMiddlewareArgs } from '@slack/bolt';
import { toPlainText } from '../card.ts';
import { languageOf } from '../language.ts';
import type { AuthorizationFailure } from './authorization.ts';
import type { SlackParts } from './parts.ts';
import { renderCardModal, renderSlackMessage } from './render.ts';

/** Middleware that tells users of a workspace without a usable token why nothing happens, in private. */
export async function refuseUnauthorized(
  args: AllMiddlewareArgs & AnyMiddlewareArgs,
  { replies, installUrl }: SlackParts,
): Promise<void> {
  const { context, next } = args;
  const failure = context.authorizationFailure as AuthorizationFailure | undefined;
  if (failure === undefined) return next();
  const { cards, messages } = languageOf(); // without a token, Slack does not tell the user's
  const card = failure === 'not installed' ? cards.notInstalled(installUrl) : cards.tryAgain;
  if ('command' in args) return args.ack({ ...renderSlackMessage(card), response_type: 'ephemeral' });
  if ('view' in args && args.body.type === 'view_submission') {
    const input = args.body.view.blocks.find(({ type }) => type === 'input')?.block_id;
    if (failure === 'not installed' || input === undefined)
      return args.ack({
        response_action: 'update',
        view: renderCardModal(messages.chat.modals.sorry, card, messages),
      });
    return args.ack({
      response_action: 'errors',
      errors: { [input]: card.lines.map(toPlainText).join(' ') },
    });
  }
  if ('ack' in args && typeof args.ack === 'function') await (args.ack as () => Promise<void>)();
  const { response_url: responseUrl } = args.body as { response_url?: string };
  if (responseUrl !== undefined) await replies.respondAt(responseUrl, card);
}
