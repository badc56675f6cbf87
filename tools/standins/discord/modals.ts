import { type Fields, textOf } from '../shared/json.ts';
import type { PendingAction } from './acts.ts';
import { fieldsByLabel } from './content.ts';
import { modalData } from './payloads.ts';
import { resolversIn } from './resolvers.ts';
import type { Manner } from './signing.ts';
import type { Stage } from './stage.ts';
import type { Entered, ModalView } from './things.ts';
import { enteredValue, entryError, optionsOf, readEntry } from './values.ts';

/** A modal as one user sees it. */
export type Modal = {
  readonly title: string;
  /** The labels of its inputs. */
  readonly labels: string[];
  /** The entered values by label: texts, option labels, names of users and files. */
  readonly values: Record<string, unknown>;
  /** The errors that are shown, by label. */
  readonly errors: Record<string, string>;
  readonly isOpen: boolean;
  readonly view: ModalView;
  /** The options of a menu. */
  optionsOf(label: string): string[];
  /** The component with this label, as the app sent it. */
  fieldOf(label: string): Fields;
  /** Fills in fields by their labels: texts, option labels, users, channels, files, or lists of these. */
  fill(entries: Record<string, unknown>): Modal;
  /** Submits it. If an input is invalid, Discord shows `errors` and sends nothing to the app. */
  submit(how?: { manner?: Manner }): PendingAction;
  /** Closes it without an event to the app. */
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
