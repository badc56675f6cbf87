import { type Fields, fieldsOf, listOf, textOf } from '../shared/json.ts';
import { linesOf } from './content.ts';
import { elementsOf } from './schema/rules.ts';
import { labelOf, optionsOf } from './values.ts';

export type Found = { block: Fields; element: Fields };

/** Selects one of several: the first one in or below the block with this text. */
export type Beside = { beside?: string };

function interactive(blocks: Fields[]): Found[] {
  return blocks.flatMap((block) => elementsOf(block, '').map(({ element }) => ({ block, element })));
}

export function buttonsOf(blocks: Fields[]): string[] {
  return interactive(blocks)
    .filter(({ element }) => isButton(element))
    .map(({ element }) => labelOf(element));
}

/** The only button with this text, or the first one `beside` a text. Throws if a user would not find it. */
export function requireButton(blocks: Fields[], label: string, { beside }: Beside = {}): Found {
  const from =
    beside === undefined ? 0 : blocks.findIndex((block) => linesOf([block]).join('\n').includes(beside));
  if (from === -1) throw new Error(`“${beside}” stands nowhere`);
  const found = interactive(blocks.slice(from)).filter(
    ({ element }) => isButton(element) && labelOf(element) === label,
  );
  const [first] = found;
  if (!first)
    throw new Error(`there is no button “${label}”, only ${buttonsOf(blocks).join(', ') || 'none at all'}`);
  if (found.length > 1 && beside === undefined)
    throw new Error(`${found.length} buttons are called “${label}”`);
  return first;
}

/** The menu with this placeholder, or else the menu with this option. */
export function requireMenu(blocks: Fields[], entry: unknown, at?: string): Found {
  const found = interactive(blocks).find(({ element }) =>
    at === undefined
      ? optionsOf(element).some((option) => labelOf(option) === entry)
      : textOf(fieldsOf(element.placeholder).text) === at,
  );
  if (!found) throw new Error(`there is no menu ${at === undefined ? `with “${entry}”` : `“${at}”`}`);
  return found;
}

/** The fields of a modal: inputs by their labels, menus in sections by the section's text. */
export function fieldsByLabel(blocks: Fields[]): Map<string, Found> {
  const named = blocks.flatMap((block): [string, Found][] => {
    if (block.type === 'input') {
      return [[textOf(fieldsOf(block.label).text), { block, element: fieldsOf(block.element) }]];
    }
    const elements = [block.accessory, ...listOf(block.elements)].map(fieldsOf);
    return elements
      .filter(
        (element) => !isButton(element) && (element.placeholder !== undefined || block.type === 'section'),
      )
      .map((element) => {
        const name = block.type === 'section' ? labelOf(block) : textOf(fieldsOf(element.placeholder).text);
        return [name, { block, element }];
      });
  });
  return new Map(named);
}

function isButton({ type }: Fields): boolean {
  return type === 'button' || type === 'icon_button';
}
