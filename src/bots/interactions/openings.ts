import { actions } from '../actions.ts';
import type { FormSpec, Option } from '../form.ts';
import type { Forms } from '../forms/forms.ts';
import type { RequestFormOptions } from '../forms/request.ts';

/** A form that is to be opened. `refill` is a refused one, by the value of the button that opens it again. */
export type Opening =
  | { form: 'push'; requestId?: string }
  | { form: 'refill'; value: string }
  | { form: 'settings' | 'rules' }
  | SimpleOpening;

/** A form that needs to know nothing but this. */
type SimpleOpening =
  | { form: 'share'; pushId: string }
  | { form: 'confirmLink'; linkId: string }
  | { form: 'request'; options: RequestFormOptions };

/** The form that a button opens. `replaces` says whether its result replaces the message with the button, where it has one. */
type FormPlan = { replaces?: boolean; open(value: string): Opening };

/** The buttons that open forms, by their actions. */
export const formPlans: Record<string, FormPlan> = {
  [actions.newPush]: { open: () => ({ form: 'push' }) },
  [actions.newRequest]: { open: () => ({ form: 'request', options: {} }) },
  [actions.settings]: { open: () => ({ form: 'settings' }) },
  [actions.rules]: { open: () => ({ form: 'rules' }) },
  [actions.refill]: { open: (value) => ({ form: 'refill', value }) },
  [actions.send]: { replaces: false, open: (pushId) => ({ form: 'share', pushId }) },
  [actions.provide]: { replaces: true, open: (requestId) => ({ form: 'push', requestId }) },
  [actions.confirmLink]: { replaces: true, open: (linkId) => ({ form: 'confirmLink', linkId }) },
};

/** `groups` of people can be chosen where the chat has them. */
export function buildSimpleForm(opening: SimpleOpening, forms: Forms, groups: Option[] = []): FormSpec {
  switch (opening.form) {
    case 'share':
      return forms.share(opening.pushId, groups);
    case 'confirmLink':
      return forms.confirmLink(opening.linkId);
    case 'request':
      return forms.request(opening.options);
  }
}
