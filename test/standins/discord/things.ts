import type { KeyObject } from 'node:crypto';
import type { Fields } from '../shared/json.ts';

export type User = {
  id: string;
  name: string;
  displayName: string;
  locale: string;
  isBot: boolean;
  /** The code that a message to this person is refused with: 50007, or 50278 for want of a server in common. */
  dmsRefusedWith: number | undefined;
  /** Whether this person added the app to their own account. */
  hasApp: boolean;
};

/** A server. */
export type Guild = { id: string; name: string; locale: string; members: Set<User>; hasApp: boolean };

/** Anywhere that messages can be: a channel of a server, two people's direct messages, or those of a group. */
export type Place = {
  id: string;
  kind: 'guild' | 'dm' | 'group';
  name: string;
  guild: Guild | undefined;
  /** Those in direct messages; who is in a server sees all of its channels. */
  members: Set<User>;
  messages: Message[];
};

/** An application command, as it is registered. */
export type Command = Fields & { id: string; name: string; type: number };

/** The app as its owner set it up. Without an `interactionsUrl` it is reached over the gateway. */
export type App = {
  id: string;
  name: string;
  bot: User;
  token: string;
  /** For Ed25519, 32 bytes in hexadecimal. */
  publicKey: string;
  privateKey: KeyObject;
  interactionsUrl: string | undefined;
  commands: Command[];
  /** What it may be added to, where a command does not say: 0 servers, 1 people. */
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
  /** Its allowed mentions; undefined where the app set none. */
  allowedMentions: Fields | undefined;
  nonce: string | number | undefined;
  /** The only person who sees it. */
  onlyFor: User | undefined;
  /** What it answers. */
  interaction: Interaction | undefined;
  /** Stands for an answer that is still to come. */
  isLoading: boolean;
  deleted: boolean;
  /** How it looked, first to last. */
  versions: Version[];
};

export type Owners = Record<string, string>;

/** Something that a person did and that the app is to answer. */
export type Interaction = {
  id: string;
  token: string;
  kind: 'command' | 'component' | 'autocomplete' | 'modal';
  /** What commands are called, or the custom id. */
  name: string;
  commandType: number | undefined;
  /** The type of the option that is being autocompleted. */
  optionType: number | undefined;
  user: User;
  place: Place;
  owners: Owners;
  at: number;
  /** The message whose component was used, or from which the modal was opened. */
  source: Message | undefined;
  /** How it was answered first; undefined until then. */
  response: { type: number; at: number; body: Fields } | undefined;
  /** What `@original` is: the answer, or the message that it changed. */
  original: Message | undefined;
  /** The modal that was submitted; it closes with the answer. */
  submitted: ModalView | undefined;
  followUps: Message[];
  /** How many messages followed, those too that are gone. */
  followUpCount: number;
  modal: ModalView | undefined;
  choices: Fields[] | undefined;
};

/** A modal as one person has it before them. */
export type ModalView = {
  interaction: Interaction;
  user: User;
  customId: string;
  title: string;
  components: Fields[];
  /** By custom id. */
  values: Map<string, Entered>;
  isOpen: boolean;
};

/** What was entered at a component: a text, or chosen values; `users` and `files` are those that values stand for. */
export type Entered = {
  value?: string | boolean | null;
  values?: string[];
  users?: User[];
  places?: Place[];
  files?: Attachment[];
};

/** Something that came to be seen: a message that was posted, edited or deleted. */
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
