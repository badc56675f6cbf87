import { expect } from 'chai';
import { type APIInteractionResponse, MessageFlags } from 'discord.js';
import type { Card } from '../../../src/bots/card.ts';
import { createDiscordReplies } from '../../../src/bots/discord/replies.ts';
import type { DiscordRest } from '../../../src/bots/discord/restClient.ts';
import type { Outcome } from '../../../src/bots/outcome.ts';

const secret = 'https://push.test/p/tulip';
const card = (text: string): Card => ({ summary: [text], lines: [[text]] });
const succeeded = { card: card(secret), hasFailed: false } as NonNullable<Outcome>;
const failed = { card: card(secret), hasFailed: true } as NonNullable<Outcome>;
const interaction = { id: '1', token: 'x', message: {} as never };

describe('An answer to an interaction in Discord', () => {
  /** What was sent after the first response: whether the user alone sees it, and what it says. */
  let followUps: { isPrivate: boolean; text: string }[];
  let replies: ReturnType<typeof createDiscordReplies>;

  beforeEach(() => {
    followUps = [];
    const record = async (_interaction: unknown, message: { flags?: number }) => {
      followUps.push({ isPrivate: isPrivate(message), text: JSON.stringify(message) });
    };
    const rest = { followUp: record, editOriginal: async () => {} } as unknown as DiscordRest;
    replies = createDiscordReplies({ rest, onError() {} });
  });

  const isPrivate = ({ flags = 0 }: { flags?: number }) => (flags & MessageFlags.Ephemeral) !== 0;
  const dataOf = (response: APIInteractionResponse) =>
    'data' in response ? (response.data as { flags?: number }) : {};

  /** An outcome that comes after Discord must have a response. */
  function late(outcome: Outcome) {
    let settle = () => {};
    const promise = new Promise<Outcome>((resolve) => {
      settle = () => resolve(outcome);
    });
    return { promise, settle: () => settle() };
  }

  it('is for the user alone, whether it comes soon or late', async () => {
    const soon = await replies.respond(interaction, Promise.resolve(succeeded));
    expect(isPrivate(dataOf(soon.initial))).to.equal(true);
    const { promise, settle } = late(succeeded);
    const deferred = await replies.respond(interaction, promise);
    expect(isPrivate(dataOf(deferred.initial))).to.equal(true);
    settle();
    await deferred.followUp?.();
  });

  it('that replaces a message leaves it, and is for the user alone, when it fails late', async () => {
    const { promise, settle } = late(failed);
    const deferred = await replies.respond(interaction, promise, 'instead');
    settle();
    await deferred.followUp?.();
    expect(followUps.map((each) => each.isPrivate)).to.eql([true]);
  });

  it('for a channel is for the user alone when it is a refusal', async () => {
    const { initial } = await replies.respond(interaction, Promise.resolve(failed), 'publicly');
    expect(isPrivate(dataOf(initial))).to.equal(true);
  });

  it('for a channel that comes late is confirmed to the user alone, and then shown to all', async () => {
    const { promise, settle } = late(succeeded);
    const deferred = await replies.respond(interaction, promise, 'publicly');
    expect(isPrivate(dataOf(deferred.initial))).to.equal(true);
    settle();
    await deferred.followUp?.();
    expect(followUps.map((each) => each.isPrivate)).to.eql([false]);
    expect(followUps[0]?.text).to.include('tulip');
  });
});
