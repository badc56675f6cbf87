import { type Fields, fieldsOf, listOf, textOf } from '../../shared/json.ts';
import { flag } from '../things.ts';
import { validateComponents } from './components.ts';
import { broken, type Fault, fault, type Rule } from './fault.ts';
import { part, partsOf } from './parts.ts';

export type MessageKind = 'posted' | 'response' | 'deferred' | 'edited';

const { suppressEmbeds, ephemeral, suppressNotifications, voiceMessage, componentsV2 } = flag;
const posted = suppressEmbeds | suppressNotifications | voiceMessage | componentsV2;
const settable: Record<MessageKind, number> = {
  posted,
  response: posted | ephemeral,
  deferred: ephemeral,
  edited: suppressEmbeds | componentsV2,
};

/** https://docs.discord.com/developers/resources/message#create-message */
export function validateMessage(kind: MessageKind, message: Fields): Fault[] {
  const { content, embeds, components, flags, allowed_mentions, nonce } = message;
  const isV2 = (Number(flags ?? 0) & componentsV2) !== 0;
  const forbiddenFlags = Number(flags ?? 0) & ~settable[kind];
  const rules: Rule[] = [
    [textOf(content).length > 2000, 'content', 'must be 2000 or fewer in length'],
    [forbiddenFlags !== 0, 'flags', `${forbiddenFlags} cannot be set here`],
    [
      isV2 && (Boolean(textOf(content)) || listOf(embeds).length > 0),
      'content',
      'has no place beside components v2',
    ],
    [!isV2 && needsV2(components), 'components', 'these need the flag 32768'],
    [!isV2 && listOf(components).length > 5, 'components', 'must be 5 or fewer rows'],
    [String(nonce ?? '').length > 25, 'nonce', 'must be 25 or fewer in length'],
    [message.enforce_nonce === true && nonce === undefined, 'nonce', 'is needed for enforce_nonce'],
  ];
  return [
    ...broken(rules),
    ...validateComponents(components),
    ...partsOf(components).flatMap(({ part: one, place }) =>
      isForModals(one) && !place.includes('component')
        ? [fault([...place, 'type'], 'can be in modals only')]
        : [],
    ),
    ...validateEmbeds(listOf(embeds)),
    ...validateMentions(fieldsOf(allowed_mentions)),
  ];
}

/** Whether a message is empty, which Discord refuses. */
export function isEmpty(message: Fields, files: number): boolean {
  const { content, embeds, components, sticker_ids, poll, attachments } = message;
  const lists = [embeds, components, sticker_ids, attachments];
  return (
    !textOf(content) && !poll && files === 0 && lists.every((list) => !Array.isArray(list) || !list.length)
  );
}

function needsV2(components: unknown): boolean {
  return listOf(components).some((one) => one.type !== part.row && !isForModals(one));
}

function isForModals({ type }: Fields): boolean {
  return Number(type) >= part.label || type === part.textInput;
}

/** https://docs.discord.com/developers/resources/message#embed-object-embed-limits */
function validateEmbeds(embeds: Fields[]): Fault[] {
  const length = embeds.flatMap(textsOfEmbed).join('').length;
  const empty = embeds.findIndex((embed) => !textsOfEmbed(embed).length && !embed.image && !embed.thumbnail);
  return [
    ...(length > 6000 ? [fault(['embeds'], `must be 6000 or fewer in length in all, not ${length}`)] : []),
    ...(empty >= 0 ? [fault(['embeds', empty], 'shows nothing')] : []),
  ];
}

export function textsOfEmbed({ title, description, fields, footer, author }: Fields): string[] {
  return [
    textOf(fieldsOf(author).name),
    textOf(title),
    textOf(description),
    ...listOf(fields).flatMap(({ name, value }) => [textOf(name), textOf(value)]),
    textOf(fieldsOf(footer).text),
  ].filter((text) => text !== '');
}

function validateMentions({ parse, users, roles }: Fields): Fault[] {
  const parsed = Array.isArray(parse) ? parse : [];
  const both = Object.entries({ users, roles }).filter(
    ([name, ids]) => parsed.includes(name) && Array.isArray(ids) && ids.length > 0,
  );
  return both.map(([name]) => fault(['allowed_mentions', name], 'cannot go with the same in `parse`'));
}

/** The side effects of a message: link previews and mentions. */
export function noisesOf(message: Fields, flags: number): string[] {
  const { content, embeds, components, allowed_mentions } = message;
  const hasContent = Boolean(textOf(content)) || listOf(embeds).length > 0 || needsV2(components);
  const { parse, users, roles, replied_user } = fieldsOf(allowed_mentions);
  const isMute =
    Array.isArray(parse) && [parse, users, roles].every((list) => !Array.isArray(list) || !list.length);
  return [
    ...(hasContent && (!isMute || replied_user === true)
      ? ['may mention people: allowed_mentions is not empty']
      : []),
    ...(hasContent && (flags & suppressEmbeds) === 0
      ? ['may show previews of links: SUPPRESS_EMBEDS is not set']
      : []),
  ];
}
