import type { Fields } from '../shared/json.ts';
import type { Clock } from './clock.ts';
import {
  type Attachment,
  flag,
  type Guild,
  type Interaction,
  type Message,
  type Place,
  type User,
} from './things.ts';

/** Permissions and the flag of members: docs.discord.com, “Permissions” and “Guild member object”. */
const all = String(2n ** 50n - 1n);
const sendMessages = String(1n << 11n);
const guestFlag = 1 << 4;
const [dmType, groupType, textType] = [1, 3, 0];

/** https://docs.discord.com/developers/resources/user#user-object */
export function presentUser({ id, name, displayName, isBot }: User): Fields {
  return {
    id,
    username: name,
    global_name: isBot ? null : displayName,
    discriminator: isBot ? '0001' : '0',
    avatar: null,
    public_flags: 0,
    flags: 0,
    primary_guild: null,
    ...(isBot && { bot: true }),
  };
}

/** https://docs.discord.com/developers/resources/guild#guild-member-object, as interactions hold it. */
export function presentMember(clock: Clock, { role }: Pick<User, 'role'>): Fields {
  return {
    ...{
      avatar: null,
      banner: null,
      nick: null,
      roles: [],
      flags: role === 'guest' ? guestFlag : 0,
      pending: false,
    },
    ...{ joined_at: clock.iso(1_700_000_000_000), premium_since: null, communication_disabled_until: null },
    permissions: role === 'manager' ? all : sendMessages,
  };
}

/** https://docs.discord.com/developers/resources/channel#channel-object */
export function presentPlace(place: Place, viewer?: User): Fields {
  const { id, kind, name, guild, members, messages } = place;
  const common = { id, flags: 0, last_message_id: messages.at(-1)?.id ?? null };
  if (kind === 'guild') {
    const shown = { name, type: textType, position: 0, parent_id: null, nsfw: false, topic: null };
    return { ...common, ...shown, guild_id: guild?.id, permissions: all, rate_limit_per_user: 0 };
  }
  const recipients = [...members].filter((one) => one !== viewer).map(presentUser);
  if (kind === 'dm') return { ...common, type: dmType, recipients };
  return { ...common, type: groupType, recipients, name, icon: null, owner_id: [...members][0]?.id };
}

export function presentGuild({ id, locale }: Guild): Fields {
  return { id, locale, features: [] };
}

/** https://docs.discord.com/developers/resources/message#attachment-object */
export function presentAttachment(one: Attachment): Fields {
  const { id, filename, contentType, description, bytes, url, isEphemeral } = one;
  return {
    ...{ id, filename, size: bytes.length, url, proxy_url: url, content_type: contentType },
    ...(description !== undefined && { description }),
    ...(isEphemeral && { ephemeral: true }),
  };
}

/** https://docs.discord.com/developers/resources/message#message-object */
export function presentMessage(
  message: Message,
  clock: Clock,
  userOf: (id: string) => User | undefined,
): Fields {
  const { id, place, author, content, embeds, components, attachments, interaction, versions } = message;
  const edited = versions.length > 1 ? clock.iso(versions.at(-1)?.at) : null;
  const mentions = mentionedIn(content).flatMap((one) => userOf(one) ?? []);
  return {
    ...{ id, type: typeOf(message), channel_id: place.id, author: presentUser(author), content },
    ...{ embeds: message.flags & flag.suppressEmbeds ? [] : embeds.map((one) => ({ type: 'rich', ...one })) },
    ...{ components, attachments: attachments.map(presentAttachment), flags: flagsOf(message) },
    ...{
      mentions: mentions.map(presentUser),
      mention_roles: [],
      mention_everyone: false,
      tts: false,
      pinned: false,
    },
    ...{ timestamp: clock.iso(versions[0]?.at), edited_timestamp: edited },
    ...(message.nonce !== undefined && { nonce: message.nonce }),
    ...(interaction && { application_id: author.id, webhook_id: author.id }),
    ...(interaction?.kind === 'command' && { interaction_metadata: metadataOf(interaction, message) }),
  };
}

/** The ids of the users whom a text mentions. */
export function mentionedIn(content: string): string[] {
  return [...content.matchAll(/<@!?(\d+)>/g)].map(([, id = '']) => id);
}

function flagsOf({ flags, onlyFor, isLoading }: Message): number {
  return flags | (onlyFor ? flag.ephemeral : 0) | (isLoading ? flag.loading : 0);
}

/** 20 for the response to a slash command, 23 to a menu command, 19 to a message. */
function typeOf({ interaction, id }: Message): number {
  if (!interaction || interaction.original?.id !== id) return 0;
  if (interaction.kind === 'command') return interaction.commandType === 1 ? 20 : 23;
  return interaction.source ? 19 : 0;
}

function metadataOf({ id, user, owners }: Interaction, message: Message): Fields {
  return {
    ...{ id, type: 2, user: presentUser(user), authorizing_integration_owners: owners },
    ...(message.interaction?.original !== message && { original_response_message_id: id }),
  };
}
