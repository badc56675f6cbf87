import { type Fields, fieldsOf, isFields, listOf, textOf } from '../shared/json.ts';
import { newSecret } from './ids.ts';
import type { Platform } from './platform.ts';
import { Refused } from './rest/refused.ts';
import type { Upload } from './rest/route.ts';
import { isEmpty, noisesOf } from './schema/messages.ts';
import { isSelect, partsOf } from './schema/parts.ts';
import { type Attachment, flag, type Interaction, type Message, type Place, type User } from './things.ts';

const attachmentLifeMs = 24 * 3_600_000;

type Writing = {
  operation: string;
  place: Place;
  body: Fields;
  files: Upload[];
  onlyFor?: User | undefined;
  interaction?: Interaction | undefined;
};

/** Posts the app's message. Throws a refusal if it is empty. */
export function write(platform: Platform, { operation, place, body, files, ...more }: Writing): Message {
  const { world, recordings } = platform;
  if (isEmpty(body, files.length)) throw new Refused(50006, `${operation}: an empty message`);
  const flags = Number(body.flags ?? 0) & ~flag.ephemeral;
  recordings.noises.push(...noisesOf(body, flags).map((noise) => `${operation}: a message that ${noise}`));
  return world.post({
    ...{ place, author: world.app.bot, content: textOf(body.content), embeds: listOf(body.embeds) },
    ...{ components: withIds(body.components), flags, isLoading: false },
    attachments: uploaded(platform, place, listOf(body.attachments), files, more.onlyFor !== undefined),
    allowedMentions: isFields(body.allowed_mentions) ? body.allowed_mentions : undefined,
    nonce: typeof body.nonce === 'number' ? body.nonce : textOf(body.nonce) || undefined,
    onlyFor: more.onlyFor,
    interaction: more.interaction,
  });
}

/** A placeholder for a deferred response. */
export function announce({ world }: Platform, interaction: Interaction, onlyFor: User | undefined): Message {
  const { place } = interaction;
  return world.post({
    ...{ place, author: world.app.bot, content: '', embeds: [], components: [], attachments: [], flags: 0 },
    ...{ allowedMentions: undefined, nonce: undefined, onlyFor, interaction, isLoading: true },
  });
}

type Rewriting = { operation: string; body: Fields; files: Upload[] };

/** Updates the fields of a message that a body contains. */
export function rewrite(platform: Platform, message: Message, { operation, body, files }: Rewriting): void {
  const { world, recordings } = platform;
  const has = (name: string) => body[name] !== undefined;
  const given = listOf(body.attachments).map(({ id }) => String(id));
  const kept = message.attachments.filter(({ id }) => !has('attachments') || given.includes(id));
  const isPrivate = message.onlyFor !== undefined;
  const changes = {
    ...(has('content') && { content: textOf(body.content) }),
    ...(has('embeds') && { embeds: listOf(body.embeds) }),
    ...(has('components') && { components: withIds(body.components) }),
    ...(has('flags') && { flags: Number(body.flags ?? 0) | (message.flags & flag.componentsV2) }),
    ...(has('allowed_mentions') && { allowedMentions: fieldsOf(body.allowed_mentions) }),
    attachments: [...kept, ...uploaded(platform, message.place, listOf(body.attachments), files, isPrivate)],
  };
  if (isEmpty({ ...message, ...changes }, 0)) throw new Refused(50006, `${operation}: an empty message`);
  const flags = changes.flags ?? message.flags;
  recordings.noises.push(...noisesOf(body, flags).map((noise) => `${operation}: a message that ${noise}`));
  world.edit(message, changes);
}

function uploaded(
  platform: Platform,
  place: Place,
  described: Fields[],
  files: Upload[],
  isEphemeral: boolean,
): Attachment[] {
  return files.map(({ index, ...file }) => {
    const description = textOf(described.find(({ id }) => String(id) === index)?.description);
    return store(platform, place, { ...file, description: description || undefined, isEphemeral });
  });
}

type File = Pick<Attachment, 'filename' | 'contentType' | 'bytes'> & Partial<Attachment>;

/** Stores a file, and serves it at a URL that expires. */
export function store({ world, clock, at }: Platform, place: Place, file: File): Attachment {
  const { isEphemeral = false, description } = file;
  const id = clock.nextId();
  const expiresAt = clock.now() + attachmentLifeMs;
  const seconds = (ms: number) => Math.floor(ms / 1000).toString(16);
  const path = `/${isEphemeral ? 'ephemeral-' : ''}attachments/${place.id}/${id}/${encodeURIComponent(file.filename)}`;
  const query = `ex=${seconds(expiresAt)}&is=${seconds(clock.now())}&hm=${newSecret(32)}&`;
  const stored = {
    ...{ id, filename: file.filename, contentType: file.contentType, bytes: file.bytes },
    ...{ description, expiresAt, isEphemeral, url: `${at.url}${path}?${query}` },
  };
  world.attachments.set(path, stored);
  return stored;
}

/** Components as Discord stores them: with ids and default values. */
export function withIds(components: unknown): Fields[] {
  const kept = structuredClone(listOf(components));
  const placed = partsOf(kept);
  const taken = new Set(placed.map(({ part }) => part.id));
  let last = 0;
  for (const { part } of placed) {
    if (isSelect(part)) Object.assign(part, { min_values: 1, max_values: 1, ...part });
    if (part.id) continue;
    do last += 1;
    while (taken.has(last));
    part.id = last;
  }
  return kept;
}
