import type { Fields } from '../shared/json.ts';

export type Enterprise = { id: string; name: string; domain: string };
export type Team = { id: string; name: string; domain: string; enterprise: Enterprise | undefined };

export type User = {
  id: string;
  team: Team;
  name: string;
  realName: string;
  tz: string;
  tzOffset: number;
  locale: string;
  isAdmin: boolean;
  isGuest: boolean;
  isOwner: boolean;
  isBot: boolean;
  deleted: boolean;
};

/** A group of people in a workspace, such as @ops. */
export type UserGroup = { id: string; team: Team; name: string; handle: string; members: User[] };

/** An app as registered by its vendor. Without a `requestUrl` it uses Socket Mode. */
export type App = {
  id: string;
  name: string;
  clientId: string;
  clientSecret: string;
  signingSecret: string;
  verificationToken: string;
  appToken: string;
  appScopes: string[];
  requestUrl: string | undefined;
  redirectUrls: string[];
  /** With token rotation: the lifetime of access tokens, which come with refresh tokens. */
  tokenLifeSeconds: number | undefined;
};

/** An installation: an app's bot in one workspace, or in all workspaces of an organisation. */
export type Grant = {
  app: App;
  /** Its newest access token. */
  token: string;
  refreshToken: string | undefined;
  scopes: string[];
  team: Team | undefined;
  enterprise: Enterprise | undefined;
  installer: User | undefined;
  bot: User;
  botId: string;
  state: 'live' | 'token_revoked' | 'account_inactive';
};

/** A code from a user's consent, which can be exchanged once for tokens. */
export type Code = {
  app: App;
  place: Team | Enterprise;
  user: User;
  scopes: string[];
  redirectUri: string;
  expiresAt: number;
  used: boolean;
};

/** A file: uploaded in a form, or shared in a conversation. */
export type SharedFile = {
  id: string;
  name: string;
  mimetype: string;
  content: string;
  /** Where it was shared; undefined for one of a form. */
  conversation: Conversation | undefined;
  user: User;
};

/** A file that a user picks. */
export type UserFile = { name: string; content: string; type?: string };

type Version = { text: string; blocks: Fields[]; at: number };

export type Message = {
  ts: string;
  conversation: Conversation;
  author: User;
  grant: Grant | undefined;
  text: string;
  blocks: Fields[];
  threadTs: string | undefined;
  /** The only user who sees it. */
  onlyFor: User | undefined;
  deleted: boolean;
  unfurlLinks: boolean | undefined;
  unfurlMedia: boolean | undefined;
  metadata: Fields | undefined;
  files: SharedFile[];
  /** All of its versions, oldest first. */
  versions: Version[];
};

export type Conversation = {
  id: string;
  team: Team;
  kind: 'public' | 'private' | 'im' | 'mpim';
  name: string;
  members: Set<User>;
  messages: Message[];
};

/** A modal or an App Home as one user sees it. */
export type View = {
  id: string;
  app: App;
  grant: Grant | undefined;
  user: User;
  type: 'modal' | 'home';
  content: Fields;
  blocks: Fields[];
  hash: string;
  externalId: string;
  rootId: string;
  previousId: string | undefined;
  /** The trigger that opened it, or whose acknowledgement did. */
  triggerId: string | undefined;
  values: Record<string, Record<string, Fields>>;
  errors: Record<string, string>;
  isOpen: boolean;
};

export type Trigger = { id: string; app: App; user: User; expiresAt: number; used: boolean; view?: View };

/** A visible change: a message that was posted, edited or deleted. */
export type Arrival = { how: 'posted' | 'edited' | 'deleted'; message: Message };
