import type { FormState } from '../form.ts';

/** Where a modal was opened, for the response to its submission. */
export type ModalOrigin = {
  responseUrl?: string | undefined;
  /** Whether the response replaces the message that the modal was opened from. */
  replacing?: boolean | undefined;
};

/** What a modal carries in its private metadata: hidden from people, at most 3,000 characters. */
type ModalState = FormState & ModalOrigin;

export const encodeSlackState = (state: ModalState): string => JSON.stringify(state);

export const decodeSlackState = (metadata: string): ModalState =>
  metadata.startsWith('{') ? (JSON.parse(metadata) as ModalState) : {};
