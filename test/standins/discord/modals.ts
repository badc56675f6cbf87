import { type Fields, textOf } from '../shared/json.ts';
import type { PendingAction } from './acts.ts';
import { fieldsByLabel } from './content.ts';
import { modalData } from './payloads.ts';
import { resolversIn } from './resolvers.ts';
import type { Manner } from './signing.ts';
import type { Stage } from './stage.ts';
import type { Entered, ModalView } from './things.ts';
import { enteredValue, entryError, optionsOf, readEntry } from './values.ts';

/** A modal as one person has it before them. */
export type Modal = {
  readonly title: string;
  /** The labels of what can be filled in. */
  readonly labels: string[];
  /** What is entered, by label: texts, labels of options, names of people and files. */
  readonly values: Record<string, unknown>;
  /** What stands in red, by label. */
  readonly errors: Record<string, string>;
  readonly isOpen: boolean;
  readonly view: ModalView;
  /** What a menu offers. */
  optionsOf(label: string): string[];
  /** The component that has this label, as the app sent it. */
  fieldOf(label: string): Fields;
  /** Fills in fields by their labels: texts, labels of options, people, channels, files, or lists of these. */
  fill(entries: Record<string, unknown>): Modal;
  /** Submits it. Where an input is invalid, Discord shows `errors` and sends the app nothing. */
  submit(how?: { manner?: Manner }): PendingAction;
  /** Closes it, which the app never hears of. */
  close(): void;
};

export function createModal(stage: Stage, view: ModalView): Modal {
  const { platform } = stage;
  const { user, interaction, customId } = view;
  const { place, owners, source } = interaction;
  let errors: Record<string, string> = {};
  const fields = () => fieldsByLabel(view.components);
  const enteredAt = (one: Fields): Entered => view.values.get(textOf(one.custom_id)) ?? {};

  function fieldOf(label: string): Fields {
    const found = fields().get(label);
    if (found) return found;
    throw new Error(
      `there is no “${label}”, only ${[...fields().keys()].join(', ') || 'nothing to fill in'}`,
    );
  }

  function entryErrors(): Record<string, string> {
    const entries = [...fields()].flatMap(([label, one]) => {
      const error = entryError(one, enteredAt(one));
      return error === undefined ? [] : [[label, error]];
    });
    return Object.fromEntries(entries);
  }

  const modal: Modal = {
    view,
    title: view.title,
    fieldOf,
    optionsOf: (label) => optionsOf(fieldOf(label)),
    get labels() {
      return [...fields().keys()];
    },
    get isOpen() {
      return view.isOpen;
    },
    get errors() {
      return errors;
    },
    get values() {
      return Object.fromEntries([...fields()].map(([label, one]) => [label, readEntry(one, enteredAt(one))]));
    },
    fill(entries) {
      if (!view.isOpen) throw new Error('the modal is closed');
      for (const [label, entry] of Object.entries(entries)) {
        const one = fieldOf(label);
        view.values.set(textOf(one.custom_id), enteredValue(one, label, entry, resolversIn(platform, place)));
      }
      return modal;
    },
    submit({ manner } = {}) {
      if (!view.isOpen) throw new Error('the modal is closed');
      errors = entryErrors();
      if (Object.keys(errors).length > 0) return stage.noAct(user);
      const data = modalData(platform, view);
      return stage.act({
        kind: 'modal',
        name: customId,
        user,
        place,
        owners,
        source,
        data,
        manner,
        submitted: view,
      });
    },
    close: () => void Object.assign(view, { isOpen: false }),
  };
  return modal;
}
