import { type Fields, listOf, textOf } from '../shared/json.ts';
import { ownersIn } from './owners.ts';
import type { Platform } from './platform.ts';
import type { Attachment, Command, Owners, Place, User } from './things.ts';
import { type EntryResolvers, idOf, type UserFile } from './values.ts';

const option = { subcommand: 1, group: 2, text: 3, integer: 4, boolean: 5, user: 6, channel: 7 } as const;
const [mentionable, number, attachment] = [9, 10, 11];

type OfferedCommand = { command: Command; owners: Owners };

/** The command that a user is offered in a place. Throws if they would not find it. */
export function requireOffered(
  platform: Platform,
  { user, place, name, type }: { user: User; place: Place; name: string; type: number },
): OfferedCommand {
  const { commands } = platform.world.app;
  const command = commands.find((one) => one.name === name && one.type === type);
  const names = commands.filter((one) => one.type === type).map((one) => one.name);
  if (!command) throw new Error(`there is no command “${name}”, only ${names.join(', ') || 'none at all'}`);
  const owners = ownersIn(platform, user, place, command);
  if (Object.keys(owners).length > 0) return { command, owners };
  throw new Error(`“${name}” is not offered to ${user.name} in ${place.name || `a ${place.kind}`}`);
}

/** The options that a user entered, in the form that the app receives. */
export type ResolvedOptions = { options: Fields[]; users: User[]; places: Place[]; files: Attachment[] };

/**
 * Converts the values that users enter: texts, numbers, names of choices, users, channels, files.
 * Throws if Discord would not let them send these. `focused` is the option being typed: its value
 * is used as it is, and no other option is required yet.
 */
export function giveOptions(
  command: Command,
  path: string[],
  values: Record<string, unknown>,
  ways: EntryResolvers,
  focused?: string,
): ResolvedOptions & { focused: Fields | undefined } {
  const resolved: ResolvedOptions = { options: [], users: [], places: [], files: [] };
  const definitions = listOf(definitionAt(command, path).options);
  const unknownOptions = Object.keys(values).filter((name) => !definitions.some((one) => one.name === name));
  if (unknownOptions.length > 0) throw new Error(`there is no option ${unknownOptions.join(', ')}`);
  const missing = definitions.filter(
    (one) => one.required === true && values[textOf(one.name)] === undefined,
  );
  if (missing.length > 0 && focused === undefined)
    throw new Error(`the option ${missing.map(({ name }) => name).join(', ')} is required`);
  for (const definition of definitions) {
    const name = textOf(definition.name);
    const entry = values[name];
    if (entry === undefined) continue;
    const isFocused = name === focused;
    const value = isFocused ? entry : takenValue(definition, entry, resolved, ways);
    resolved.options.push({ name, type: definition.type, value, ...(isFocused && { focused: true }) });
  }
  return {
    ...resolved,
    options: nested(command, path, resolved.options),
    focused: definitions.find(({ name }) => name === focused),
  };
}

function definitionAt(command: Fields, path: string[]): Fields {
  return path.reduce((at, name) => {
    const found = listOf(at.options).find((one) => one.name === name && Number(one.type) <= option.group);
    if (!found) throw new Error(`“${textOf(at.name)}” has no “${name}”`);
    return found;
  }, command);
}

function nested(command: Fields, [name, ...rest]: string[], options: Fields[]): Fields[] {
  if (name === undefined) {
    if (listOf(command.options).some(({ type }) => Number(type) <= option.group))
      throw new Error(`“${textOf(command.name)}” needs one of its subcommands`);
    return options;
  }
  const inner = definitionAt(command, [name]);
  return [{ name, type: inner.type, options: nested(inner, rest, options) }];
}

function takenValue(
  definition: Fields,
  entry: unknown,
  given: ResolvedOptions,
  ways: EntryResolvers,
): unknown {
  const { type, choices } = definition;
  if (listOf(choices).length > 0) {
    const choice = listOf(choices).find(({ name }) => name === entry);
    if (choice) return choice.value;
    const names = listOf(choices).map(({ name }) => name);
    throw new Error(`“${textOf(definition.name)}” offers ${names.join(', ')}, not ${entry}`);
  }
  if (type === option.user || type === mentionable) {
    const user = ways.requireUser(idOf(entry));
    given.users.push(user);
    return user.id;
  }
  if (type === option.channel) {
    const place = ways.requirePlace(idOf(entry));
    given.places.push(place);
    return place.id;
  }
  if (type === attachment) {
    const file = ways.upload(entry as UserFile);
    given.files.push(file);
    return file.id;
  }
  const error = optionError(definition, entry);
  if (error !== undefined) throw new Error(`“${textOf(definition.name)}” ${error}`);
  return entry;
}

function optionError({ type, min_length, max_length, min_value, max_value }: Fields, entry: unknown) {
  if (type === option.boolean) return typeof entry === 'boolean' ? undefined : 'wants yes or no';
  if (type === option.text) {
    if (typeof entry !== 'string') return 'wants a text';
    return entry.length < Number(min_length ?? 0) || entry.length > Number(max_length ?? 6000)
      ? 'is too short or too long'
      : undefined;
  }
  if (type !== option.integer && type !== number) return 'wants something that this Discord does not have';
  if (typeof entry !== 'number' || (type === option.integer && !Number.isInteger(entry)))
    return 'wants a number';
  const isWithin = entry >= Number(min_value ?? -(2 ** 53)) && entry <= Number(max_value ?? 2 ** 53);
  return isWithin ? undefined : 'is too small or too large';
}
