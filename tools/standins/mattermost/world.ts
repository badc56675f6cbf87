import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { Fields } from '../shared/json.ts';

export type User = {
  id: string;
  username: string;
  locale: string;
  timeZone: string;
  isSystemAdmin: boolean;
  isBot: boolean;
  deleteAt: number;
  /** Whether the server allows bots to open direct messages with them. */
  hasDms: boolean;
};
export type Role = 'admin' | 'member' | 'guest';
export type Team = { id: string; name: string; members: Map<User, Role> };
/** Without a team it is a direct channel. */
export type Channel = { id: string; name: string; team: Team | undefined; members: Set<User> };
export type Content = { message: string; attachments: Fields[] };
export type Post = Content & {
  id: string;
  channel: Channel;
  author: User;
  rootId: string;
  /** The only reader of an ephemeral post. */
  onlyFor: User | undefined;
  createAt: number;
  editAt: number;
  deleted: boolean;
  versions: Content[];
  files: FileInfo[];
  /** The post whose button led to this one. */
  cause: Post | undefined;
};
export type FileInfo = {
  id: string;
  name: string;
  type: string;
  bytes: Buffer;
  author: User;
  channel: Channel;
};
export type Hook = { id: string; user: User; channel: Channel; uses: number; expiresAt: number };
export type Trigger = { id: string; user: User; channel: Channel; at: number; cause: Post | undefined };
export type OpenDialog = {
  content: Fields;
  url: string;
  user: User;
  channel: Channel;
  trigger: Trigger;
  isOpen: boolean;
};
/** What became of a post, in order. */
type Arrival = { how: 'posted' | 'edited'; post: Post };

/** 26 characters, as Mattermost's ids (server/public/model/utils.go). */
export const newId = (): string =>
  [...randomBytes(26)].map((byte) => 'ybndrfg8ejkmcpqxot1uwisza345h769'[byte % 32]).join('');

/** A Mattermost server's state, and its clock, which tests can move. */
export function createWorld(patienceMs: number) {
  const changes = new EventEmitter().setMaxListeners(0);
  const users: User[] = [];
  const teams: Team[] = [];
  const channels: Channel[] = [];
  const posts: Post[] = [];
  const arrivals: Arrival[] = [];
  const dialogs: OpenDialog[] = [];
  const hooks = new Map<string, Hook>();
  const triggers = new Map<string, Trigger>();
  const files = new Map<string, FileInfo>();
  let aheadMs = 0;
  let lastAt = 0;

  const now = () => Date.now() + aheadMs;
  /** Posts have times of their own, so that they have an order. */
  function nextAt(): number {
    lastAt = Math.max(lastAt + 1, now());
    return lastAt;
  }

  function addUser(username: string, more: Partial<User> = {}): User {
    const user: User = {
      ...{ id: newId(), username, locale: 'en', timeZone: 'Europe/Berlin' },
      ...{ isSystemAdmin: false, isBot: false, deleteAt: 0, hasDms: true, ...more },
    };
    users.push(user);
    return user;
  }

  function addChannel(name: string, team: Team | undefined, members: User[]): Channel {
    const channel = { id: newId(), name, team, members: new Set(members) };
    channels.push(channel);
    return channel;
  }

  function directChannel(one: User, other: User): Channel {
    const known = channels.find(
      ({ team, members }) => team === undefined && members.has(one) && members.has(other),
    );
    return known ?? addChannel([one.id, other.id].toSorted().join('__'), undefined, [one, other]);
  }

  type NewPost = Content &
    Pick<Post, 'channel' | 'author'> &
    Partial<Pick<Post, 'rootId' | 'onlyFor' | 'files' | 'cause'>>;

  function post({ message, attachments, ...more }: NewPost): Post {
    const added: Post = {
      ...{ id: newId(), message, attachments, rootId: '', onlyFor: undefined, files: [], cause: undefined },
      ...{ createAt: nextAt(), editAt: 0, deleted: false, versions: [{ message, attachments }] },
      ...more,
    };
    posts.push(added);
    arrivals.push({ how: 'posted', post: added });
    changes.emit('changed');
    return added;
  }

  function edit(edited: Post, content: Content): void {
    Object.assign(edited, content, { editAt: nextAt() });
    edited.versions.push(content);
    arrivals.push({ how: 'edited', post: edited });
    changes.emit('changed');
  }

  const sees = (user: User, { onlyFor, channel }: Post): boolean =>
    onlyFor === undefined ? channel.members.has(user) : onlyFor === user;

  /** Waits for a value. */
  async function until<T>(what: string, find: () => T | undefined): Promise<T> {
    const deadline = AbortSignal.timeout(patienceMs);
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      await once(changes, 'changed', { signal: deadline }).catch(() => {
        throw new Error(`${what} did not come within ${patienceMs} ms`);
      });
    }
  }

  return {
    ...{ users, teams, channels, posts, arrivals, dialogs, hooks, triggers, files },
    ...{ now, addUser, addChannel, directChannel, post, edit, sees, until },
    changed: () => void changes.emit('changed'),
    moveAhead(ms: number) {
      aheadMs += ms;
    },
    newTrigger(user: User, channel: Channel, cause: Post | undefined): Trigger {
      const trigger = { id: newId(), user, channel, at: now(), cause };
      triggers.set(trigger.id, trigger);
      return trigger;
    },
  };
}
