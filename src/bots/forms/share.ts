import { recipientsMax } from '../../domain/index.ts';
import { type FormSpec, formIds, type Option } from '../form.ts';
import type { ChatMessages } from '../messages.ts';
import { groupsField } from './pushLimitFields.ts';

/** Asks who else gets a push: people, and groups of them where there are such. */
export function shareForm(messages: ChatMessages, pushId: string, groups: Option[] = []): FormSpec {
  const { forms, modals } = messages;
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
        isRequired: groups.length === 0,
        max: recipientsMax,
      },
      ...(groups.length > 0 ? [groupsField(messages, groups)] : []),
    ],
    state: { pushId },
  };
}
