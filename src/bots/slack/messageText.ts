import type { types } from '@slack/bolt';
import { escaped } from './render.ts';

type RichText = types.RichTextBlock;
type Container = RichText['elements'][number];
type Part = types.RichTextElement;

/** The names of users, channels and groups, by their ids. */
type Names = ReadonlyMap<string, string>;

type Message = { text?: string | undefined; blocks?: unknown };

/**
 * The text of a message as people see it: without the marks of code and quotes, and with links by their labels. Slack
 * keeps that in rich text. Messages of apps may have none; theirs is Slack's markup (docs.slack.dev, “Formatting message
 * text”).
 */
export function messageText({ text = '', blocks }: Message, names: Names = new Map()): string {
  const richText = richTextIn(blocks);
  const known = new Map([...namesInMarkup(text), ...names]);
  if (richText.length === 0) return fromMarkup(text, known);
  return joined(richText.flatMap(({ elements }) => elements.map((each) => containerText(each, known))));
}

/** The ids of the users that a message mentions. */
export function mentionsIn({ text = '', blocks }: Message): string[] {
  const parts = richTextIn(blocks).flatMap(({ elements }) => elements.flatMap(partsOf));
  const inMarkup = [...text.matchAll(/<@(\w+)>/g)].flatMap(([, user]) => user ?? []);
  return [
    ...new Set([...parts.flatMap((part) => (part.type === 'user' ? [part.user_id] : [])), ...inMarkup]),
  ];
}

/** Rich text has ids alone, but the markup of the same message may name what it mentions: `<#C1|general>`. */
const namesInMarkup = (text: string): [id: string, name: string][] =>
  [...text.matchAll(/<(?:@|#|!subteam\^)(\w+)\|[@#]?([^>]+)>/g)].map(([, id = '', name = '']) => [
    id,
    unescaped(name),
  ]);

const richTextIn = (blocks: unknown): RichText[] =>
  Array.isArray(blocks) ? blocks.filter((block): block is RichText => block?.type === 'rich_text') : [];

function partsOf(container: Container): Part[] {
  return container.type === 'rich_text_list'
    ? container.elements.flatMap(({ elements }) => elements)
    : container.elements;
}

function containerText(container: Container, names: Names): string {
  const textOf = (parts: Part[]) => parts.map((part) => partText(part, names)).join('');
  if (container.type !== 'rich_text_list') return textOf(container.elements);
  const { style, indent = 0, elements } = container;
  const offset = 'offset' in container ? Number(container.offset) : 0;
  const mark = (at: number) => (style === 'ordered' ? `${offset + at + 1}. ` : '• ');
  return elements
    .map(({ elements: parts }, at) => `${'    '.repeat(indent)}${mark(at)}${textOf(parts)}`)
    .join('\n');
}

function partText(part: Part, names: Names): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'link':
      return part.text ?? part.url.replace(/^mailto:/, '');
    case 'emoji':
      return part.unicode === undefined
        ? `:${part.name}:`
        : String.fromCodePoint(...part.unicode.split('-').map((code) => Number.parseInt(code, 16)));
    case 'user':
      return `@${names.get(part.user_id) ?? part.user_id}`;
    case 'broadcast':
      return `@${part.range}`;
    case 'channel':
      return `#${names.get(part.channel_id) ?? part.channel_id}`;
    case 'usergroup':
      return `@${names.get(part.usergroup_id) ?? part.usergroup_id}`;
    case 'color':
      return part.value;
    case 'date':
      return part.fallback ?? new Date(part.timestamp * 1_000).toISOString();
    default:
      return '';
  }
}

/** Each container begins on a line of its own. */
function joined(texts: string[]): string {
  return texts.reduce((all, text) => (all === '' || all.endsWith('\n') ? all + text : `${all}\n${text}`), '');
}

/** Slack escapes three characters, and marks up links and mentions; links that it found itself keep what was typed. */
function fromMarkup(text: string, names: Names): string {
  const named = (_match: string, sign: string, id: string) =>
    (sign === '#' ? '#' : '@') + escapedName(names, id);
  return unescaped(
    text
      .replace(
        /<((?:https?|mailto|tel):[^>|]*)(?:\|([^>]*))?>/g,
        (_match, url: string, label?: string) => label ?? url.replace(/^mailto:/, ''),
      )
      .replace(/<(@|#|!subteam\^)(\w+)(?:\|[^>]*)?>/g, named)
      .replace(/<!date\^[^>|]*\|([^>]*)>/g, '$1')
      .replace(/<!(here|channel|everyone)(?:\|[^>]*)?>/g, '@$1'),
  );
}

/** A name as Slack would have written it in the markup. */
const escapedName = (names: Names, id: string): string => escaped(names.get(id) ?? id);

const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
