import { createMessageInbox } from '../shared/inbox.ts';
import type { Acts, Pending } from './acts.ts';
import type { Platform } from './platform.ts';
import { createSeenPost, type SeenPost } from './seen.ts';
import { type Channel, newId, type Post, type User } from './world.ts';

export type Person = ReturnType<typeof createPerson>;

type UserFile = { name: string; type: string; bytes: Buffer };

/** A user: their actions, and what they see. */
export function createPerson(stage: { platform: Platform; acts: Acts }, user: User) {
  const { world, general, bot } = stage.platform;
  const seenBy = (post: Post): SeenPost => createSeenPost(stage, post, user);
  const inbox = (what: string, isIn: (post: Post) => boolean) =>
    createMessageInbox<Post, SeenPost>({
      ...{ what, reader: user.username, seen: seenBy, until: world.until },
      all: () => world.posts.filter(isIn),
    });
  const isFromBot = ({ author, channel, onlyFor }: Post) =>
    author === bot && channel.team === undefined && channel.members.has(user) && onlyFor === undefined;

  return {
    ...{ id: user.id, name: user.username, user },
    /** Their conversation with the bot. */
    get botDm(): Channel {
      return world.directChannel(bot, user);
    },
    /** Runs a slash command in a channel. The bot is no member of the default one. */
    runs: (line: string, { in: channel = general, token }: { in?: Channel; token?: string } = {}): Pending =>
      stage.acts.run(line, user, channel, { token }),
    /** Posts a message, with files. */
    says(
      message: string,
      { in: channel = general, files = [] }: { in?: Channel; files?: UserFile[] } = {},
    ): Post {
      const uploaded = files.map((file) => ({ id: newId(), author: user, channel, ...file }));
      for (const file of uploaded) world.files.set(file.id, file);
      return world.post({ channel, author: user, message, attachments: [], files: uploaded });
    },
    /** A post as they see it. Throws if they do not see it. */
    sees({ sent }: SeenPost): SeenPost {
      if (!world.sees(user, sent)) throw new Error(`${user.username} does not see it`);
      return seenBy(sent);
    },
    /** The direct messages of the bot, without replies in threads. */
    dms: inbox('direct message', (post) => isFromBot(post) && post.rootId === ''),
    /** What only they see. */
    whispers: inbox('private answer', ({ onlyFor }) => onlyFor === user),
    closesDms(): void {
      user.hasDms = false;
    },
  };
}
