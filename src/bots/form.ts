import type { Button } from './card.ts';

export type Option = { label: string; value: string };

type Input = {
  name: string;
  label: string;
  isRequired?: boolean;
  /** A short explanation, inside or beside the input. */
  hint?: string;
};

/** An input, or something between the inputs. */
export type FormField =
  /** Without `maxLength`, as long as the chat allows. */
  | (Input & { type: 'text'; maxLength?: number; isMultiline?: boolean; value?: string | undefined })
  /** Members of the chat, by their addresses. */
  | (Input & { type: 'people'; max: number; selected?: string[] | undefined })
  | (Input & { type: 'choice'; options: Option[]; selected: string })
  /** `isLong` where there are many options, which need a menu. */
  | (Input & { type: 'checkboxes'; options: Option[]; selected: string[]; max?: number; isLong?: boolean })
  | (Input & { type: 'files' })
  | { type: 'info'; text: string }
  | { type: 'heading'; text: string }
  /** Chats without buttons in modals leave it out. */
  | { type: 'button'; button: Button };

export const formIds = {
  push: 'push.form',
  request: 'request.form',
  requestLink: 'request.link.form',
  share: 'send.form',
  settings: 'settings.form',
  rules: 'rules.form',
  confirmLink: 'link.form',
} as const;

export type FormId = (typeof formIds)[keyof typeof formIds];

/** What a form carries until it is submitted, hidden from people. Discord has room for about 90 characters. */
export type FormState = {
  /** The request that a push answers. */
  requestId?: string | undefined;
  /** The draft that holds the secret. */
  draftToken?: string | undefined;
  /** Whether that draft is the text of a message. */
  isFromMessage?: boolean | undefined;
  /** The link request that is confirmed. */
  linkId?: string | undefined;
  /** The push that is shared. */
  pushId?: string | undefined;
  /** Whether the settings form includes the workspace's rules. */
  hasRules?: boolean | undefined;
  /** Chosen before the form was opened. */
  views?: number | undefined;
  /** A count of minutes, hours or days, such as `8h`. */
  expires?: string | undefined;
  name?: string | undefined;
};

/** A form as data. Each chat renders it as a modal, and reads the submission into `FormValues`. */
export type FormSpec = {
  id: FormId;
  title: string;
  submit: string;
  cancel: string;
  fields: FormField[];
  /** Rarely used fields, shown on request. */
  more?: { label: string; fields: FormField[] };
  state: FormState;
};

export type InputField = Extract<FormField, { name: string }>;

/** The fields that are filled in, of those shown at first and of the others. */
export const inputsOf = ({ fields, more }: FormSpec): InputField[] =>
  [...fields, ...(more?.fields ?? [])].filter((field): field is InputField => 'name' in field);

/** Whether several things can be chosen. */
export const isListField = ({ type }: FormField): boolean => ['people', 'checkboxes', 'files'].includes(type);

/**
 * What was filled in, by the names of the fields: texts and choices as a string, people, checkboxes and files as a list that
 * is empty where nothing was selected. Empty texts, and fields that the form did not have, are undefined.
 */
export type FormValues = Record<string, string | string[] | undefined>;

export type FormSubmission = { id: FormId; values: FormValues; state: FormState };

export function textIn(values: FormValues, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** A number that was chosen; undefined for a choice that is no number. */
export const numberIn = (values: FormValues, name: string): number | undefined =>
  Number(textIn(values, name)) || undefined;

export function listIn(values: FormValues, name: string): string[] | undefined {
  const value = values[name];
  return typeof value === 'string' ? [value] : value;
}
