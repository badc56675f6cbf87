import type { FormDefaults } from '../../domain/index.ts';
import type { FormDraft } from '../commands/drafts.ts';
import type { FormField, FormState, Option } from '../form.ts';
import type { ChatMessages } from '../messages.ts';

/** What the fields of a push depend on. */
export type PushFieldContext = {
  messages: ChatMessages;
  defaults: FormDefaults;
  /** The names of the fields that are shown. */
  fields: readonly string[];
  state: FormState;
  /** Who is chosen already. */
  recipients?: string[] | undefined;
  /** The groups of people who can be chosen as a whole. */
  groups?: Option[];
  /** What was entered before. */
  draft?: FormDraft | undefined;
  /** The files of a message, which come along unless they are deselected. */
  messageFiles?: Option[];
  /** The text of a message, to be changed before it is pushed. */
  text?: string | undefined;
  /** The length of a message whose text is too long for a form. */
  messageLength?: number | undefined;
  /** The same form in the browser, for a button. */
  compose?: { link: string; token: string };
};

/** A field of the form of a push. */
export type PushField = (context: PushFieldContext) => FormField;
