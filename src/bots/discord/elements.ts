import {
  type APIComponentInLabel,
  type APILabelComponent,
  type APIModalSubmission,
  ComponentType,
  SelectMenuDefaultValueType,
  TextInputStyle,
} from 'discord-api-types/v10';
import type { Choice } from '../choices.ts';

/** The parts of modals, and what people put into them. */

const label = (text: string, component: APIComponentInLabel, description?: string): APILabelComponent => ({
  type: ComponentType.Label,
  label: text,
  component,
  ...(description && { description }),
});

type TextOptions = { max: number; placeholder?: string; required?: boolean; isLong?: boolean };

export const textInput = (
  id: string,
  name: string,
  { max, placeholder, required = false, isLong = false }: TextOptions,
): APILabelComponent =>
  label(name, {
    type: ComponentType.TextInput,
    custom_id: id,
    style: isLong ? TextInputStyle.Paragraph : TextInputStyle.Short,
    required,
    max_length: max,
    ...(placeholder && { placeholder }),
  });

export const userSelect = (
  id: string,
  name: string,
  { required, preset }: { required: boolean; preset?: string | undefined },
  description: string,
): APILabelComponent =>
  label(
    name,
    {
      type: ComponentType.UserSelect,
      custom_id: id,
      required,
      min_values: required ? 1 : 0,
      max_values: usersMax,
      ...(preset && { default_values: [{ id: preset, type: SelectMenuDefaultValueType.User }] }),
    },
    description,
  );

const usersMax = 20;

export const stringSelect = (
  id: string,
  name: string,
  choices: Choice[],
  selected: string,
): APILabelComponent =>
  label(name, {
    type: ComponentType.StringSelect,
    custom_id: id,
    options: choices.map((each) => ({ ...each, ...(each.value === selected && { default: true }) })),
  });

/** A menu of which any number may be chosen. */
export const checkboxes = (
  id: string,
  name: string,
  choices: Choice[],
  selected: string[],
): APILabelComponent =>
  label(name, {
    type: ComponentType.StringSelect,
    custom_id: id,
    required: false,
    min_values: 0,
    max_values: choices.length,
    options: choices.map((each) => ({ ...each, ...(selected.includes(each.value) && { default: true }) })),
  });

export const fileUpload = (id: string, name: string): APILabelComponent =>
  label(name, {
    type: ComponentType.FileUpload,
    custom_id: id,
    required: false,
    min_values: 0,
    max_values: filesMax,
  });

/** Discord takes no more in one field. */
const filesMax = 10;

/** What was put into a modal, by the ids of its inputs. */
export function readFields({ components }: APIModalSubmission) {
  const inputs = new Map(
    components.flatMap((each) =>
      each.type === ComponentType.Label ? [[each.component.custom_id, each.component] as const] : [],
    ),
  );
  const values = (id: string): string[] => {
    const field = inputs.get(id);
    return field !== undefined && 'values' in field ? field.values : [];
  };
  const text = (id: string): string | undefined => {
    const field = inputs.get(id);
    return field !== undefined && 'value' in field ? String(field.value ?? '') || undefined : undefined;
  };
  return {
    text,
    values,
    choice: (id: string): string | undefined => values(id)[0],
    number: (id: string): number | undefined => Number(values(id)[0] ?? Number.NaN) || undefined,
  };
}
