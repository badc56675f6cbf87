import type { ViewOutput, ViewStateValue } from '@slack/bolt';
import type { FormId, FormState, FormSubmission, FormValues } from '../form.ts';
import { addressOf } from './caller.ts';
import { action_id, type ModalOrigin } from './form.ts';

type SubmittedView = Pick<ViewOutput, 'callback_id' | 'private_metadata' | 'state'>;

/** What was filled into a modal, and where it was opened. */
export function readSlackForm(
  { callback_id, private_metadata, state }: SubmittedView,
  workspace: string,
): { submission: FormSubmission; origin: ModalOrigin } {
  const { responseUrl, replacing, ...formState }: FormState & ModalOrigin = private_metadata.startsWith('{')
    ? JSON.parse(private_metadata)
    : {};
  const values = readValues(state.values, workspace);
  return {
    submission: { id: callback_id as FormId, values, state: formState },
    origin: { responseUrl, replacing },
  };
}

/** The state of a view, as the values of its fields. */
export const readValues = (values: ViewOutput['state']['values'], workspace: string): FormValues =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, { [action_id]: value }]) =>
      value === undefined ? [] : [[name, readValue(value, workspace)]],
    ),
  );

function readValue(value: ViewStateValue, workspace: string): string | string[] | undefined {
  switch (value.type) {
    case 'static_select':
      return value.selected_option?.value;
    case 'checkboxes':
    case 'multi_static_select':
      return (value.selected_options ?? []).map((option) => option.value);
    case 'multi_users_select':
      return (value.selected_users ?? []).map((user) => addressOf(workspace, user));
    case 'file_input':
      return (value.files ?? []).map(({ id }) => id);
    default:
      return value.value ?? undefined;
  }
}
