import type { Fields } from '../shared/json.ts';
import { createActions } from './acts.ts';
import { createDelivery } from './delivery.ts';
import type { Fault } from './faults.ts';
import { createGateway } from './gateway/gateway.ts';
import { createSeenMessage } from './messages.ts';
import { createModal } from './modals.ts';
import { createPerson, type Person } from './people.ts';
import { createPlatform, type Settings } from './platform.ts';
import type { Checks } from './recordings.ts';
import { describe } from './responses.ts';
import { routes } from './rest/index.ts';
import { prepare } from './schema/openApi.ts';
import { startServer } from './server.ts';
import type { Manner } from './signing.ts';
import type { Stage } from './stage.ts';
import type { Guild, Place, User } from './things.ts';

export type Discord = Awaited<ReturnType<typeof startDiscord>>;

/**
 * Starts a Discord on 127.0.0.1 that the real discord.js cannot tell from the real one. It has one server, where the one
 * app with its bot is installed. Everything that the app sends is recorded and validated.
 *
 *     const discord = await startDiscord();
 *     const client = new Client({ intents: [], rest: { api: discord.apiUrl } });
 *     await client.login(discord.token);
 *     discord.deliversTo('http://127.0.0.1:3000/discord/interactions');  // without it: over the gateway
 *
 *     const alice = discord.user('alice');
 *     const modal = await alice.runs('/push', { recipient: bob, views: 3 }).modal();   // awaits what the app shows
 *     const answer = await modal.fill({ Secret: 'tulip' }).submit().message();
 *     const { ms } = await alice.runs('/pushes list');                 // awaits the first response alone
 *     await answer.press('Burn now').edited();
 *     await bob.dms.last().becomes(/expired/);
 *     await alice.types('/pushes expire', { push: 'gr' }).choices();
 *     await alice.opens(bob.says('look')).menu('Push securely').modal();
 *     await alice.opens(bob).menu('Send a secret').modal();
 *     await alice.runs('/push', {}, { in: alice.botDm });              // or in discord.group('us', [alice, bob])
 *     alice.addsApp();                                                 // to their account, as well as in the server
 *     bob.closesDms();                                                 // 50007; or 50278
 *
 *     await act.again();                                 // delivers the same interaction again
 *     discord.disturb('create_message', 'dropped after');  // the next such call is done, and its response lost
 *     discord.passes(16 * 60_000);                       // interactions, files and sessions age
 *     discord.gateway.drop();                            // and reconnect(), close(4000), invalidate(false), …
 *     discord.verify({ secrets: ['tulip'], logs, quiet: true, complete: true });   // in afterEach: throws with all complaints
 *     await discord.stop();
 *
 * Operations have the names of Discord's OpenAPI document. Refusals that the app could not foresee (closed direct messages,
 * a reset token, a rate limit) are no fault of the app. Complaints are about requests that Discord does not know or refuses
 * as wrong, bodies that violate its OpenAPI document or a rule beyond it, and responses that are late, missing, repeated or
 * of a wrong type. A test that provokes complaints takes them with `takeComplaints`.
 */
export async function startDiscord(settings: Partial<Settings> = {}) {
  const platform = createPlatform(settings);
  const { world, clock, recordings, faults, startLimit } = platform;
  prepare(Object.keys(routes), { responses: platform.settings.validatesOwnResponses });
  const web = await startServer(platform);
  const gateway = createGateway(platform, web.server);
  const { deliver, ping } = createDelivery(platform, gateway);
  const stage: Stage = {
    platform,
    act: (doing) => acts.act(doing),
    noAct: (user) => acts.noAct(user),
    seen: (message, by) => createSeenMessage(stage, message, by),
    modal: (view) => createModal(stage, view),
  };
  const acts = createActions(stage, deliver);
  const people = new Map<User, Person>();
  const mainGuild = guild('Acme');

  type Joining = Partial<Pick<User, 'displayName' | 'locale'>> & { guilds?: Guild[] };

  /** The person of this name, created at the first call; joins the main server unless others are given. */
  function user(name: string, { guilds = [mainGuild], ...more }: Joining = {}): Person {
    const known = world.users.find((one) => one.name === name && !one.isBot);
    const one = known ?? world.addUser(name, more);
    if (!known) for (const { members } of guilds) members.add(one);
    const person = people.get(one) ?? createPerson(stage, one);
    people.set(one, person);
    return person;
  }

  /** The server of this name, created at the first call with a channel general and, by default, the app. */
  function guild(name: string, { hasApp = true, members = [] as Person[] } = {}): Guild {
    const known = world.guilds.find((one) => one.name === name);
    const found = known ?? world.addGuild(name, hasApp);
    if (!known) world.addPlace('guild', 'general', new Set(), found);
    for (const one of members) found.members.add(one.user);
    return found;
  }

  /** The channel of this name in a server. */
  function channel(name: string, { guild: where = mainGuild } = {}): Place {
    const known = world.places.find((one) => one.guild === where && one.name === name);
    return known ?? world.addPlace('guild', name, new Set(), where);
  }

  const incomplete = () =>
    [...world.interactions.values()]
      .filter(({ original }) => original?.isLoading && !original.deleted)
      .map((one) => `${describe(one)} was deferred, and never answered`);

  return {
    url: platform.at.url,
    /** For `rest: { api }`. */
    apiUrl: `${platform.at.url}/api`,
    settings: platform.settings,
    app: world.app,
    get token(): string {
      return world.app.token;
    },
    applicationId: world.app.id,
    publicKey: world.app.publicKey,
    server: mainGuild,
    user,
    guild,
    channel,
    /** Direct messages of several people, where the bot is not. */
    group: (name: string, members: Person[]): Place =>
      world.addPlace('group', name, new Set(members.map((one) => one.user))),
    /** Direct messages of two people. */
    dm: (one: Person, other: Person): Place => world.dmOf(one.user, other.user),
    /** Delivers to this URL from now on, or again over the gateway. */
    deliversTo(url: string | undefined): void {
      world.app.interactionsUrl = url;
    },
    /** Asks the app for a PONG, as when its URL is set up. */
    pings: (manner: Manner = {}) => ping(manner),
    /** Gives the bot a new token: the one before ends its sessions, and is refused. */
    resetsToken(): string {
      world.resetToken();
      gateway.endAll(4004);
      return world.app.token;
    },
    /** Sends an event over the gateway; nothing but interactions comes by itself. */
    emits: (event: string, data: Fields, { guild: where }: { guild?: Guild } = {}) =>
      gateway.dispatch(event, data, where?.id),
    gateway: {
      live: gateway.live,
      connected: gateway.connected,
      heartbeats: gateway.heartbeats,
      drop: gateway.drop,
      close: gateway.close,
      reconnect: gateway.reconnect,
      askHeartbeat: gateway.askHeartbeat,
      invalidate: gateway.invalidate,
      forget: gateway.forget,
      /** How many sessions may be started yet. */
      startLimit,
      /** How often sessions were started and resumed, and how many had a connection at the same time at most. */
      get identifies(): number {
        return gateway.stats.identifies;
      },
      get resumes(): number {
        return gateway.stats.resumes;
      },
      get most(): number {
        return gateway.stats.most;
      },
      /** Lets so many connections fail. */
      refuses: (refusals: number) => void Object.assign(gateway.stats, { refusals }),
      /** Hears heartbeats no more, as if the connection were dead. */
      goesDeaf: () => void Object.assign(gateway.stats, { isDeaf: true }),
      hears: () => void Object.assign(gateway.stats, { isDeaf: false }),
    },
    /** Lets the next calls of an operation or of anything (`*`) meet a fault. */
    disturb: (operation: string, fault: Fault, more: { times?: number } = {}) =>
      faults.add(operation, fault, more),
    calm: faults.clear,
    /** Lets no more than so many calls of an operation through in such a time, for each channel or token. */
    limit: web.limits.set,
    /** Moves Discord's clock, but not those that requests are signed by and rate limits run by. */
    passes: clock.moveAhead,
    /** The calls so far, of one operation or of all. */
    calls: (operation?: string) =>
      recordings.calls.filter((call) => operation === undefined || call.operation === operation),
    /** Waits until something is so. */
    until: <T>(what: string, find: () => T | undefined) =>
      clock.until(what, find, platform.settings.patienceMs),
    complaints: recordings.complaints,
    takeComplaints: recordings.takeComplaints,
    verify: (checks: Checks = {}) => recordings.verify(checks, incomplete()),
    async stop(): Promise<void> {
      await gateway.stop();
      await web.close();
    },
  };
}
