import { recipientsMax } from '../../domain/index.ts';
import { type FormSpec, formIds } from '../form.ts';
import type { ChatMessages } from '../messages.ts';

/** Asks who else gets a push. */
export function shareForm({ forms, modals }: ChatMessages, pushId: string): FormSpec {
  const { title, submit, recipients, recipientsHint } = forms.share;
  return {
    id: formIds.share,
    title,
    submit,
    cancel: modals.cancel,
    fields: [
      {
        type: 'people',
        name: 'recipients',
        label: recipients,
        hint: recipientsHint,
        isRequired: true,
        max: recipientsMax,
      },
    ],
    state: { pushId },
  };
}
