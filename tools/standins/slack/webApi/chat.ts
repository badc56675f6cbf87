import { type Fields, isFields, listOf, textOf } from '../../shared/json.ts';
import { hasLink, linesOf, withIds } from '../content.ts';
import type { Platform } from '../platform.ts';
import { type MessageKind, validateMessage } from '../schema/validity.ts';
import type { Conversation, Grant, Message, User } from '../things.ts';
import { requireConversation } from './conversations.ts';
import { type Methods, Refused, refuseArguments, TooMany } from './method.ts';

const scopes = ['chat:write'];
const longestText = 40_000;
const longestUpdate = 4000;
/** Undocumented. Observed from about 13,200 on (https://github.com/slackapi/bolt-js/issues/2509). */
const longestBlocks = 13_000;

export const chat: Methods = {
  'chat.postMessage': {
    by: 'bot',
    scopes,
    run: (platform, grant, args) => {
      requireValidMessage(platform, 'chat.postMessage', 'posted', args);
      const conversation = requireWritable(platform, grant, args.channel);
      pace(platform, conversation);
      const message = platform.world.post({
        ...draftOf(grant, conversation, args),
        onlyFor: undefined,
        unfurlLinks: flagOf(args.unfurl_links),
        unfurlMedia: flagOf(args.unfurl_media),
      });
      return { channel: conversation.id, ts: message.ts, message: presentMessage(message) };
    },
  },
  'chat.postEphemeral': {
    by: 'bot',
    scopes,
    run: (platform, grant, args) => {
      requireValidMessage(platform, 'chat.postEphemeral', 'whispered', args);
      const conversation = requireWritable(platform, grant, args.channel);
      const onlyFor = platform.world.users.find(({ id }) => id === args.user);
      if (!onlyFor || !conversation.members.has(onlyFor)) throw new Refused('user_not_in_channel');
      const message = platform.world.post({
        ...draftOf(grant, conversation, args),
        onlyFor,
        unfurlLinks: undefined,
        unfurlMedia: undefined,
      });
      return { message_ts: message.ts };
    },
  },
  'chat.update': {
    by: 'bot',
    scopes,
    run: (platform, grant, args) => {
      requireValidMessage(platform, 'chat.update', 'updated', args);
      if (textOf(args.text).length > longestUpdate) refuseLength('chat.update');
      const message = requireOwn(platform, grant, args, 'cant_update_message');
      const text = args.text === undefined ? message.text : textOf(args.text);
      platform.world.edit(message, text, blocksAfter(message, args));
      return {
        channel: message.conversation.id,
        ts: message.ts,
        text: message.text,
        message: presentMessage(message),
      };
    },
  },
  'chat.delete': {
    by: 'bot',
    scopes,
    run: (platform, grant, args) => {
      const message = requireOwn(platform, grant, args, 'cant_delete_message');
      platform.world.remove(message);
      return { channel: message.conversation.id, ts: message.ts };
    },
  },
};

/** Refuses what Slack refuses, and complains about messages without fallback text or with links to unfurl. */
export function requireValidMessage(
  platform: Platform,
  where: string,
  kind: MessageKind,
  message: Fields,
): void {
  const { recordings } = platform;
  const wrong = validateMessage(kind, message);
  if (wrong.length > 0) {
    refuseArguments(
      wrong.some((one) => one.includes(':/blocks')) ? 'invalid_blocks' : 'invalid_arguments',
      where,
      wrong,
    );
  }
  const text = textOf(message.text);
  const hasBlocks = listOf(message.blocks).length > 0;
  if (text === '' && !hasBlocks && message.delete_original !== true && message.markdown_text === undefined) {
    throw new Refused('no_text', { complaint: `${where} has neither text nor blocks` });
  }
  if (text.length > longestText) refuseLength(where);
  if (linesOf(listOf(message.blocks)).join('').length > longestBlocks) {
    throw new Refused('msg_blocks_too_long', { complaint: `${where}: the blocks are too long together` });
  }
  if (hasBlocks && text.trim() === '') recordings.complain(`${where}: blocks without a fallback text`);
  const isPublic = kind === 'posted' || message.response_type === 'in_channel';
  if (isPublic && hasLink(message) && !(message.unfurl_links === false && message.unfurl_media === false)) {
    recordings.complain(`${where}: a link without unfurl_links: false and unfurl_media: false`);
  }
}

/** A message in events, interactions and responses. */
export function presentMessage(message: Message): Fields {
  const { ts, author, grant, text, blocks, threadTs, metadata, files, versions } = message;
  return {
    type: 'message',
    user: author.id,
    ts,
    ...(grant && { bot_id: grant.botId, app_id: grant.app.id }),
    text,
    team: author.team.id,
    ...(blocks.length > 0 && { blocks }),
    ...(threadTs !== undefined && { thread_ts: threadTs }),
    ...(metadata && { metadata }),
    ...(files.length > 0 && { files: files.map(({ id, name, mimetype }) => ({ id, name, mimetype })) }),
    ...(versions.length > 1 && { edited: { user: author.id, ts: `${Math.floor(Number(ts))}.000000` } }),
  };
}

export function draftOf(grant: Grant | undefined, conversation: Conversation, message: Fields) {
  const author = grant?.bot ?? [...conversation.members][0];
  if (!author) throw new Error('nobody is there to write');
  return {
    conversation,
    author,
    grant,
    text: textOf(message.text) || textOf(message.markdown_text),
    blocks: withIds(listOf(message.blocks)),
    threadTs: typeof message.thread_ts === 'string' ? message.thread_ts : undefined,
    metadata: isFields(message.metadata) ? message.metadata : undefined,
  };
}

/** Where a bot may post: in direct messages, in its channels, and where anybody may post. */
function requireWritable(platform: Platform, grant: Grant, channel: unknown): Conversation {
  const user = platform.world.users.find(({ id }) => id === channel);
  if (user) return platform.world.dmOf(grant.bot, requireReachable(platform, grant, user));
  const conversation = requireConversation(platform, grant, channel);
  const isOpen = conversation.kind === 'public' && grant.scopes.includes('chat:write.public');
  if (!isOpen && !conversation.members.has(grant.bot)) throw new Refused('not_in_channel');
  return conversation;
}

function requireReachable({ world }: Platform, grant: Grant, user: User): User {
  if (user.isBot) throw new Refused('cannot_dm_bot');
  if (user.deleted || !world.reaches(grant, user.team)) throw new Refused('channel_not_found');
  return user;
}

/** An update with only a text removes the blocks. */
function blocksAfter(message: Message, { text, blocks }: Fields): Fields[] {
  if (blocks !== undefined) return withIds(listOf(blocks));
  return text === undefined ? message.blocks : [];
}

function requireOwn(platform: Platform, grant: Grant, { channel, ts }: Fields, code: string): Message {
  const conversation = requireConversation(platform, grant, channel);
  const message = conversation.messages.find((one) => one.ts === ts && !one.deleted && !one.onlyFor);
  if (!message) throw new Refused('message_not_found');
  if (message.author !== grant.bot) throw new Refused(code);
  return message;
}

function pace({ settings, clock, world }: Platform, conversation: Conversation): void {
  const last = world.arrivals.findLast(
    ({ how, message }) => how === 'posted' && message.conversation === conversation,
  );
  if (!settings.onePerSecond || !last) return;
  if (clock.now() - Number(last.message.ts) * 1000 < 1000) throw new TooMany(1);
}

function refuseLength(where: string): never {
  throw new Refused('msg_too_long', { complaint: `${where}: the text is too long` });
}

function flagOf(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}
