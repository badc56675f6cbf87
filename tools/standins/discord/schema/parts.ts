import { type Fields, isFields, listOf } from '../../shared/json.ts';

export const part = {
  row: 1,
  button: 2,
  stringSelect: 3,
  textInput: 4,
  userSelect: 5,
  roleSelect: 6,
  mentionableSelect: 7,
  channelSelect: 8,
  section: 9,
  textDisplay: 10,
  container: 17,
  label: 18,
  fileUpload: 19,
  radioGroup: 21,
  checkboxGroup: 22,
  checkbox: 23,
} as const;

export const buttonStyle = { link: 5, premium: 6 } as const;

export type Placed = { part: Fields; place: (string | number)[] };

/** All components including nested ones, in reading order. */
export function partsOf(components: unknown, place: (string | number)[] = ['components']): Placed[] {
  return listOf(components).flatMap((one, index) => withParts(one, [...place, index]));
}

function withParts(one: Fields, place: (string | number)[]): Placed[] {
  const single = ['component', 'accessory'].flatMap((name) => {
    const inner = one[name];
    return isFields(inner) ? withParts(inner, [...place, name]) : [];
  });
  return [{ part: one, place }, ...partsOf(one.components, [...place, 'components']), ...single];
}

export function isSelect({ type }: Fields): boolean {
  return [
    part.stringSelect,
    part.userSelect,
    part.roleSelect,
    part.mentionableSelect,
    part.channelSelect,
  ].some((one) => one === type);
}

/** The paths of repeated values that must be unique. */
export function repeatsOf(placed: Placed[], name: string): { place: (string | number)[]; value: unknown }[] {
  const seen = new Set<unknown>();
  return placed.flatMap((one) => {
    const value = one.part[name];
    if (value === undefined || value === null || value === 0) return [];
    if (seen.has(value)) return [{ place: [...one.place, name], value }];
    seen.add(value);
    return [];
  });
}
