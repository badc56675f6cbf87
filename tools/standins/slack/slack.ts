import type { Fields } from '../shared/json.ts';
import { createActions } from './acts.ts';
import { createDelivery, type DeliveryOptions, type Payload } from './delivery.ts';
import type { Fault } from './faults.ts';
import { newId, newSecret } from './ids.ts';
import { createSeenMessage } from './messages.ts';
import { createModal } from './modals.ts';
import { eventPayload } from './payloads.ts';
import { createPerson, type Person } from './people.ts';
import { createPlatform, type Settings } from './platform.ts';
import { startServer } from './server.ts';
import { createSockets } from './socket.ts';
import type { Stage } from './stage.ts';
import type { App, Conversation, Enterprise, Grant, Team, User } from './things.ts';
import { timelineOf } from './timeline.ts';

/** The scopes of a typical bot. */
const usualScopes = ['commands', 'chat:write', 'im:write', 'users:read'];

export type Slack = Awaited<ReturnType<typeof startSlack>>;

/**
 * Starts a Slack on 127.0.0.1 that @slack/bolt, web-api, oauth and socket-mode cannot distinguish from the real one. It
 * has one workspace and one app. Everything that the app sends is recorded and validated.
 *
 *     const slack = await startSlack();
 *     const { token } = slack.install();                       // or alice.adds(URL of the app's install page)
 *     new App({ token, signingSecret: slack.app.signingSecret, clientOptions: { slackApiUrl: slack.apiUrl } });
 *     slack.deliversTo('http://127.0.0.1:3000/slack/events');  // otherwise over Socket Mode
 *
 *     const alice = slack.user('alice');
 *     const modal = await alice.runs('/push').modal();          // awaits what the app shows
 *     await modal.fill({ Secret: 'tulip', Recipients: [bob], Views: '5' }).submit();
 *     const { ms } = await alice.runs('/push list');            // awaits only the acknowledgement
 *     const answer = await alice.runs('/push hello').message();
 *     await answer.press('Burn now');
 *     await alice.dms.last().becomes(/burned/);
 *     const home = await alice.opensHome().home();
 *     await alice.usesShortcut('push_this', { on: bob.says('look') }).modal();
 *     await alice.adds('http://127.0.0.1:3000/slack/install');  // through the consent page and back
 *
 *     const act = slack.emits({ type: 'team_join', user: { id: alice.id } });
 *     await act.again({ num: 1, reason: 'http_timeout' });      // delivers the same action or event again
 *     slack.disturb('chat.postMessage', 'dropped after');       // the next such call is processed, but its response is lost
 *     slack.passes(31 * 60_000);                                // moves the clock for response URLs, triggers, tokens and codes
 *     slack.verify({ secrets: ['tulip'], logs });               // in afterEach: throws with all complaints
 *     await slack.stop();
 *
 * Refusals that the app cannot foresee (not_in_channel, account_inactive, a rate limit) are not its fault.
 * Complaints are about requests that Slack refuses as invalid, unknown methods and tokens, missing scopes, used or late
 * triggers and response URLs, acknowledgements that are late, missing or malformed, blocks without fallback text, and links
 * that would be unfurled. A test that provokes complaints collects them with `takeComplaints`.
 */
export async function startSlack(settings: Partial<Settings> = {}) {
  const platform = createPlatform(settings);
  const { world, clock, recordings, faults } = platform;
  const web = await startServer(platform);
  const sockets = createSockets(platform, web.server);
  const deliver = createDelivery(platform, sockets);
  const stage: Stage = {
    platform,
    deliver,
    act: (doing) => acts.act(doing),
    noAct: (user) => acts.noAct(user),
    seen: (message, by) => createSeenMessage(stage, message, by),
    modal: (view) => createModal(stage, view),
  };
  const acts = createActions(stage);
  const people = new Map<User, Person>();
  const mainTeam = world.addTeam('Acme');
  const mainApp = world.addApp('Hushpush');

  /** The user with this name in a workspace, created at the first call as a member of general. */
  function user(name: string, { team = mainTeam, ...more }: Partial<User> = {}): Person {
    const known = world.users.find((one) => one.name === name && one.team === team && !one.isBot);
    const one = known ?? world.addUser(name, team, more);
    if (!known) channel('general', { team }).members.add(one);
    const person = people.get(one) ?? createPerson(stage, one, mainApp);
    people.set(one, person);
    return person;
  }

  type Channel = { team?: Team; kind?: 'public' | 'private'; members?: Person[]; bots?: Grant[] };

  /** The channel with this name. Given members are added. */
  function channel(
    name: string,
    { team = mainTeam, kind = 'public', members = [], bots = [] }: Channel = {},
  ) {
    const known = world.conversations.find((one) => one.team === team && one.name === name);
    const found: Conversation = known ?? world.addConversation(kind, name, team, []);
    for (const one of [...members.map((member) => member.user), ...bots.map(({ bot }) => bot)])
      found.members.add(one);
    return found;
  }

  /** Creates a user group. */
  function userGroup(name: string, members: Person[], { team = mainTeam }: { team?: Team } = {}): void {
    const handle = name.toLowerCase();
    world.userGroups.push({ id: newId('S'), team, name, handle, members: members.map((one) => one.user) });
  }

  type Installing = { app?: App; on?: Team | Enterprise; scopes?: string[]; by?: Person };

  /** Installs an app in a workspace or an organisation, without any events. */
  function install({ app = mainApp, on = mainTeam, scopes = usualScopes, by }: Installing = {}): Grant {
    return world.addGrant(app, on, [...scopes], by?.user);
  }

  /** Sends an event. */
  function emits(event: Fields, { app = mainApp, team = mainTeam, manner, ...of }: Emitting = {}) {
    const { grant = world.grantFor(app, team) } = of;
    const body = eventPayload(platform, app, team, grant, { event_ts: clock.nextTs(), ...event });
    const payload: Payload = { how: 'events_api', name: `the event ${event.type}`, body };
    const acked = deliver(app, payload, manner);
    return Object.assign(acked, {
      /** Sends the same event again. */
      again: (retry?: DeliveryOptions['retry']) => deliver(app, payload, retry ? { retry } : {}),
    });
  }

  type Emitting = { app?: App; team?: Team; grant?: Grant; manner?: DeliveryOptions };

  /** Ends an installation: its tokens stop working, and the app receives Slack's events. */
  async function end(grant: Grant, state: Grant['state'], events: Fields[]) {
    grant.state = state;
    const team = grant.team ?? grant.bot.team;
    return Promise.all(events.map((event) => emits(event, { app: grant.app, team, grant })));
  }

  const revoked = (grant: Grant) => ({ type: 'tokens_revoked', tokens: { oauth: [], bot: [grant.bot.id] } });

  return {
    url: platform.at.url,
    /** For `slackApiUrl`. */
    apiUrl: `${platform.at.url}/api/`,
    /** For `authorizationUrl`. */
    authorizeUrl: `${platform.at.url}/oauth/v2/authorize`,
    settings: platform.settings,
    app: mainApp,
    team: mainTeam,
    user,
    channel,
    userGroup,
    install,
    emits,
    addTeam: world.addTeam,
    addApp: world.addApp,
    addEnterprise: (name: string): Enterprise => ({ id: newId('E'), name, domain: name.toLowerCase() }),
    /** Uninstalls an app, with an event to it. */
    uninstall: (grant: Grant) =>
      end(grant, 'account_inactive', [revoked(grant), { type: 'app_uninstalled' }]),
    /** Revokes the tokens of an installation, with an event to the app. */
    revoke: (grant: Grant) => end(grant, 'token_revoked', [revoked(grant)]),
    /** Delivers to this URL from now on, or over Socket Mode if it is undefined. */
    deliversTo(url: string | undefined, app = mainApp): void {
      app.requestUrl = url;
    },
    /** Sends the URL verification, as Slack does when the URL is set up. */
    verifiesUrl(manner?: DeliveryOptions) {
      const body = { type: 'url_verification', token: mainApp.verificationToken, challenge: newSecret() };
      const acked = deliver(
        mainApp,
        { how: 'url_verification', name: 'the verification of the URL', body },
        manner,
      );
      return acked.then((ack) => ({ ...ack, challenge: body.challenge }));
    },
    /** Sends Slack's TLS check, which has no signature. */
    checksSsl() {
      const body = { ssl_check: '1', token: mainApp.verificationToken };
      return deliver(mainApp, { how: 'ssl_check', name: 'the check of TLS', body });
    },
    sockets: {
      count: (app = mainApp) => sockets.count(app),
      connected: (count = 1, app = mainApp) => sockets.connected(app, count),
      disconnect: (reason: 'warning' | 'refresh_requested', app = mainApp) => sockets.disconnect(app, reason),
      cut: (app = mainApp) => sockets.cut(app),
    },
    /** Injects a fault into the next calls of a method, of `response_url` or of anything (`*`). */
    disturb: (method: string, fault: Fault, more: { times?: number } = {}) => faults.add(method, fault, more),
    calm: faults.clear,
    /** Moves Slack's clock, but not the clock for signatures. */
    passes: clock.moveAhead,
    /** The user who is signed in on the consent page. */
    signsIn(person: Person): void {
      platform.at.signedIn = person.user;
    },
    /** The calls so far, of one method or of all. Those of response URLs are named `response_url`. */
    calls: (method?: string) =>
      recordings.calls.filter((call) => method === undefined || call.method === method),
    /** What was delivered to apps so far. */
    delivered: () => recordings.delivered,
    /** All that bots said until now, in order, as people read it. */
    timeline: () => timelineOf(platform),
    /** Waits for a value. */
    until: <T>(what: string, find: () => T | undefined) =>
      clock.until(what, find, platform.settings.patienceMs),
    complaints: recordings.complaints,
    takeComplaints: recordings.takeComplaints,
    verify: recordings.verify,
    async stop(): Promise<void> {
      await sockets.close();
      await web.close();
    },
  };
}
