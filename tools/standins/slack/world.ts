import type { Fields } from '../shared/json.ts';
import type { Clock } from './clock.ts';
import { newId, newSecret, newToken } from './ids.ts';
import type {
  App,
  Arrival,
  Code,
  Conversation,
  Enterprise,
  Grant,
  Message,
  SharedFile,
  Team,
  Trigger,
  User,
  UserFile,
  UserGroup,
  View,
} from './things.ts';

type PostedMessage = Omit<Message, 'ts' | 'deleted' | 'versions' | 'files'> & { files?: SharedFile[] };

/** Slack's entire state. */
export function createWorld(clock: Clock) {
  const teams: Team[] = [];
  const users: User[] = [];
  const userGroups: UserGroup[] = [];
  const apps: App[] = [];
  const grants: Grant[] = [];
  const conversations: Conversation[] = [];
  const views: View[] = [];
  const triggers = new Map<string, Trigger>();
  const codes = new Map<string, Code>();
  const tokens = new Map<string, { grant: Grant; expiresAt: number }>();
  const arrivals: Arrival[] = [];
  const files = new Map<string, SharedFile>();

  function addTeam(name: string, enterprise?: Enterprise): Team {
    const team = {
      id: newId('T'),
      name,
      domain: name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
      enterprise,
    };
    teams.push(team);
    return team;
  }

  function addUser(name: string, team: Team, more: Partial<User> = {}): User {
    const user: User = {
      id: newId(team.enterprise ? 'W' : 'U'),
      team,
      name,
      realName: name.charAt(0).toUpperCase() + name.slice(1),
      tz: 'Europe/Berlin',
      tzOffset: 3600,
      locale: 'en-GB',
      isAdmin: false,
      isGuest: false,
      isOwner: false,
      isBot: false,
      deleted: false,
      ...more,
    };
    users.push(user);
    return user;
  }

  function addApp(name: string, more: Partial<App> = {}): App {
    const app: App = {
      id: newId('A'),
      name,
      clientId: `${Date.now()}.${apps.length + 1}`,
      clientSecret: newSecret(),
      signingSecret: newSecret(),
      verificationToken: newSecret(12),
      appToken: newToken('xapp-1'),
      appScopes: ['connections:write'],
      requestUrl: undefined,
      redirectUrls: [],
      tokenLifeSeconds: undefined,
      ...more,
    };
    apps.push(app);
    return app;
  }

  /** Installs an app. If it is already installed, this only adds scopes and its bot stays the same. */
  function addGrant(app: App, place: Team | Enterprise, scopes: string[], installer?: User): Grant {
    const earlier = grants.findLast(
      (grant) => grant.app === app && (grant.team ?? grant.enterprise) === place,
    );
    if (earlier?.state === 'live') {
      earlier.scopes = [...new Set([...earlier.scopes, ...scopes])];
      earlier.installer = installer;
      if (app.tokenLifeSeconds !== undefined) renew(earlier);
      return earlier;
    }
    const [team, enterprise] = 'enterprise' in place ? [place, undefined] : [undefined, place];
    const home = team ?? teams.find((one) => one.enterprise === enterprise);
    if (!home) throw new Error('the organisation has no workspace');
    const bot = earlier?.bot ?? addUser(app.name.toLowerCase(), home, { isBot: true, realName: app.name });
    const botId = earlier?.botId ?? newId('B');
    const grant: Grant = {
      ...{ app, scopes, team, enterprise, installer, bot, botId },
      ...{ token: '', refreshToken: undefined, state: 'live' },
    };
    grants.push(grant);
    renew(grant);
    return grant;
  }

  /** Gives a grant a new access token. With token rotation it expires and comes with the only valid refresh token. */
  function renew(grant: Grant): void {
    const life = grant.app.tokenLifeSeconds;
    grant.token = newToken(life === undefined ? 'xoxb' : 'xoxe.xoxb-1');
    grant.refreshToken = life === undefined ? undefined : newToken('xoxe-1');
    tokens.set(grant.token, { grant, expiresAt: life === undefined ? Infinity : clock.now() + life * 1000 });
  }

  /** The installation for a workspace: its own, or its organisation's. */
  function grantFor(app: App, team: Team): Grant | undefined {
    const live = grants.filter((grant) => grant.app === app && grant.state === 'live').reverse();
    return (
      live.find((grant) => grant.team === team) ??
      live.find((grant) => grant.enterprise !== undefined && grant.enterprise === team.enterprise)
    );
  }

  function reaches(grant: Grant, team: Team): boolean {
    return grant.team ? grant.team === team : grant.enterprise === team.enterprise;
  }

  function addConversation(
    kind: Conversation['kind'],
    name: string,
    team: Team,
    members: User[],
  ): Conversation {
    const letter = { public: 'C', private: 'C', mpim: 'G', im: 'D' }[kind];
    const created = { id: newId(letter), team, kind, name, members: new Set(members), messages: [] };
    conversations.push(created);
    return created;
  }

  /** The direct conversation of two users, if there is one. */
  function findDm(one: User, other: User): Conversation | undefined {
    return conversations.find(({ kind, members }) => kind === 'im' && members.has(one) && members.has(other));
  }

  function dmOf(bot: User, user: User): Conversation {
    return findDm(bot, user) ?? addConversation('im', 'directmessage', user.team, [bot, user]);
  }

  /** Stores a file that a user uploads in a form, or shares in a conversation. */
  function upload({ name, content, type }: UserFile, user: User, conversation?: Conversation): SharedFile {
    const mimetype = type ?? 'application/octet-stream';
    const file = { id: newId('F'), name, mimetype, content, user, conversation };
    files.set(file.id, file);
    return file;
  }

  function post({ files = [], ...message }: PostedMessage): Message {
    const { text, blocks } = message;
    const posted = {
      ...message,
      files,
      ts: clock.nextTs(),
      deleted: false,
      versions: [{ text, blocks, at: clock.now() }],
    };
    message.conversation.messages.push(posted);
    arrive('posted', posted);
    return posted;
  }

  function edit(message: Message, text: string, blocks: Fields[]): void {
    Object.assign(message, { text, blocks });
    message.versions.push({ text, blocks, at: clock.now() });
    arrive('edited', message);
  }

  function remove(message: Message): void {
    message.deleted = true;
    arrive('deleted', message);
  }

  function arrive(how: Arrival['how'], message: Message) {
    arrivals.push({ how, message });
    clock.changed();
  }

  /** Whether a user sees a message. */
  function sees(user: User, { conversation, onlyFor }: Message): boolean {
    return onlyFor ? onlyFor === user : conversation.members.has(user);
  }

  return {
    teams,
    users,
    userGroups,
    apps,
    grants,
    conversations,
    views,
    triggers,
    codes,
    tokens,
    arrivals,
    files,
    addTeam,
    addUser,
    addApp,
    addGrant,
    renew,
    grantFor,
    reaches,
    addConversation,
    findDm,
    dmOf,
    upload,
    post,
    edit,
    remove,
    sees,
  };
}
