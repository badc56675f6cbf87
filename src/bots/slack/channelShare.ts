import type { BlockAction } from '@slack/bolt';
import { addressWorkspace, type ChatCaller } from '../../domain/index.ts';
import type { Card } from '../card.ts';
import type { Commands } from '../commands.ts';
import { cardsOf } from '../language.ts';
import { outcomeOf } from '../outcome.ts';
import { addressOf } from './caller.ts';
import type { SlackReplies } from './replies.ts';

type Dependencies = {
  commands: Pick<Commands, 'shareInChannel'>;
  replies: SlackReplies;
  onError: (error: unknown) => void;
};

/** The address of the channel of a message. */
export const channelOf = ({ chatUser }: ChatCaller, { channel }: BlockAction): string | undefined =>
  channel && addressOf(addressWorkspace(chatUser), channel.id);

/** Shares pushes where their sender is. */
export function createChannelShare({ commands, replies, onError }: Dependencies) {
  /** Posts a card for everybody in the channel of a message. Returns a card for the sender alone if that did not work. */
  return async function shareInChannel(
    caller: ChatCaller,
    pushId: string,
    body: BlockAction,
  ): Promise<Card | undefined> {
    const { response_url: responseUrl } = body;
    const channel = channelOf(caller, body);
    const { notInChannel } = cardsOf(caller);
    if (channel === undefined || responseUrl === undefined) return notInChannel;
    const outcome = await outcomeOf(caller, commands.shareInChannel(caller, pushId, channel), onError);
    if (outcome === undefined || outcome.hasFailed) return outcome?.card;
    const isPosted = await replies.respondAt(responseUrl, outcome.card, { isPublic: true });
    return isPosted ? undefined : notInChannel;
  };
}
