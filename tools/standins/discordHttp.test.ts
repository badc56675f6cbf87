import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import {
  type APIInteraction,
  type APIInteractionResponse,
  type APIMessageComponentInteraction,
  InteractionResponseType,
  InteractionType,
  type REST,
  Routes,
} from 'discord.js';
import { type Discord, startDiscord } from './discord/discord.ts';
import {
  button,
  ephemeral,
  failure,
  pushModal,
  register,
  row,
  startHttpBot,
  startRaw,
} from './discordBot.ts';

describe('The Discord stand-in over HTTP', () => {
  let discord: Discord;
  const stops: (() => unknown)[] = [];

  beforeEach(async () => {
    discord = await startDiscord({ ackLimitMs: 100_000, validatesOwnResponses: true });
  });

  afterEach(async () => {
    await Promise.all(stops.splice(0).map((stop) => stop()));
    await discord.stop();
    discord.verify();
  });

  type Take = (interaction: APIInteraction, rest: REST) => Promise<APIInteractionResponse | undefined>;

  async function bot(take: Take): Promise<REST> {
    const started = await startHttpBot(discord, take);
    stops.push(started.stop);
    return started.rest;
  }

  const message = (content: string, more: object = {}): APIInteractionResponse => ({
    type: InteractionResponseType.ChannelMessageWithSource,
    data: { content, flags: ephemeral, ...more },
  });
  const isButton = (one: APIInteraction): one is APIMessageComponentInteraction =>
    one.type === InteractionType.MessageComponent;

  it('delivers commands, modals, buttons, menus and autocompletion, with the response in the reply', async () => {
    await bot(async (interaction) => {
      if (interaction.type === InteractionType.ApplicationCommand)
        return { type: InteractionResponseType.Modal, data: pushModal.toJSON() };
      if (interaction.type === InteractionType.ApplicationCommandAutocomplete)
        return {
          type: InteractionResponseType.ApplicationCommandAutocompleteResult,
          data: { choices: [{ name: 'Green', value: 'g' }] },
        };
      if (isButton(interaction))
        return { type: InteractionResponseType.UpdateMessage, data: { content: 'Burned', components: [] } };
      return message('Made', { components: [row(button('Burn now', 'burn')).toJSON()] });
    });
    const alice = discord.user('alice');
    const modal = await alice.runs('/push').modal();
    const answer = await modal.fill({ Secret: 'tulip' }).submit().message();
    expect([answer.text, answer.isPrivate]).to.deep.equal(['Made', true]);
    await answer.press('Burn now').edited();
    expect([answer.text, answer.buttons]).to.deep.equal(['Burned', []]);
    const offered = await alice.types('/pushes expire', { push: 'g' }).choices();
    expect(offered).to.deep.equal([{ name: 'Green', value: 'g' }]);
    expect((await alice.opens(discord.user('bob')).menu('Send a secret').modal()).title).to.equal('New push');
    expect(discord.calls('create_interaction_response')).to.deep.equal([]);
    discord.verify({ secrets: ['tulip'] });
    await alice.runs('/push');
    expect(() => discord.verify({ secrets: ['New push'] })).to.throw('the answer to an interaction');
  });

  it('lets the app respond by a call, with 202 and an empty reply', async () => {
    await bot(async ({ id, token, application_id }, rest) => {
      const callback = Routes.interactionCallback(id, token);
      await rest.post(callback, { body: { type: 5, data: { flags: ephemeral } }, auth: false });
      const original = Routes.webhookMessage(application_id, token);
      await rest.patch(original, { body: { content: 'Done' }, auth: false });
      await rest.post(Routes.webhook(application_id, token), {
        body: { content: 'More', flags: ephemeral },
        auth: false,
      });
      return undefined;
    });
    const alice = discord.user('alice');
    const ack = await alice.runs('/push');
    expect(ack).to.deep.include({ status: 202, response: 'DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE' });
    await discord.until('both', () => (alice.whispers.count === 2 ? true : undefined));
    expect(alice.whispers.all().map(({ text }) => text)).to.deep.equal(['Done', 'More']);
  });

  it('waits for the call after 202', async () => {
    await bot(async ({ id, token }, rest) => {
      const call = () =>
        rest.post(Routes.interactionCallback(id, token), { body: message('Done'), auth: false });
      stops.push(() => called);
      const called = sleep(60).then(call);
      return undefined;
    });
    const alice = discord.user('alice');
    const act = alice.runs('/push');
    expect((await act.message()).text).to.equal('Done');
    expect(await act).to.deep.include({ status: 202, response: 'CHANNEL_MESSAGE_WITH_SOURCE' });
  });

  it('accepts one response, not a call and then a reply', async () => {
    await bot(async ({ id, token }, rest) => {
      await rest.post(Routes.interactionCallback(id, token), { body: message('One'), auth: false });
      return message('Two');
    });
    const alice = discord.user('alice');
    expect((await alice.runs('/push')).response).to.equal('CHANNEL_MESSAGE_WITH_SOURCE');
    expect(alice.whispers.all().map(({ text }) => text)).to.deep.equal(['One']);
    expect(discord.takeComplaints()).to.deep.equal([
      'the answer to the command /push: it was answered before',
    ]);
  });

  it('is refused by a bot when the signature is wrong, malformed, absent, for another body, too old or in the future', async () => {
    let count = 0;
    await bot(async () => {
      count += 1;
      return message('Made');
    });
    const alice = discord.user('alice');
    for (const manner of [
      { forged: 'wrong' },
      { forged: 'malformed' },
      { forged: 'absent' },
      { tampered: true },
      { skewSeconds: -301 },
      { skewSeconds: 302 },
    ] as const) {
      expect((await alice.runs('/push', {}, { manner })).status, JSON.stringify(manner)).to.equal(401);
      expect((await discord.pings(manner)).status, JSON.stringify(manner)).to.equal(401);
    }
    expect((await discord.pings()).response).to.equal('PONG');
    expect([count, alice.whispers.count]).to.deep.equal([0, 0]);
    expect((await alice.runs('/push', {}, { manner: { skewSeconds: -280 } })).status).to.equal(200);
  });

  it('ignores the response to a forged interaction, and does not know that interaction', async () => {
    let forged: APIInteraction | undefined;
    const open = await startRaw((res, bytes) => {
      forged = JSON.parse(bytes.toString());
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(message('Made')));
    });
    stops.push(open.stop);
    const rest = await bot(async () => undefined);
    discord.deliversTo(open.url);
    const alice = discord.user('alice');
    const ack = await alice.runs('/push', {}, { manner: { forged: 'wrong' } });
    expect(ack).to.deep.include({ status: 200, response: undefined, body: message('Made') });
    expect(alice.whispers.count).to.equal(0);
    const { id = '', token = '' } = forged ?? {};
    const callback = rest.post(Routes.interactionCallback(id, token), { body: message('x'), auth: false });
    expect((await failure(callback)).code).to.equal(10062);
    expect(discord.takeComplaints()).to.have.length(1);
  });

  it('can replay an interaction, which a bot cannot tell from a new one', async () => {
    const ids: string[] = [];
    await bot(async ({ id }) => {
      ids.push(id);
      return message('Made');
    });
    const alice = discord.user('alice');
    const act = alice.runs('/push');
    await act;
    expect((await act.again()).status).to.equal(200);
    expect([ids.length, new Set(ids).size, alice.whispers.count]).to.deep.equal([2, 1, 1]);
  });

  for (const [what, answer, complaint] of [
    ['a status of 500', { status: 500, body: 'oops' }, /was not answered within 100000 ms \(HTTP 500\)/],
    ['no response in time', undefined, /was not answered within 200 ms \(HTTP none\)/],
    ['invalid JSON', { status: 200, body: '{tulip' }, /type: must be one of 4, 5, 9, not NaN/],
    [
      'a response of the wrong type',
      { status: 200, body: '{"type":6}' },
      /type: must be one of 4, 5, 9, not 6/,
    ],
    ['an invalid response', { status: 200, body: '{"type":4,"data":{}}' }, /an empty message/],
    ['202 with a body', { status: 202, body: 'x' }, /was not answered within 100000 ms \(HTTP 202\)/],
  ] as const) {
    it(`shows users an error after ${what}`, async () => {
      await register(discord);
      const raw = await startRaw((res) => {
        if (answer) res.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
      });
      stops.push(raw.stop);
      if (answer === undefined) discord.settings.ackLimitMs = 200;
      discord.deliversTo(raw.url);
      const act = discord.user('alice').runs('/push');
      expect((await act).error).to.equal('The application did not respond');
      expect((await failure(act.message())).message).to.match(/Discord showed/);
      const [first, ...rest] = discord.takeComplaints();
      expect(first).to.match(complaint);
      expect(rest).to.deep.equal([]);
    });
  }

  it('shows users an error when the app is unreachable, and can return to the gateway', async () => {
    await register(discord);
    const alice = discord.user('alice');
    discord.deliversTo('http://127.0.0.1:1/');
    expect((await alice.runs('/push')).status).to.equal(undefined);
    discord.deliversTo(undefined);
    expect((await alice.runs('/push')).error).to.equal('The application did not respond');
    expect(discord.takeComplaints()).to.have.length(2);
  });

  it('sends the message that the component was used in', async () => {
    const seen: unknown[] = [];
    await bot(async (interaction) => {
      if (!isButton(interaction))
        return message('Made', { components: [row(button('Burn now', 'burn')).toJSON()] });
      const { message: source, user, data, guild_id, context } = interaction;
      seen.push(
        source.content,
        source.author.id,
        source.flags,
        user?.username,
        data.custom_id,
        guild_id,
        context,
      );
      return { type: InteractionResponseType.DeferredMessageUpdate };
    });
    const alice = discord.user('alice');
    const answer = await alice.runs('/push', {}, { in: alice.botDm }).message();
    expect((await answer.press('Burn now')).response).to.equal('DEFERRED_UPDATE_MESSAGE');
    expect(seen).to.deep.equal(['Made', discord.applicationId, ephemeral, 'alice', 'burn', undefined, 1]);
  });
});
