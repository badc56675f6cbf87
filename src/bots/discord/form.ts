import {
  type APIComponentInLabel,
  type APILabelComponent,
  type APIModalSubmission,
  type APITextDisplayComponent,
  ComponentType,
  type APIModalInteractionResponseCallbackData as Modal,
  type ModalSubmitLabelComponent,
  SelectMenuDefaultValueType,
  TextInputStyle,
} from 'discord.js';
import {
  type FormField,
  type FormSpec,
  type FormSubmission,
  type FormValues,
  formIds,
  type InputField,
  type Option,
} from '../form.ts';
import { buildCustomId, decodeDiscordState, encodeDiscordState, parseCustomId } from './customIds.ts';

/** A text input, a file upload and a user select take no more (docs.discord.com, “Components reference”). */
const textMax = 4_000;
const filesMax = 10;
const usersMax = 25;

/** Ends the custom id of a select menu whose field is a list: its submission does not tell. */
const listSuffix = '[]';

/** A form as a modal. Discord takes five components. */
export const renderDiscordForm = ({ id, title, fields, state }: FormSpec): Modal => ({
  custom_id: buildCustomId(id, encodeDiscordState(id, state)),
  title,
  components: fields.flatMap(renderField),
});

function renderField(field: FormField): (APILabelComponent | APITextDisplayComponent)[] {
  switch (field.type) {
    case 'info':
      return [{ type: ComponentType.TextDisplay, content: field.text }];
    case 'heading':
      return [{ type: ComponentType.TextDisplay, content: `### ${field.text}` }];
    case 'button':
      return []; // modals have none
    default:
      return [
        {
          type: ComponentType.Label,
          label: field.label,
          component: renderInput(field),
          ...(field.hint && field.type !== 'text' && { description: field.hint }), // which shows it inside
        },
      ];
  }
}

function renderInput(field: InputField): APIComponentInLabel {
  const { name: custom_id, isRequired: required = false } = field;
  const min_values = required ? 1 : 0;
  switch (field.type) {
    case 'files':
      return { type: ComponentType.FileUpload, custom_id, required, min_values, max_values: filesMax };
    case 'text':
      return {
        type: ComponentType.TextInput,
        custom_id,
        style: field.isMultiline ? TextInputStyle.Paragraph : TextInputStyle.Short,
        required,
        max_length: field.maxLength ?? textMax,
        ...(field.hint && { placeholder: field.hint }),
        ...(field.value && { value: field.value }),
      };
    case 'people': {
      const users = (field.selected ?? []).slice(0, usersMax);
      return {
        ...{ type: ComponentType.UserSelect, custom_id, required, min_values },
        max_values: Math.min(field.max, usersMax),
        ...(users.length > 0 && {
          default_values: users.map((id) => ({ id, type: SelectMenuDefaultValueType.User as const })),
        }),
      };
    }
    case 'choice':
      return { type: ComponentType.StringSelect, custom_id, options: optionsOf(field, [field.selected]) };
    case 'checkboxes':
      return {
        ...{ type: ComponentType.StringSelect, custom_id: custom_id + listSuffix, required: false },
        min_values: 0,
        max_values: field.max ?? field.options.length,
        options: optionsOf(field, field.selected),
      };
  }
}

const optionsOf = ({ options }: { options: Option[] }, selected: string[]) =>
  options.map((option) => ({ ...option, ...(selected.includes(option.value) && { default: true }) }));

/** The input of a modal, or undefined if the modal is not one of our forms. */
export function maybeReadForm({ custom_id, components }: APIModalSubmission): FormSubmission | undefined {
  const { action, value } = parseCustomId(custom_id);
  const id = Object.values(formIds).find((each) => each === action);
  const values = components.flatMap((each) =>
    each.type === ComponentType.Label ? [readComponent(each.component)] : [],
  );
  return id && { id, values: Object.fromEntries(values), state: decodeDiscordState(id, value) };
}

function readComponent(component: ModalSubmitLabelComponent['component']): [string, FormValues[string]] {
  const { custom_id: name } = component;
  if ('value' in component) return [name, String(component.value ?? '') || undefined];
  const values = 'values' in component ? component.values : [];
  if (name.endsWith(listSuffix)) return [name.slice(0, -listSuffix.length), values];
  return [name, component.type === ComponentType.StringSelect ? values[0] : values];
}
