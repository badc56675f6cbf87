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
  isOwner: boolean;
  isBot: boolean;
  deleted: boolean;
};

/** An app as its vendor registered it. Without a `requestUrl` it is reached over Socket Mode. */
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
  /** With token rotation access tokens live so long, and come with refresh tokens. */
  tokenLifeSeconds: number | undefined;
};

/** An installation: an app's bot in one workspace, or in all of an organisation. */
export type Grant = {
  app: App;
  /** The newest of its access tokens. */
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

/** A code that a person's consent gave, to be exchanged once for tokens. */
export type Code = {
  app: App;
  place: Team | Enterprise;
  user: User;
  scopes: string[];
  redirectUri: string;
  expiresAt: number;
  used: boolean;
};

type Version = { text: string; blocks: Fields[]; at: number };

export type Message = {
  ts: string;
  conversation: Conversation;
  author: User;
  grant: Grant | undefined;
  text: string;
  blocks: Fields[];
  threadTs: string | undefined;
  /** The only person who sees it. */
  onlyFor: User | undefined;
  deleted: boolean;
  unfurlLinks: boolean | undefined;
  unfurlMedia: boolean | undefined;
  metadata: Fields | undefined;
  /** How it looked, first to last. */
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

/** A modal or an App Home, as one person has it before them. */
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
  /** The trigger that it was opened with, or whose acknowledgement brought it. */
  triggerId: string | undefined;
  values: Record<string, Record<string, Fields>>;
  errors: Record<string, string>;
  isOpen: boolean;
};

export type Trigger = { id: string; app: App; user: User; expiresAt: number; used: boolean; view?: View };

/** Something that came to be seen: a message that was posted, edited or deleted. */
export type Arrival = { how: 'posted' | 'edited' | 'deleted'; message: Message };
