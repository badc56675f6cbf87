import type { Fields } from '../shared/json.ts';
import { contentOf, isEmpty } from './values.ts';

/** The error that Slack shows for an input on submission. Undefined if it is valid. */
export function inputErrorOf(block: Fields, element: Fields, value: Fields): string | undefined {
  if (isEmpty(value)) return block.optional === true ? undefined : 'Please complete this required field.';
  const content = contentOf(value);
  if (element.type === 'plain_text_input' && typeof content === 'string') {
    const most = Number(element.max_length ?? 3000);
    if (content.length > most) return `Please enter at most ${most} characters.`;
    if (content.length < Number(element.min_length ?? 0))
      return `Please enter at least ${element.min_length} characters.`;
  }
  if (
    Array.isArray(content) &&
    content.length > Number(element.max_selected_items ?? Number.POSITIVE_INFINITY)
  ) {
    return `Please choose at most ${element.max_selected_items}.`;
  }
  if (element.type === 'number_input') return numberErrorOf(element, String(content));
  return undefined;
}

function numberErrorOf(element: Fields, content: string): string | undefined {
  const number = Number(content);
  if (content.trim() === '' || Number.isNaN(number)) return 'Please enter a number.';
  if (element.is_decimal_allowed !== true && !Number.isInteger(number)) return 'Please enter a whole number.';
  if (number < Number(element.min_value)) return `Please enter at least ${element.min_value}.`;
  if (number > Number(element.max_value)) return `Please enter at most ${element.max_value}.`;
  return undefined;
}
