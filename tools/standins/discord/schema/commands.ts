import { type Fields, fieldsOf, isFields, listOf, textOf } from '../../shared/json.ts';
import { at, broken, type Fault, fault, type Rule } from './fault.ts';

const naming = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;
const [subcommand, group, text, integer, number] = [1, 2, 3, 4, 10];
const most: Record<number, number> = { 1: 100, 2: 15, 3: 15 };

/** https://docs.discord.com/developers/interactions/application-commands#application-command-object */
export function validateCommands(commands: Fields[]): Fault[] {
  const names = commands.map(({ type, name }) => `${type ?? 1} ${name}`);
  const repeated = names.flatMap((name, index) =>
    names.indexOf(name) < index ? [fault([index, 'name'], 'is there already')] : [],
  );
  const many = Object.entries(most).filter(
    ([type, count]) => commands.filter((one) => String(one.type ?? 1) === type).length > count,
  );
  return [
    ...repeated,
    ...many.map(([type, count]) => fault([], `must be ${count} or fewer of type ${type}`)),
    ...commands.flatMap((command, index) => at([index], faultsOfCommand(command))),
  ];
}

function faultsOfCommand(command: Fields): Fault[] {
  const { type = 1, name, description, options } = command;
  if (type === 1) {
    const size = sizeOf(command);
    return [
      ...faultsOfName(name),
      ...faultsOfDescription(description),
      ...validateOptions(listOf(options), 0),
      ...(size > 8000 ? [fault([], `must be 8000 or fewer in length in all, not ${size}`)] : []),
    ];
  }
  return [
    ...(isWithin(name, 1, 32) ? [] : [fault(['name'], 'must be 1 to 32 in length')]),
    ...(textOf(description) ? [fault(['description'], 'only slash commands have one')] : []),
    ...(listOf(options).length ? [fault(['options'], 'only slash commands have them')] : []),
  ];
}

function faultsOfName(name: unknown): Fault[] {
  if (!naming.test(textOf(name)))
    return [fault(['name'], 'must be 1 to 32 letters, digits, hyphens or underscores, without spaces')];
  return textOf(name) === textOf(name).toLowerCase() ? [] : [fault(['name'], 'must be in lower case')];
}

function faultsOfDescription(description: unknown): Fault[] {
  return isWithin(description, 1, 100) ? [] : [fault(['description'], 'must be 1 to 100 in length')];
}

function validateOptions(options: Fields[], depth: number): Fault[] {
  const names = options.map(({ name }) => name);
  const optional = options.findIndex(({ required }) => required !== true);
  const isNested = ({ type }: Fields) => type === subcommand || type === group;
  const mixed = options.some(isNested) && !options.every(isNested);
  return at(
    ['options'],
    [
      ...(options.length > 25 ? [fault([], 'must be 25 or fewer in number')] : []),
      ...(mixed ? [fault([], 'subcommands cannot stand beside other options')] : []),
      ...options.flatMap((option, index) => [
        ...(names.indexOf(option.name) < index ? [fault([index, 'name'], 'is there already')] : []),
        ...(option.required === true && optional !== -1 && optional < index
          ? [fault([index, 'required'], 'required options come before optional ones')]
          : []),
        ...at([index], faultsOfOption(option, depth)),
      ]),
    ],
  );
}

function faultsOfOption(option: Fields, depth: number): Fault[] {
  const { type, name, description, options, choices, autocomplete } = option;
  const holdsOthers = listOf(options).some((one) => ![subcommand, group].includes(Number(one.type)));
  const isDeep = (type === group && depth > 0) || (type === subcommand && depth > 1);
  const rules: Rule[] = [
    [isDeep, 'type', 'cannot stand so deep'],
    [type === group && holdsOthers, 'options', 'a group holds subcommands'],
    [autocomplete === true && listOf(choices).length > 0, 'autocomplete', 'cannot go with choices'],
    [
      autocomplete === true && ![text, integer, number].some((one) => one === type),
      'autocomplete',
      'not for this type',
    ],
  ];
  return [
    ...faultsOfName(name),
    ...faultsOfDescription(description),
    ...broken(rules),
    ...validateChoices(listOf(choices), type),
    ...validateOptions(listOf(options), type === group ? 1 : depth + 1),
  ];
}

/** Faults in the choices of an option or of its autocompletion. */
export function validateChoices(choices: Fields[], type: unknown): Fault[] {
  const isRight = ({ value }: Fields) =>
    type === text
      ? typeof value === 'string' && value.length <= 100
      : typeof value === 'number' && (type !== integer || Number.isInteger(value));
  return at(
    ['choices'],
    [
      ...(choices.length > 25 ? [fault([], 'must be 25 or fewer in number')] : []),
      ...choices.flatMap((choice, index) => [
        ...(isWithin(choice.name, 1, 100) ? [] : [fault([index, 'name'], 'must be 1 to 100 in length')]),
        ...(isRight(choice)
          ? []
          : [fault([index, 'value'], 'must be of the option’s type, and 100 at most')]),
      ]),
    ],
  );
}

/** The total length of names, descriptions and values, which Discord limits for each command. */
function sizeOf(node: unknown): number {
  if (!isFields(node)) return 0;
  const { name, description, value } = node;
  const own = [name, description, value].map(textOf).join('').length;
  return (
    own +
    [...listOf(node.options), ...listOf(node.choices)].reduce((sum, one) => sum + sizeOf(fieldsOf(one)), 0)
  );
}

function isWithin(value: unknown, least: number, longest: number): boolean {
  return typeof value === 'string' && value.length >= least && value.length <= longest;
}
