import { type Fields, isFields, listOf, textOf } from '../shared/json.ts';
import { mentionedIn } from './presenting.ts';
import { textsOfEmbed } from './schema/messages.ts';
import { part, partsOf } from './schema/parts.ts';
import { flag, type Message } from './things.ts';

type NameOf = (id: string) => string | undefined;

/** The text that a user reads in a message, one line for each part, without button labels. */
export function linesOf(message: Message, nameOf: NameOf): string[] {
  const displayed = partsOf(message.components).filter(({ part: one }) => one.type === part.textDisplay);
  const texts = [
    message.content,
    ...message.embeds.flatMap(textsOfEmbed),
    ...displayed.map(({ part: one }) => textOf(one.content)),
    ...message.attachments.map(({ filename }) => filename),
  ];
  return texts.filter((text) => text !== '').map((text) => readable(text, nameOf));
}

/** A text as a user reads it, with labels for links and names for mentions. */
function readable(text: string, nameOf: NameOf): string {
  return text
    .replaceAll(/\[([^\]]+)\]\(<?https?:[^)]+\)/g, (_, label: string) => label)
    .replaceAll(/<@!?(\d+)>/g, (_, id: string) => `@${nameOf(id) ?? id}`)
    .replaceAll(/<(https?:[^>]+)>/g, (_, url: string) => url);
}

/** The URLs in a message, on buttons and in texts. */
export function linksOf({ components, content, embeds }: Message): string[] {
  const onButtons = partsOf(components).map(({ part: one }) => textOf(one.url));
  const ofEmbeds = embeds.flatMap((embed) => [textOf(embed.url), ...textsOfEmbed(embed)]);
  const found = [content, ...ofEmbeds].flatMap((text) => text.match(/https?:\/\/[^\s<>|"')\]]+/g) ?? []);
  return [...new Set([...onButtons, ...found].filter((url) => url !== ''))];
}

/** Whether Discord would fetch the links in a message to show previews. */
export function isUnfurled(message: Message): boolean {
  const texts = [message.content, ...partsOf(message.components).map(({ part: one }) => textOf(one.content))];
  return (message.flags & flag.suppressEmbeds) === 0 && texts.some((text) => /https?:\/\//i.test(text));
}

/** The users whom a message notifies. Responses to interactions mention people unless `allowed_mentions` is set. */
export function mentionsOf({ content, allowedMentions, interaction }: Message): string[] {
  const { parse, users, roles } = allowedMentions ?? {
    parse: interaction ? ['users'] : ['users', 'everyone'],
  };
  const may = (kind: string) => Array.isArray(parse) && parse.includes(kind);
  const notified = mentionedIn(content).filter(
    (id) => may('users') || (Array.isArray(users) && users.includes(id)),
  );
  const all = may('everyone') && /@(everyone|here)\b/.test(content) ? ['everyone'] : [];
  return [...notified, ...all, ...(Array.isArray(roles) ? roles.map(String) : [])];
}

export type Beside = { at?: number };

export function buttonsOf(components: Fields[]): string[] {
  return buttons(components).map(labelOf);
}

function buttons(components: Fields[]): Fields[] {
  return partsOf(components).flatMap(({ part: one }) => (one.type === part.button ? [one] : []));
}

/** The only button with this label, or the one `at` a position among several. Throws if a user would find none. */
export function requireButton(components: Fields[], label: string, { at }: Beside = {}): Fields {
  const found = buttons(components).filter((one) => labelOf(one) === label);
  const one = found[at ?? 0];
  if (!one)
    throw new Error(`there is no button “${label}”, only ${buttonsOf(components).join(', ') || 'none'}`);
  if (found.length > 1 && at === undefined) throw new Error(`${found.length} buttons are called “${label}”`);
  return one;
}

/** The menu with this placeholder, or else the only menu. */
export function requireMenu(components: Fields[], placeholder?: string): Fields {
  const menus = partsOf(components).flatMap(({ part: one }) =>
    [part.stringSelect, part.userSelect, part.mentionableSelect, part.channelSelect].some(
      (type) => type === one.type,
    )
      ? [one]
      : [],
  );
  const found = menus.filter((one) => placeholder === undefined || one.placeholder === placeholder);
  if (found.length === 1 && found[0]) return found[0];
  throw new Error(`there are ${found.length} menus ${placeholder === undefined ? '' : `“${placeholder}”`}`);
}

function labelOf({ label, emoji }: Fields): string {
  const name = isFields(emoji) ? textOf(emoji.name) : '';
  return [name, textOf(label)].filter((text) => text !== '').join(' ');
}

/** The fields of a modal by their labels. */
export function fieldsByLabel(components: Fields[]): Map<string, Fields> {
  const named = listOf(components).flatMap((one): [string, Fields][] => {
    if (one.type === part.label && isFields(one.component)) return [[textOf(one.label), one.component]];
    return listOf(one.components).map((inner) => [textOf(inner.label), inner]);
  });
  return new Map(named);
}
