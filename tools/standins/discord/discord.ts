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
import { timelineOf } from './timeline.ts';

export type Discord = Awaited<ReturnType<typeof startDiscord>>;

/**
 * Starts a Discord on 127.0.0.1 that discord.js cannot distinguish from the real one. It has one server, where the only
 * app is installed with its bot. Everything that the app sends is recorded and validated.
 *
 *     const discord = await startDiscord();
 *     const client = new Client({ intents: [], rest: { api: discord.apiUrl } });
 *     await client.login(discord.token);
 *     discord.deliversTo('http://127.0.0.1:3000/discord/interactions');  // otherwise over the gateway
 *
 *     const alice = discord.user('alice');
 *     const modal = await alice.runs('/push', { recipient: bob, views: 3 }).modal();   // awaits what the app shows
 *     const answer = await modal.fill({ Secret: 'tulip' }).submit().message();
 *     const { ms } = await alice.runs('/pushes list');                 // awaits only the first response
 *     await answer.press('Burn now').edited();
 *     await bob.dms.last().becomes(/expired/);
 *     await alice.types('/pushes expire', { push: 'gr' }).choices();
 *     await alice.opens(bob.says('look')).menu('Push securely').modal();
 *     await alice.opens(bob).menu('Send a secret').modal();
 *     await alice.runs('/push', {}, { in: alice.botDm });              // or in discord.group('us', [alice, bob])
 *     alice.addsApp();                                                 // to their own account, in addition to the server
 *     bob.closesDms();                                                 // refused with 50007, or 50278
 *
 *     await act.again();                                 // delivers the same interaction again
 *     discord.disturb('create_message', 'dropped after');  // the next such call is processed, but its response is lost
 *     discord.passes(16 * 60_000);                       // moves the clock for interactions, files and sessions
 *     discord.gateway.drop();                            // and reconnect(), close(4000), invalidate(false), …
 *     discord.verify({ secrets: ['tulip'], logs, quiet: true, complete: true });   // in afterEach: throws with all complaints
 *     await discord.stop();
 *
 * Operations have the names of Discord's OpenAPI document. Refusals that the app cannot foresee (closed direct messages,
 * a reset token, a rate limit) are not its fault. Complaints are about requests that Discord does not know or refuses
 * as invalid, bodies that violate its OpenAPI document or other rules, and responses that are late, missing, repeated or
 * of a wrong type. A test that provokes complaints collects them with `takeComplaints`.
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

  type Joining = Partial<Pick<User, 'displayName' | 'locale' | 'role'>> & { guilds?: Guild[] };

  /** The user with this name, created at the first call. Joins the main server unless others are given. */
  function user(name: string, { guilds = [mainGuild], ...more }: Joining = {}): Person {
    const known = world.users.find((one) => one.name === name && !one.isBot);
    const one = known ?? world.addUser(name, more);
    if (!known) for (const { members } of guilds) members.add(one);
    const person = people.get(one) ?? createPerson(stage, one);
    people.set(one, person);
    return person;
  }

  /** The server with this name, created at the first call with a channel `general` and, by default, the app. */
  function guild(name: string, { hasApp = true, members = [] as Person[] } = {}): Guild {
    const known = world.guilds.find((one) => one.name === name);
    const found = known ?? world.addGuild(name, hasApp);
    if (!known) world.addPlace('guild', 'general', new Set(), found);
    for (const one of members) found.members.add(one.user);
    return found;
  }

  /** The channel with this name in a server. */
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
    /** A group conversation without the bot. */
    group: (name: string, members: Person[]): Place =>
      world.addPlace('group', name, new Set(members.map((one) => one.user))),
    /** A direct conversation of two users, without the bot. */
    dm: (one: Person, other: Person): Place => world.dmOf(one.user, other.user),
    /** Delivers to this URL from now on, or over the gateway if it is undefined. */
    deliversTo(url: string | undefined): void {
      world.app.interactionsUrl = url;
    },
    /** Asks the app for a PONG, as Discord does when its URL is set up. */
    pings: (manner: Manner = {}) => ping(manner),
    /** Delivers an interaction of a type that is not documented yet. */
    delivers: (type: number) => ping({}, type),
    /** Gives the bot a new token. The old one is refused, and its sessions end. */
    resetsToken(): string {
      world.resetToken();
      gateway.endAll(4004);
      return world.app.token;
    },
    /** Sends an event over the gateway. Only interactions are sent automatically. */
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
      /** How many sessions can still be started. */
      startLimit,
      /** The number of started and resumed sessions, and the maximum number of simultaneous connections. */
      get identifies(): number {
        return gateway.stats.identifies;
      },
      get resumes(): number {
        return gateway.stats.resumes;
      },
      get most(): number {
        return gateway.stats.most;
      },
      /** Lets the next `refusals` connections fail. */
      refuses: (refusals: number) => void Object.assign(gateway.stats, { refusals }),
      /** Ignores heartbeats, as if the connection were dead. */
      goesDeaf: () => void Object.assign(gateway.stats, { isDeaf: true }),
      hears: () => void Object.assign(gateway.stats, { isDeaf: false }),
    },
    /** Injects a fault into the next calls of an operation, or of any operation (`*`). */
    disturb: (operation: string, fault: Fault, more: { times?: number } = {}) =>
      faults.add(operation, fault, more),
    calm: faults.clear,
    /** Limits the calls of an operation in a period, for each channel or token. */
    limit: web.limits.set,
    /** Moves Discord's clock, but not the clock for signatures and rate limits. */
    passes: clock.moveAhead,
    /** The calls so far, of one operation or of all. */
    calls: (operation?: string) =>
      recordings.calls.filter((call) => operation === undefined || call.operation === operation),
    /** All that the bot said until now, in order, as people read it. */
    timeline: () => timelineOf(platform),
    /** Waits for a value. */
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
