import type { AllMiddlewareArgs, AnyMiddlewareArgs } from '@slack/bolt';
import { plain } from '../card.ts';
import * as words from '../messages.ts';
import type { Obstacle } from './authorization.ts';
import { drawCard } from './dialogs.ts';
import { draw, quiet } from './render.ts';
import type { Conversation } from './replies.ts';

/** Tells somebody whose workspace we cannot act in why nothing happens, in private; lets everybody else pass. */
export async function tellObstacle(
  args: AllMiddlewareArgs & AnyMiddlewareArgs,
  { reply }: Conversation,
): Promise<void> {
  const { context, next } = args;
  const obstacle = context.obstacle as Obstacle | undefined;
  if (obstacle === undefined) return next();
  const card = obstacle === 'not installed' ? words.notInstalled : words.tryAgain;
  if ('command' in args) return args.ack({ ...draw(card), ...quiet, response_type: 'ephemeral' });
  if ('view' in args && args.body.type === 'view_submission') {
    const input = args.body.view.blocks.find(({ type }) => type === 'input')?.block_id;
    if (obstacle === 'not installed' || input === undefined)
      return args.ack({ response_action: 'update', view: drawCard('Sorry', card) });
    return args.ack({ response_action: 'errors', errors: { [input]: card.lines.map(plain).join(' ') } });
  }
  if ('ack' in args && typeof args.ack === 'function') await (args.ack as () => Promise<void>)();
  const { response_url: replyTo } = args.body as { response_url?: string };
  if (replyTo !== undefined) await reply(replyTo, card);
}
