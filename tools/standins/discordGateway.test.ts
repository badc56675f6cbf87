import { constants, createInflate, inflateSync } from 'node:zlib';
import { expect } from 'chai';
import { Client, Events, type Interaction } from 'discord.js';
import WebSocket from 'ws';
import { type Discord, startDiscord } from './discord/discord.ts';
import { ephemeral, failure, register, startBot } from './discordBot.ts';

type Fields = Record<string, unknown>;

describe('The Discord stand-in over the gateway', () => {
  let discord: Discord;
  const stops: (() => unknown)[] = [];

  beforeEach(async () => {
    discord = await startDiscord({ ackLimitMs: 100_000 });
  });

  afterEach(async () => {
    await Promise.all(stops.splice(0).map((stop) => stop()));
    await discord.stop();
    discord.verify();
  });

  async function bot(listen: (interaction: Interaction) => unknown = () => {}) {
    const started = await startBot(discord, listen);
    stops.push(started.stop);
    return started;
  }

  const hello = async (interaction: Interaction) => {
    if (interaction.isChatInputCommand()) await interaction.reply({ content: 'Hello', flags: ephemeral });
  };

  /** Connects with a plain WebSocket, to send what discord.js would not. */
  async function connect(query = 'v=10&encoding=json', path = '/gateway') {
    const socket = new WebSocket(`${discord.url.replace('http', 'ws')}${path}?${query}`);
    const received: Fields[] = [];
    const packets: Buffer[] = [];
    let code: number | undefined;
    socket.on('message', (data, isBinary) => {
      if (isBinary) packets.push(data as Buffer);
      else received.push(JSON.parse(String(data)));
    });
    socket.on('close', (closedWith) => {
      code = closedWith;
    });
    stops.push(() => socket.terminate());
    await discord.until('HELLO', () => received[0] ?? packets[0] ?? code);
    return {
      received,
      packets,
      sendOp: (op: number, d: unknown = null) => socket.send(JSON.stringify({ op, d })),
      send: (text: string) => socket.send(text),
      disconnect: (closingCode: number) => socket.close(closingCode),
      receive: (what: (one: Fields) => boolean) => discord.until('a message', () => received.find(what)),
      closed: () => discord.until('the end', () => code),
    };
  }

  const identity = (more: Fields = {}) => ({
    token: discord.token,
    intents: 0,
    properties: { os: 'linux', browser: 'x', device: 'x' },
    ...more,
  });
  const isReady = ({ t }: Fields) => t === 'READY';

  it('greets a client, accepts IDENTIFY, and sends the bot and the URL for resuming', async () => {
    const { received, sendOp, receive } = await connect();
    expect(received[0]).to.deep.include({ op: 10, d: { heartbeat_interval: 41_250 } });
    sendOp(2, identity());
    const { d, s } = await receive(isReady);
    expect(s).to.equal(1);
    expect(d).to.deep.include({
      resume_gateway_url: `${discord.url.replace('http', 'ws')}/resume`,
      application: { id: discord.applicationId, flags: 0 },
      guilds: [{ id: discord.server.id, unavailable: true }],
    });
    expect([discord.gateway.live(), discord.gateway.startLimit.remaining]).to.deep.equal([1, 999]);
  });

  it('delivers each command once, including those during a lost connection', async () => {
    const received: string[] = [];
    await bot(async (interaction) => {
      received.push(interaction.id);
      await hello(interaction);
    });
    const alice = discord.user('alice');
    expect((await alice.runs('/push').message()).text).to.equal('Hello');
    discord.gateway.drop();
    await discord.gateway.connected(0);
    expect((await alice.runs('/push').message()).text).to.equal('Hello');
    expect([new Set(received).size, received.length]).to.deep.equal([2, 2]);
    expect([discord.gateway.resumes, discord.gateway.identifies]).to.deep.equal([1, 1]);
  });

  for (const [what, disconnect, identifies] of [
    ['it asked to reconnect', () => discord.gateway.reconnect(), 1],
    ['it closed with a temporary error', () => discord.gateway.close(4000), 1],
    ['it invalidated a session that can be resumed', () => discord.gateway.invalidate(true), 1],
    ['it invalidated the session for good', () => discord.gateway.invalidate(false), 2],
    ['it closed normally', () => discord.gateway.close(1000), 2],
    ['it rejected the sequence', () => discord.gateway.close(4007), 2],
  ] as const) {
    it(`makes a client reconnect after ${what}`, async () => {
      await bot(hello);
      disconnect();
      await discord.until('it again', () =>
        discord.gateway.live() === 1 && discord.gateway.resumes + discord.gateway.identifies > 1
          ? 1
          : undefined,
      );
      expect(discord.gateway.identifies).to.equal(identifies);
      expect((await discord.user('alice').runs('/push').message()).text).to.equal('Hello');
    });
  }

  it('forgets a session after a while, and the app starts another', async () => {
    await bot(hello);
    discord.gateway.drop();
    await discord.gateway.connected(0);
    discord.passes(181_000);
    await discord.gateway.connected(1);
    expect([discord.gateway.resumes, discord.gateway.identifies]).to.deep.equal([0, 2]);
    expect((await discord.user('alice').runs('/push').message()).text).to.equal('Hello');
  });

  it('makes a client reconnect when heartbeats are not acknowledged', async () => {
    discord.settings.heartbeatMs = 150;
    await bot(hello);
    await discord.until('heartbeats', () => (discord.gateway.heartbeats() > 1 ? true : undefined));
    discord.gateway.goesDeaf();
    await discord.until('the return', () => (discord.gateway.resumes > 0 ? true : undefined));
    discord.gateway.hears();
    await discord.gateway.connected(1);
  });

  it('gets a heartbeat when it asks for one', async () => {
    await bot();
    const before = discord.gateway.heartbeats();
    discord.gateway.askHeartbeat();
    await discord.until('one', () => (discord.gateway.heartbeats() > before ? true : undefined));
  });

  it('makes a client retry while connections fail', async () => {
    const { errors } = await bot(hello);
    discord.gateway.refuses(2);
    discord.gateway.drop();
    await discord.gateway.connected(0);
    await discord.gateway.connected(1);
    expect((await discord.user('alice').runs('/push').message()).text).to.equal('Hello');
    expect(errors.map((error) => error.message)).to.deep.equal(
      Array(2).fill('Unexpected server response: 503'),
    );
  });

  it('refuses a wrong token, in the HTTP API first and in the gateway with 4004', async () => {
    const client = new Client({ intents: [], rest: { api: discord.apiUrl } });
    const error = await failure(client.login('tulip'));
    expect(error.code).to.equal('TokenInvalid');
    const { sendOp, closed } = await connect();
    sendOp(2, identity({ token: 'tulip' }));
    expect(await closed()).to.equal(4004);
    expect(discord.takeComplaints()).to.deep.equal([
      'get_bot_gateway came with a token that is not the app’s',
      'IDENTIFY came with a token that is not the app’s',
    ]);
  });

  it('ends a client’s sessions when its token is reset, and the client does not return', async () => {
    const { client } = await bot();
    const codes: number[] = [];
    client.on(Events.ShardDisconnect, ({ code }) => codes.push(code));
    const before = discord.token;
    discord.resetsToken();
    await discord.until('the end', () => codes[0]);
    expect([codes, discord.gateway.live()]).to.deep.equal([[4004], 0]);
    const { sendOp, closed } = await connect();
    sendOp(2, identity({ token: before }));
    expect(await closed()).to.equal(4004);
  });

  it('shows users an error at once when no app is connected', async () => {
    await register(discord);
    const { error } = await discord.user('alice').runs('/push');
    expect(error).to.equal('The application did not respond');
    expect(discord.takeComplaints()).to.have.length(1);
  });

  it('sends interactions to every session, so that two apps would both respond', async () => {
    const responders: string[] = [];
    const both = ['one', 'other'].map((name) => async (interaction: Interaction) => {
      responders.push(name);
      if (interaction.isChatInputCommand())
        await interaction.reply({ content: name, flags: ephemeral }).catch(() => {});
    });
    await bot(both[0]);
    const second = new Client({ intents: [], rest: { api: discord.apiUrl } });
    second.on(Events.InteractionCreate, async (interaction) => both[1]?.(interaction));
    await second.login(discord.token);
    stops.push(() => second.destroy());
    await discord.user('alice').runs('/push').message();
    await discord.until('both', () => (responders.length === 2 ? true : undefined));
    await discord.until('the refusal', () => discord.calls('create_interaction_response')[1]?.status);
    expect(discord.gateway.most).to.equal(2);
    expect(discord.takeComplaints()).to.have.length(1);
  });

  it('sends any event to the shard that it is for', async () => {
    const shards = await Promise.all([0, 1].map(() => connect()));
    shards.forEach(({ sendOp }, shard) => void sendOp(2, identity({ shard: [shard, 2], intents: 1 })));
    await Promise.all(shards.map(({ receive }) => receive(isReady)));
    const mine = Number((BigInt(discord.server.id) >> 22n) % 2n);
    expect(discord.emits('GUILD_DELETE', { id: discord.server.id }, { guild: discord.server })).to.equal(1);
    await shards[mine]?.receive(({ t }) => t === 'GUILD_DELETE');
    expect(discord.emits('TULIP', {})).to.equal(1);
    await shards[0]?.receive(({ t }) => t === 'TULIP');
  });

  it('tells of servers only those who asked for it', async () => {
    const { sendOp, receive } = await connect();
    sendOp(2, identity());
    await receive(isReady);
    expect(discord.emits('GUILD_DELETE', { id: discord.server.id }, { guild: discord.server })).to.equal(0);
  });

  it('limits how often sessions can start, in an interval and in a day', async () => {
    discord.settings.identifyEveryMs = 60_000;
    const [first, second] = [await connect(), await connect()];
    first.sendOp(2, identity());
    await first.receive(isReady);
    second.sendOp(2, identity());
    expect(await second.receive(({ op }) => op === 9)).to.include({ d: false });
    discord.settings.identifyEveryMs = 0;
    Object.assign(discord.gateway.startLimit, { remaining: 0 });
    const client = new Client({ intents: [], rest: { api: discord.apiUrl } });
    expect((await failure(client.login(discord.token))).message).to.match(/Not enough sessions remaining/);
    const before = discord.token;
    second.sendOp(2, identity());
    expect([await first.closed(), await second.closed()]).to.deep.equal([4004, 4004]);
    expect(discord.token).to.not.equal(before);
    expect(discord.takeComplaints()).to.have.length(1);
  });

  it('replays missed events in order, and refuses an unknown session or sequence', async () => {
    const { sendOp, receive, received } = await connect();
    sendOp(2, identity());
    const { session_id } = (await receive(isReady)).d as Fields;
    for (const name of ['ONE', 'TWO']) discord.emits(name, {});
    await receive(({ t }) => t === 'TWO');
    expect(received.map(({ s }) => s)).to.deep.equal([null, 1, 2, 3]);
    discord.gateway.drop();
    await discord.gateway.connected(0);
    discord.emits('THREE', {});
    const again = await connect('v=10&encoding=json', '/resume');
    again.sendOp(6, { token: discord.token, session_id, seq: 2 });
    await again.receive(({ t }) => t === 'RESUMED');
    expect(again.received.map(({ t, s }) => [t, s])).to.deep.equal([
      [null, null],
      ['TWO', 3],
      ['THREE', 4],
      ['RESUMED', 5],
    ]);
    const wrongSession = await connect('v=10&encoding=json', '/resume');
    wrongSession.sendOp(6, { token: discord.token, session_id: 'tulip', seq: 2 });
    expect(await wrongSession.receive(({ op }) => op === 9)).to.include({ d: false });
    wrongSession.sendOp(6, { token: discord.token, session_id, seq: 9 });
    expect(await wrongSession.closed()).to.equal(4007);
    expect(discord.takeComplaints()).to.deep.equal(['the gateway was sent a wrong sequence: 4007']);
    again.disconnect(1000);
    await discord.gateway.connected(0);
    const late = await connect('v=10&encoding=json', '/resume');
    late.sendOp(6, { token: discord.token, session_id, seq: 5 });
    expect(await late.receive(({ op }) => op === 9)).to.include({ d: false });
  });

  it('does not resume a session that it has invalidated', async () => {
    const { sendOp, receive, received } = await connect();
    sendOp(2, identity());
    const { session_id } = (await receive(isReady)).d as Fields;
    discord.gateway.invalidate(false);
    sendOp(6, { token: discord.token, session_id, seq: 1 });
    const refusals = () => received.filter(({ op }) => op === 9);
    await discord.until('the second refusal', () => refusals()[1]);
    expect([refusals()[1]?.d, discord.gateway.live()]).to.deep.equal([false, 0]);
  });

  it('complains about a session that is resumed at the wrong URL', async () => {
    const { sendOp, receive } = await connect();
    sendOp(2, identity());
    const { session_id } = (await receive(isReady)).d as Fields;
    const other = await connect();
    other.sendOp(6, { token: discord.token, session_id, seq: 1 });
    await other.receive(({ t }) => t === 'RESUMED');
    expect(discord.takeComplaints()).to.deep.equal(['RESUME: not at the URL for it, resume_gateway_url']);
  });

  type Talk = Awaited<ReturnType<typeof connect>>;
  const bad: [what: string, code: number, talk: (to: Talk) => unknown][] = [
    ['invalid JSON', 4002, ({ send }) => send('tulip')],
    ['more than 4,096 characters', 4002, ({ sendOp }) => sendOp(3, 'x'.repeat(4096))],
    ['an unknown opcode', 4001, ({ sendOp }) => sendOp(99)],
    ['a message before IDENTIFY', 4003, ({ sendOp }) => sendOp(3, {})],
    ['a heartbeat with text', 4002, ({ sendOp }) => sendOp(1, 'tulip')],
    ['no intents', 4013, ({ sendOp }) => sendOp(2, identity({ intents: undefined }))],
    ['intents that the app may not use', 4014, ({ sendOp }) => sendOp(2, identity({ intents: 1 << 15 }))],
    ['no properties', 4002, ({ sendOp }) => sendOp(2, identity({ properties: undefined }))],
    ['a shard that does not exist', 4010, ({ sendOp }) => sendOp(2, identity({ shard: [2, 2] }))],
    [
      'a second IDENTIFY',
      4005,
      ({ sendOp }) => {
        sendOp(2, identity());
        sendOp(2, identity());
      },
    ],
    [
      'more than 120 messages in a minute',
      4008,
      ({ sendOp }) => {
        for (let count = 0; count < 121; count += 1) sendOp(1, null);
      },
    ],
  ];
  for (const [what, code, talk] of bad) {
    it(`closes a connection that sends ${what}`, async () => {
      const connection = await connect();
      talk(connection);
      expect(await connection.closed()).to.equal(code);
      expect(discord.takeComplaints().join()).to.match(new RegExp(`^the gateway was sent .*: ${code}$`));
    });
  }

  for (const query of ['v=9&encoding=json', 'v=10&encoding=etf', 'v=10&encoding=json&compress=zstd-stream']) {
    it(`closes a connection with ${query}`, async () => {
      expect(await (await connect(query)).closed()).to.equal(4012);
      expect(discord.takeComplaints()).to.have.length(1);
    });
  }

  it('compresses a connection as one stream if the URL asks for it', async () => {
    const { packets, sendOp } = await connect('v=10&encoding=json&compress=zlib-stream');
    sendOp(2, identity());
    await discord.until('READY', () => packets[1]);
    discord.emits('LONG', { text: 'x'.repeat(100_000) });
    await discord.until('LONG', () => packets[2]);
    const stream = createInflate({ finishFlush: constants.Z_SYNC_FLUSH });
    const unpacked: string[] = [];
    stream.on('data', (chunk) => unpacked.push(String(chunk)));
    for (const packet of packets) {
      expect(packet.subarray(-4).toString('hex')).to.equal('0000ffff');
      stream.write(packet);
    }
    await discord.until('all', () => (unpacked.join('').length > 100_000 ? true : undefined));
    expect(unpacked.join('')).to.match(/^\{"op":10.*"t":"READY".*"t":"LONG"/);
  });

  it('compresses each message by itself if IDENTIFY asks for it', async () => {
    const { packets, sendOp } = await connect();
    sendOp(2, identity({ compress: true }));
    const ready = await discord.until('READY', () => packets[0]);
    expect(JSON.parse(String(inflateSync(ready)))).to.include({ t: 'READY' });
  });

  it('finds a secret in what was sent over a connection', async () => {
    const { sendOp, receive } = await connect();
    sendOp(2, identity({ presence: { activities: [{ name: 'tulip' }] } }));
    await receive(isReady);
    expect(() => discord.verify({ secrets: ['tulip'] })).to.throw('a message to the gateway with opcode 2');
  });
});
