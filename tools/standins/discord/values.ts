import { type Fields, listOf, textOf } from '../shared/json.ts';
import { part, partsOf } from './schema/parts.ts';
import type { Attachment, Entered, Place, User } from './things.ts';

/** A file on a user's machine. */
export type UserFile = { name: string; content: string | Buffer; type?: string };

/** The initial entries of a modal, by custom id. */
export function initialValues(components: Fields[], users: User[]): Map<string, Entered> {
  const entries = partsOf(components).flatMap(({ part: one }): [string, Entered][] => {
    const value = initialValue(one, users);
    return value ? [[textOf(one.custom_id), value]] : [];
  });
  return new Map(entries);
}

function initialValue(one: Fields, users: User[]): Entered | undefined {
  const chosen = listOf(one.options)
    .filter((option) => option.default === true)
    .map(({ value }) => textOf(value));
  const ids = listOf(one.default_values).map(({ id }) => textOf(id));
  switch (one.type) {
    case part.textInput:
      return { value: textOf(one.value) };
    case part.stringSelect:
    case part.checkboxGroup:
      return { values: chosen };
    case part.radioGroup:
      return { value: chosen[0] ?? null };
    case part.checkbox:
      return { value: one.default === true };
    case part.userSelect:
    case part.mentionableSelect:
      return { values: ids, users: users.filter(({ id }) => ids.includes(id)) };
    case part.channelSelect:
    case part.roleSelect:
      return { values: ids };
    case part.fileUpload:
      return { values: [], files: [] };
    default:
      return undefined;
  }
}

/** The source of a user's entry. */
export type EntryResolvers = {
  requireUser(id: string): User;
  requirePlace(id: string): Place;
  upload(file: UserFile): Attachment;
};

/**
 * Converts a user's entry for a component: a text, option labels, users, channels,
 * files, or a boolean. Throws if the component does not offer it.
 */
export function enteredValue(one: Fields, label: string, entry: unknown, ways: EntryResolvers): Entered {
  const list = entry === null ? [] : Array.isArray(entry) ? entry : [entry];
  switch (one.type) {
    case part.textInput:
      return { value: String(entry ?? '') };
    case part.checkbox:
      return { value: entry === true };
    case part.radioGroup:
      return { value: entry === null ? null : optionValue(one, label, entry) };
    case part.stringSelect:
    case part.checkboxGroup:
      return { values: list.map((item) => optionValue(one, label, item)) };
    case part.userSelect:
    case part.mentionableSelect: {
      const users = list.map((item) => ways.requireUser(idOf(item)));
      return { values: users.map(({ id }) => id), users };
    }
    case part.channelSelect: {
      const places = list.map((item) => ways.requirePlace(idOf(item)));
      return { values: places.map(({ id }) => id), places };
    }
    case part.fileUpload: {
      const files = list.map((item) => ways.upload(item as UserFile));
      return { values: files.map(({ id }) => id), files };
    }
    default:
      throw new Error(`nothing can be entered at “${label}”`);
  }
}

export function idOf(item: unknown): string {
  return typeof item === 'object' && item !== null && 'id' in item ? String(item.id) : String(item);
}

export function optionsOf(one: Fields): string[] {
  return listOf(one.options).map(({ label }) => textOf(label));
}

function optionValue(one: Fields, label: string, entry: unknown): string {
  const option = listOf(one.options).find((candidate) => candidate.label === entry);
  if (option) return textOf(option.value);
  throw new Error(`“${label}” offers ${optionsOf(one).join(', ') || 'nothing'}, not ${entry}`);
}

/** An entry as the user sees it: texts, option labels, names of users and files. */
export function readEntry(one: Fields, entered: Entered): unknown {
  const { value, values = [], users, places, files } = entered;
  if (users) return users.map(({ name }) => name);
  if (places) return places.map(({ name }) => name);
  if (files) return files.map(({ filename }) => filename);
  const labelOf = (chosen: unknown) =>
    listOf(one.options).find((option) => option.value === chosen)?.label ?? chosen;
  return value === undefined ? values.map(labelOf) : labelOf(value);
}

/** The error that Discord shows for a component on submission. Undefined if it is valid. */
export function entryError(one: Fields, entered: Entered): string | undefined {
  const { value, values } = entered;
  const isRequired = one.required !== false;
  if (typeof value === 'string' && one.type === part.textInput) return textError(one, value, isRequired);
  if (value === null) return isRequired ? 'This field is required.' : undefined;
  if (values === undefined) return undefined;
  if (values.length === 0) return isRequired ? 'This field is required.' : undefined;
  const [least, most] = [Number(one.min_values ?? 1), Number(one.max_values ?? mostOf(one))];
  if (values.length < least) return `At least ${least}, please.`;
  return values.length > most ? `At most ${most}, please.` : undefined;
}

function mostOf({ type, options }: Fields): number {
  return type === part.checkboxGroup ? listOf(options).length : 1;
}

function textError(one: Fields, value: string, isRequired: boolean): string | undefined {
  const most = Number(one.max_length ?? 4000);
  if (value === '') return isRequired ? 'This field is required.' : undefined;
  if (value.length > most) return `Must be ${most} or fewer in length.`;
  const least = Number(one.min_length ?? 0);
  return value.length < least ? `Must be ${least} or more in length.` : undefined;
}
