import { type APIModalSubmission, ComponentType } from 'discord.js';
import { type FormSubmission, type FormValues, formIds } from '../form.ts';
import { parseCustomId } from './customIds.ts';
import { listSuffix } from './form.ts';
import { decodeDiscordState } from './modalState.ts';

type SubmittedComponent = Extract<
  APIModalSubmission['components'][number],
  { type: ComponentType.Label }
>['component'];

/** The input of a modal, or undefined if the modal is not one of our forms. */
export function maybeReadForm({ custom_id, components }: APIModalSubmission): FormSubmission | undefined {
  const { action, value } = parseCustomId(custom_id);
  const id = Object.values(formIds).find((each) => each === action);
  return id && { id, values: readValues(components), state: decodeDiscordState(id, value) };
}

const readValues = (components: APIModalSubmission['components']): FormValues =>
  Object.fromEntries(
    components.flatMap((each) => (each.type === ComponentType.Label ? [readComponent(each.component)] : [])),
  );

function readComponent(component: SubmittedComponent): [name: string, value: string | string[] | undefined] {
  const { custom_id: name } = component;
  if ('value' in component) return [name, String(component.value ?? '') || undefined];
  const values = 'values' in component ? component.values : [];
  if (name.endsWith(listSuffix)) return [name.slice(0, -listSuffix.length), values];
  return [name, component.type === ComponentType.StringSelect ? values[0] : values];
}
