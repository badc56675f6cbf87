import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createGateway } from '../../../src/bots/discord/gateway.ts';
import { type Discord, startDiscord } from '../../../tools/standins/discord/discord.ts';

describe('The Discord gateway', () => {
  let discord: Discord;
  let removals: string[];

  beforeEach(async () => {
    discord = await startDiscord();
    removals = [];
  });

  afterEach(() => discord.stop());

  const gatewayOf = ({ token, applicationId, apiUrl }: Discord) =>
    createGateway({
      settings: {
        DISCORD_MODE: 'gateway',
        DISCORD_TOKEN: token,
        DISCORD_APPLICATION_ID: applicationId,
        DISCORD_API_URL: apiUrl,
      },
      onInteraction: () => {},
      onRemoval: (server) => removals.push(server),
      onError: () => {},
    });

  it('is not connected again when listening stops while the library is about to reconnect', async () => {
    const stopping = new AbortController();
    const listening = gatewayOf(discord).listen(stopping.signal);
    await discord.gateway.connected();
    discord.gateway.drop();
    await discord.until('the end of the connection', () => discord.gateway.live() === 0 || undefined);
    stopping.abort();
    await listening;
    await sleep(1_000); // the library waits for half a second
    expect([discord.gateway.live(), discord.gateway.resumes]).to.eql([0, 0]);
  });

  it('tells when the bot is removed from a server, and not of a server with an outage', async () => {
    const stopping = new AbortController();
    const listening = gatewayOf(discord).listen(stopping.signal);
    await discord.gateway.connected();
    const [away, other] = [discord.guild('Away'), discord.guild('Other')];
    discord.emits('GUILD_DELETE', { id: away.id, unavailable: true }, { guild: away });
    discord.emits('GUILD_DELETE', { id: other.id }, { guild: other });
    await discord.until('the removal', () => removals[0]);
    expect(removals).to.eql([other.id]);
    stopping.abort();
    await listening;
  });

  it('is left with an error when Discord refuses the token', async () => {
    const gateway = gatewayOf({ ...discord, token: 'wrong' });
    const error = await gateway.listen(new AbortController().signal).catch((thrown) => thrown);
    expect(error.constructor.name).to.equal('InvalidToken');
    discord.takeComplaints();
  });
});
