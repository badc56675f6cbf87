import type { Fields } from '../shared/json.ts';
import type { PendingAction } from './acts.ts';
import { linesOf, linksOf, readable } from './content.ts';
import { type Beside, buttonsOf, type Found, requireButton, requireMenu } from './finding.ts';
import { enteredValue } from './values.ts';

export type Surface = ReturnType<typeof createSurface>;

type SurfaceOptions = {
  blocks(): Fields[];
  /** What stands where no block can be shown. */
  fallback(): string;
  nameOf(id: string): string | undefined;
  /** Does something with an element: what it does and the value that comes of it. */
  use(found: Found, action: Fields): PendingAction;
  now(): string;
};

/** Something with blocks that a person reads, and whose buttons and menus a person uses. */
export function createSurface({ blocks, fallback, nameOf, use, now }: SurfaceOptions) {
  function actionOf({ block, element }: Found, more: Fields): Fields {
    return {
      type: element.type,
      block_id: block.block_id,
      action_id: element.action_id,
      ...more,
      action_ts: now(),
    };
  }

  return {
    /** All that a person reads, but not what is on buttons. */
    get text(): string {
      const lines = linesOf(blocks());
      return (lines.length > 0 ? lines : [fallback()]).map((line) => readable(line, nameOf)).join('\n');
    },
    /** What is on the buttons. */
    get buttons(): string[] {
      return buttonsOf(blocks());
    },
    get links(): string[] {
      return linksOf(fallback(), blocks());
    },
    get blocks(): Fields[] {
      return blocks();
    },
    /** Where a button leads that opens a page. */
    urlOf: (label: string, which: Beside = {}) => requireButton(blocks(), label, which).element.url,
    /** The question that a button asks before anything happens, if it asks one. */
    questionOf: (label: string, which: Beside = {}) => requireButton(blocks(), label, which).element.confirm,
    /** Presses a button, and confirms it where a question comes. */
    press(label: string, which: Beside = {}): PendingAction {
      const found = requireButton(blocks(), label, which);
      const { text, value, style } = found.element;
      return use(
        found,
        actionOf(found, {
          text,
          ...(value !== undefined && { value }),
          ...(style !== undefined && { style }),
        }),
      );
    },
    /** Chooses an option by its text, or something else in the menu with the placeholder `at`. */
    choose(entry: unknown, { at }: { at?: string } = {}): PendingAction {
      const found = requireMenu(blocks(), entry, at);
      const isOverflow = found.element.type === 'overflow';
      const element = isOverflow ? { ...found.element, type: 'static_select' } : found.element;
      const { type, ...value } = enteredValue(element, at ?? 'the menu', idsOf(entry));
      return use(found, actionOf(found, value));
    },
  };
}

/** People, channels and lists of them as Slack knows them: by their ids. */
export function idsOf(entry: unknown): unknown {
  if (Array.isArray(entry)) return entry.map(idsOf);
  if (typeof entry === 'object' && entry !== null && 'id' in entry) return entry.id;
  return entry;
}
