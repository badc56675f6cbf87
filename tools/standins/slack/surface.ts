import type { Fields } from '../shared/json.ts';
import type { PendingAction } from './acts.ts';
import { linesOf, linksOf, readable } from './content.ts';
import type { DeliveryOptions } from './delivery.ts';
import { type Beside, buttonsOf, type Found, requireButton, requireMenu } from './finding.ts';
import { enteredValue } from './values.ts';

export type Surface = ReturnType<typeof createSurface>;

type SurfaceOptions = {
  blocks(): Fields[];
  /** The text in place of blocks that cannot be shown. */
  fallback(): string;
  nameOf(id: string): string | undefined;
  /** Sends an action of an element with its new value. */
  use(found: Found, action: Fields, manner?: DeliveryOptions): PendingAction;
  now(): string;
};

/** A surface with blocks that a user reads, and whose buttons and menus a user operates. */
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
    /** The text that the user reads, without button labels. */
    get text(): string {
      const lines = linesOf(blocks());
      return (lines.length > 0 ? lines : [fallback()]).map((line) => readable(line, nameOf)).join('\n');
    },
    /** The labels of its buttons. */
    get buttons(): string[] {
      return buttonsOf(blocks());
    },
    get links(): string[] {
      return linksOf(fallback(), blocks());
    },
    get blocks(): Fields[] {
      return blocks();
    },
    /** The URL of a link button. */
    urlOf: (label: string, which: Beside = {}) => requireButton(blocks(), label, which).element.url,
    /** The confirmation question of a button, if it has one. */
    questionOf: (label: string, which: Beside = {}) => requireButton(blocks(), label, which).element.confirm,
    /** Presses a button, and confirms it if asked. */
    press(label: string, { manner, ...which }: Beside & { manner?: DeliveryOptions } = {}): PendingAction {
      const found = requireButton(blocks(), label, which);
      const { text, value, style } = found.element;
      return use(
        found,
        actionOf(found, {
          text,
          ...(value !== undefined && { value }),
          ...(style !== undefined && { style }),
        }),
        manner,
      );
    },
    /** Chooses an option by its text, or another value, in the menu with the placeholder `at`. */
    choose(entry: unknown, { at }: { at?: string } = {}): PendingAction {
      const found = requireMenu(blocks(), entry, at);
      const isOverflow = found.element.type === 'overflow';
      const element = isOverflow ? { ...found.element, type: 'static_select' } : found.element;
      const { type, ...value } = enteredValue(element, at ?? 'the menu', idsOf(entry));
      return use(found, actionOf(found, value));
    },
  };
}

/** Converts users, channels and lists of them to ids. */
export function idsOf(entry: unknown): unknown {
  if (Array.isArray(entry)) return entry.map(idsOf);
  if (typeof entry === 'object' && entry !== null && 'id' in entry) return entry.id;
  return entry;
}
