import type { KeyObject } from 'node:crypto';
import type { Fields } from '../shared/json.ts';

export type User = {
  id: string;
  name: string;
  displayName: string;
  locale: string;
  isBot: boolean;
  /** The code that refuses direct messages to this user: 50007, or 50278 for no common server. */
  dmsRefusedWith: number | undefined;
  /** Whether this user added the app to their own account. */
  hasApp: boolean;
  /** What this user is in servers: by default somebody with all permissions. */
  role: 'manager' | 'member' | 'guest';
};

/** A server. */
export type Guild = { id: string; name: string; locale: string; members: Set<User>; hasApp: boolean };

/** A place for messages: a channel of a server, a direct conversation, or a group. */
export type Place = {
  id: string;
  kind: 'guild' | 'dm' | 'group';
  name: string;
  guild: Guild | undefined;
  /** The members of direct messages. Members of a server see all of its channels. */
  members: Set<User>;
  messages: Message[];
};

/** An application command as registered. */
export type Command = Fields & { id: string; name: string; type: number };

/** The app as configured by its owner. Without an `interactionsUrl` it uses the gateway. */
export type App = {
  id: string;
  name: string;
  bot: User;
  token: string;
  /** An Ed25519 key, 32 bytes in hexadecimal. */
  publicKey: string;
  privateKey: KeyObject;
  interactionsUrl: string | undefined;
  commands: Command[];
  /** What it can be added to, as the default for commands: 0 is servers, 1 is users. */
  integrationTypes: number[];
};

export type Attachment = {
  id: string;
  filename: string;
  contentType: string;
  description: string | undefined;
  bytes: Buffer;
  url: string;
  expiresAt: number;
  isEphemeral: boolean;
};

type Version = { content: string; components: Fields[]; at: number };

export type Message = {
  id: string;
  place: Place;
  author: User;
  content: string;
  embeds: Fields[];
  components: Fields[];
  attachments: Attachment[];
  flags: number;
  /** Its allowed mentions. Undefined if the app set none. */
  allowedMentions: Fields | undefined;
  nonce: string | number | undefined;
  /** The only user who sees it. */
  onlyFor: User | undefined;
  /** The message or interaction that it responds to. */
  interaction: Interaction | undefined;
  /** Whether it is a placeholder for a deferred response. */
  isLoading: boolean;
  deleted: boolean;
  /** All of its versions, oldest first. */
  versions: Version[];
};

export type Owners = Record<string, string>;

/** An action of a user that the app has to respond to. */
export type Interaction = {
  id: string;
  token: string;
  kind: 'command' | 'component' | 'autocomplete' | 'modal';
  /** The name of the command, or the custom id. */
  name: string;
  commandType: number | undefined;
  /** The type of the option that is being autocompleted. */
  optionType: number | undefined;
  user: User;
  place: Place;
  owners: Owners;
  at: number;
  /** The message whose component was used, or that the modal was opened from. */
  source: Message | undefined;
  /** The type of the first response. Undefined until then. */
  response: { type: number; at: number; body: Fields } | undefined;
  /** The message that `@original` stands for: the response, or the message that it updated. */
  original: Message | undefined;
  /** The submitted modal, which closes with the response. */
  submitted: ModalView | undefined;
  followUps: Message[];
  /** The number of follow-ups, including deleted ones. */
  followUpCount: number;
  modal: ModalView | undefined;
  choices: Fields[] | undefined;
};

/** A modal as one user sees it. */
export type ModalView = {
  interaction: Interaction;
  user: User;
  customId: string;
  title: string;
  components: Fields[];
  /** Entries by custom id. */
  values: Map<string, Entered>;
  isOpen: boolean;
};

/** The entry of a component: a text or chosen values. `users` and `files` are what the values stand for. */
export type Entered = {
  value?: string | boolean | null;
  values?: string[];
  users?: User[];
  places?: Place[];
  files?: Attachment[];
};

/** A visible change: a message that was posted, edited or deleted. */
export type Arrival = { how: 'posted' | 'edited' | 'deleted'; message: Message };

/** Bits of a message's `flags`. */
export const flag = {
  suppressEmbeds: 1 << 2,
  ephemeral: 1 << 6,
  loading: 1 << 7,
  suppressNotifications: 1 << 12,
  voiceMessage: 1 << 13,
  componentsV2: 1 << 15,
};
