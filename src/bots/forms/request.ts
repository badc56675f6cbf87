import { type FormSpec, type FormValues, formIds, listIn, textIn } from '../form.ts';
import type { ChatMessages } from '../messages.ts';

const reasonMax = 500;

/** Asks for a secret: of the `provider` where one is known, or else of whoever is chosen. */
export function requestForm(
  { forms, modals }: ChatMessages,
  { provider, reason = '' }: { provider?: string; reason?: string } = {},
): FormSpec {
  const { title, submit, provider: providerLabel, providerHint, reason: label, reasonHint } = forms.request;
  const choice = {
    type: 'people' as const,
    name: 'provider',
    label: providerLabel,
    hint: providerHint,
    isRequired: true,
    max: 1,
  };
  return {
    id: formIds.request,
    title,
    submit,
    cancel: modals.cancel,
    fields: [
      ...(provider === undefined ? [choice] : []),
      {
        type: 'text',
        name: 'reason',
        label,
        hint: reasonHint,
        maxLength: reasonMax,
        value: reason.slice(0, reasonMax) || undefined,
      },
    ],
    state: { provider },
  };
}

export const readRequestForm = (values: FormValues) => ({
  provider: listIn(values, 'provider')?.[0],
  reason: textIn(values, 'reason') ?? null,
});
