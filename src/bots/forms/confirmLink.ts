import { type FormSpec, formIds } from '../form.ts';
import type { ChatMessages } from '../messages.ts';

/** Six digits, with room for spaces. */
const codeMax = 10;

/** Asks for the code that a waiting browser shows. */
export function confirmLinkForm({ forms, modals }: ChatMessages, linkId: string): FormSpec {
  const { title, submit, code, codeHint } = forms.confirmLink;
  return {
    id: formIds.confirmLink,
    title,
    submit,
    cancel: modals.cancel,
    fields: [
      { type: 'text', name: 'code', label: code, hint: codeHint, isRequired: true, maxLength: codeMax },
    ],
    state: { linkId },
  };
}
