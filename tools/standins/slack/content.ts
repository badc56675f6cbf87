import { type Fields, fieldsOf, isFields, listOf, textOf } from '../shared/json.ts';
import { newSecret } from './ids.ts';
import { elementsOf } from './schema/rules.ts';

/** Blocks as Slack stores them: it gives ids to blocks and interactive elements that have none. */
export function withIds(blocks: Fields[]): Fields[] {
  return blocks.map((block) => {
    const stored: Fields = structuredClone({ ...block, block_id: block.block_id ?? newSecret(3) });
    for (const { element } of elementsOf(stored, '')) {
      if (element.type !== 'image' && !isText(element)) element.action_id ??= newSecret(3);
    }
    return stored;
  });
}

/** Whether a message contains a visible link, which Slack would fetch to show a preview. */
export function hasLink({ text, blocks, markdown_text }: Fields): boolean {
  return [textOf(text), textOf(markdown_text), ...listOf(blocks).flatMap(textsIn)].some((one) =>
    /https?:\/\//i.test(one),
  );
}

/** The visible texts of a block, without button labels and images. */
function textsIn(block: Fields): string[] {
  return [block.text, ...listOf(block.fields), ...listOf(block.elements)].flatMap(deepTexts);
}

function deepTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (!isFields(value) || value.type === 'button' || value.type === 'image') return [];
  return [textOf(value.text), textOf(value.url), ...listOf(value.elements).flatMap(deepTexts)];
}

function isText({ type }: Fields): boolean {
  return type === 'plain_text' || type === 'mrkdwn';
}

/** A text as a user reads it, with links, mentions and entities rendered. */
export function readable(text: string, nameOf: (id: string) => string | undefined = () => undefined): string {
  return text
    .replaceAll(/<@([UW][A-Z0-9]+)(?:\|[^>]*)?>/g, (_, id: string) => `@${nameOf(id) ?? id}`)
    .replaceAll(
      /<(https?:[^>|]*|mailto:[^>|]*)(?:\|([^>]*))?>/g,
      (_, url: string, label?: string) => label ?? url,
    )
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** Text as Slack stores and forwards it. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The text that a user reads in blocks, one line for each part. */
export function linesOf(blocks: Fields[]): string[] {
  return blocks.flatMap((block) => [
    ...shown(block.text),
    ...shown(block.label),
    ...shown(block.title),
    ...shown(block.hint),
    ...listOf(block.fields).flatMap(shown),
    ...(block.type === 'rich_text'
      ? [listOf(block.elements).flatMap(deepTexts).join('')]
      : listOf(block.elements).filter(isText).flatMap(shown)),
  ]);
}

function shown(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  const text = textOf(fieldsOf(value).text);
  return text === '' ? [] : [text];
}

/** The URLs in a message, in texts and on buttons. */
export function linksOf(text: string, blocks: Fields[]): string[] {
  const elements = blocks.flatMap((block) => elementsOf(block, '').map(({ element }) => element));
  const buttons = elements.map(({ url }) => textOf(url)).filter((url) => url !== '');
  const found = [text, ...blocks.flatMap(textsIn)].flatMap(
    (one) => one.match(/https?:\/\/[^\s<>|"')]+/g) ?? [],
  );
  return [...new Set([...buttons, ...found.map((url) => readable(url))])];
}
