import { type Fields, fieldsOf, isFields, textOf } from '../shared/json.ts';
import type { PendingAction } from './acts.ts';
import { inputErrorOf } from './entryErrors.ts';
import { type Found, fieldsByLabel } from './finding.ts';
import { matchesText } from './messages.ts';
import { closingPayload, submissionPayload, viewActionPayload } from './payloads.ts';
import type { Stage } from './stage.ts';
import { settleSubmission } from './submissions.ts';
import { createSurface, idsOf, type Surface } from './surface.ts';
import type { UserFile, View } from './things.ts';
import { contentOf, enteredValue, labelOf, optionsOf } from './values.ts';
import { close, closeAll } from './viewing.ts';
import { presentFile } from './webApi/files.ts';

/** An App Home as one user sees it. */
export type Home = Surface & {
  /** Waits until the user reads this in it. */
  becomes(what: string | RegExp): Promise<unknown>;
};

/** A modal as one user sees it. */
export type Modal = Surface & {
  readonly title: string;
  /** The labels of its inputs. */
  readonly labels: string[];
  /** The entered values by label: texts, numbers, option texts, ids. */
  readonly values: Record<string, unknown>;
  /** The errors that are shown, by label. */
  readonly errors: Record<string, string>;
  readonly isOpen: boolean;
  readonly view: View;
  /** The options of a menu. */
  optionsOf(label: string): string[];
  /** Fills in fields by their labels: texts, numbers, option texts, users, channels, or lists of these. */
  fill(entries: Record<string, unknown>): Modal;
  /** Fills in a field that sends an action to the app at once. */
  enter(label: string, entry: unknown): PendingAction;
  /** Submits it. If an input is invalid, Slack shows `errors` and sends nothing to the app. */
  submit(): PendingAction;
  /** Closes it, with an event to the app if it asked for one. */
  close(): PendingAction;
  becomes(what: string | RegExp): Promise<Modal>;
};

export function createHome(stage: Stage, view: View): Home {
  const surface = createViewSurface(stage, view);
  const { clock, settings } = stage.platform;
  const find = (what: string | RegExp) => () => (matchesText(surface, what) ? surface : undefined);
  return Object.assign(surface, {
    becomes: (what: string | RegExp) =>
      clock.until(`the home that says ${what}`, find(what), settings.patienceMs),
  });
}

export function createModal(stage: Stage, view: View): Modal {
  const { platform } = stage;
  const { clock, settings } = platform;
  const fields = () => fieldsByLabel(view.blocks);
  const { app, user, grant } = view;
  const who = { app, user, grant };

  function requireField(label: string): Found {
    const found = fields().get(label);
    if (!found)
      throw new Error(
        `there is no “${label}”, only ${[...fields().keys()].join(', ') || 'nothing to fill in'}`,
      );
    return found;
  }

  function set(label: string, entry: unknown): Found {
    const found = requireField(label);
    const value =
      found.element.type === 'file_input'
        ? uploadedValue(entry as UserFile[])
        : enteredValue(found.element, label, idsOf(entry));
    const [blockId, actionId] = [textOf(found.block.block_id), textOf(found.element.action_id)];
    view.values[blockId] = { ...view.values[blockId], [actionId]: value };
    return found;
  }

  function uploadedValue(entries: UserFile[]): Fields {
    const files = entries.map((entry) => presentFile(platform.at.url, platform.world.upload(entry, user)));
    return { type: 'file_input', files };
  }

  /** The errors that prevent a submission, by label. */
  function entryErrors(): Record<string, string> {
    const entries = [...fields()].flatMap(([label, { block, element }]) => {
      const value = valueAt(view, block, element);
      const error = block.type === 'input' ? inputErrorOf(block, element, value) : undefined;
      return error === undefined ? [] : [[label, error]];
    });
    return Object.fromEntries(entries);
  }

  let held: Record<string, string> = {};

  const modal: Modal = Object.defineProperties(createViewSurface(stage, view), {
    ...Object.getOwnPropertyDescriptors({
      view,
      get title() {
        return labelOf({ text: view.content.title });
      },
      get labels() {
        return [...fields().keys()];
      },
      get isOpen() {
        return view.isOpen;
      },
      get values() {
        return Object.fromEntries(
          [...fields()].map(([label, { block, element }]) => [
            label,
            readEntry(valueAt(view, block, element)),
          ]),
        );
      },
      get errors() {
        const shown = [...fields()].flatMap(([label, { block }]) => {
          const error = view.errors[textOf(block.block_id)];
          return error === undefined ? [] : [[label, error]];
        });
        return { ...Object.fromEntries(shown), ...held };
      },
      optionsOf: (label: string) => optionsOf(requireField(label).element).map(labelOf),
      fill(entries: Record<string, unknown>) {
        if (!view.isOpen) throw new Error('the modal is closed');
        for (const [label, entry] of Object.entries(entries)) set(label, entry);
        return modal;
      },
      enter(label: string, entry: unknown) {
        const { block, element } = set(label, entry);
        const { type, ...value } = valueAt(view, block, element);
        const { block_id } = block;
        return actIn(stage, view, {
          type,
          block_id,
          action_id: element.action_id,
          ...value,
          action_ts: clock.nextTs(),
        });
      },
      submit() {
        if (!view.isOpen) throw new Error('the modal is closed');
        if (view.content.submit === undefined) throw new Error('the modal has nothing to submit it with');
        held = entryErrors();
        view.errors = {};
        if (Object.keys(held).length > 0) return stage.noAct(user);
        return stage.act({
          ...{ app, user, view },
          make: (triggerId) => ({
            how: 'interactive',
            name: `the submission of “${modal.title}”`,
            body: submissionPayload(who, view, triggerId),
          }),
          settle: (ack, triggerId) => settleSubmission(platform, view, ack, triggerId),
        });
      },
      close() {
        if (!view.isOpen) throw new Error('the modal is closed');
        const isCleared = view.content.clear_on_close === true;
        const body = closingPayload(who, view, isCleared);
        if (isCleared) closeAll(platform, view);
        else close(platform, view);
        if (view.content.notify_on_close !== true) return stage.noAct(user);
        const name = `the closing of “${modal.title}”`;
        return stage.act({ app, user, make: () => ({ how: 'interactive', name, body }) });
      },
      becomes: (what: string | RegExp) =>
        clock.until(
          `the modal that says ${what}`,
          () => (matchesText(modal, what) ? modal : undefined),
          settings.patienceMs,
        ),
    }),
  }) as Modal;
  return modal;
}

function createViewSurface(stage: Stage, view: View): Surface {
  const { world, clock } = stage.platform;
  return createSurface({
    blocks: () => view.blocks,
    fallback: () => '',
    nameOf: (id) => world.users.find((one) => one.id === id)?.name,
    now: () => clock.nextTs(),
    use(_, action) {
      if (!view.isOpen) throw new Error('it is closed');
      return actIn(stage, view, action);
    },
  });
}

function actIn(stage: Stage, view: View, action: Fields): PendingAction {
  const { app, user, grant } = view;
  return stage.act({
    ...{ app, user, view },
    make: (triggerId) => ({
      how: 'interactive',
      name: `a use of ${action.action_id}`,
      body: viewActionPayload({ app, user, grant }, view, action, triggerId),
    }),
  });
}

function valueAt({ values }: View, block: Fields, element: Fields): Fields {
  return fieldsOf(values[textOf(block.block_id)]?.[textOf(element.action_id)]);
}

/** An entry as the user sees it. */
function readEntry(value: Fields): unknown {
  const content = contentOf(value);
  if (Array.isArray(content)) return content.map((one) => (isFields(one) ? labelOf(one) : one));
  return isFields(content) && content.text !== undefined ? labelOf(content) : content;
}
