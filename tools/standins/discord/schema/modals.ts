import { type Fields, listOf, textOf } from '../../shared/json.ts';
import { validateComponents } from './components.ts';
import { broken, type Fault, type Rule } from './fault.ts';
import { type Placed, part, partsOf } from './parts.ts';

/** https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-response-object-modal */
export function validateModal({ custom_id, title, components }: Fields): Fault[] {
  const rules: Rule[] = [
    [!isWithin(custom_id, 100), 'custom_id', 'must be 1 to 100 in length'],
    [!isWithin(title, 45), 'title', 'must be 1 to 45 in length'],
    [!listOf(components).length || listOf(components).length > 5, 'components', 'must be 1 to 5 in number'],
  ];
  return [...broken(rules), ...validateComponents(components), ...partsOf(components).flatMap(faultsInModal)];
}

const outermost: unknown[] = [part.row, part.label, part.textDisplay];

function faultsInModal({ part: one, place }: Placed): Fault[] {
  const isRequired = one.required !== false;
  const rules: Rule[] = [
    [place.length === 2 && !outermost.includes(one.type), 'type', 'must be in a label'],
    [one.type === part.button, 'type', 'a modal has no buttons'],
    [one.disabled === true, 'disabled', 'nothing in a modal can be disabled'],
    [one.min_values === 0 && isRequired, 'min_values', 'must be 1 or more unless `required` is false'],
    [one.type === part.label && !isWithin(one.label, 45), 'label', 'must be 1 to 45 in length'],
    [inRow(place) && !isWithin(one.label, 45), 'label', 'a text input in a row needs 1 to 45 characters'],
  ];
  return broken(rules, place);
}

function inRow(place: (string | number)[]): boolean {
  return place.length === 4 && place[2] === 'components';
}

function isWithin(text: unknown, most: number): boolean {
  return textOf(text).length >= 1 && textOf(text).length <= most;
}
