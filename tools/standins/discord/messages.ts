import { type Fields, textOf } from '../shared/json.ts';
import type { PendingAction } from './acts.ts';
import {
  type Beside,
  buttonsOf,
  isUnfurled,
  linesOf,
  linksOf,
  mentionsOf,
  requireButton,
  requireMenu,
} from './content.ts';
import { ownersIn } from './owners.ts';
import { resolved } from './payloads.ts';
import { presentAttachment } from './presenting.ts';
import { resolversIn } from './resolvers.ts';
import { buttonStyle } from './schema/parts.ts';
import type { Manner } from './signing.ts';
import type { Stage } from './stage.ts';
import type { Message, User } from './things.ts';
import { enteredValue } from './values.ts';

/** A message as one user sees it, in its current state. */
export type SeenMessage = {
  readonly id: string;
  readonly channel: string;
  /** The text that the user reads, without button labels. */
  readonly text: string;
  readonly buttons: string[];
  readonly links: string[];
  /** The names of the users who are notified by a mention. */
  readonly mentions: string[];
  /** Whether only this user sees it. */
  readonly isPrivate: boolean;
  readonly isDeleted: boolean;
  /** The number of edits. */
  readonly edits: number;
  /** Whether Discord would fetch its links to show previews. */
  readonly isUnfurled: boolean;
  /** Its files with their URLs. */
  readonly files: Fields[];
  readonly sent: Message;
  /** The URL of a link button. */
  urlOf(label: string, which?: Beside): string;
  isDisabled(label: string, which?: Beside): boolean;
  press(label: string, which?: Beside & { manner?: Manner }): PendingAction;
  /** Chooses an option by its label, users or channels, in the menu with the placeholder `at`. */
  choose(entry: unknown, which?: { at?: string }): PendingAction;
  /** Waits until the user reads this in it. */
  becomes(what: string | RegExp): Promise<SeenMessage>;
  /** Waits until it is deleted. */
  vanishes(): Promise<void>;
};

export function createSeenMessage(stage: Stage, message: Message, user: User): SeenMessage {
  const { platform } = stage;
  const { world, clock, settings } = platform;
  const nameOf = (id: string) => world.users.find((one) => one.id === id)?.name;
  const textNow = () => linesOf(message, nameOf).join('\n');
  const within = <T>(what: string, find: () => T | undefined) => clock.until(what, find, settings.patienceMs);

  function use(one: Fields, more: Fields = {}, manner?: Manner): PendingAction {
    if (message.deleted) throw new Error('the message is gone');
    if (one.disabled === true) throw new Error(`“${textOf(one.label)}” is disabled`);
    const { place } = message;
    return stage.act({
      ...{ kind: 'component', name: textOf(one.custom_id), user, place, source: message },
      owners: message.interaction?.owners ?? ownersIn(platform, user, place),
      data: { component_type: one.type, id: one.id, custom_id: one.custom_id, ...more },
      manner,
    });
  }

  const seen: SeenMessage = {
    id: message.id,
    channel: message.place.id,
    sent: message,
    isPrivate: message.onlyFor !== undefined,
    get text() {
      return textNow();
    },
    get buttons() {
      return buttonsOf(message.components);
    },
    get links() {
      return linksOf(message);
    },
    get mentions() {
      return mentionsOf(message).map((id) => nameOf(id) ?? id);
    },
    get isDeleted() {
      return message.deleted;
    },
    get edits() {
      return message.versions.length - 1;
    },
    get isUnfurled() {
      return isUnfurled(message);
    },
    get files() {
      return message.attachments.map(presentAttachment);
    },
    urlOf: (label, which) => textOf(requireButton(message.components, label, which).url),
    isDisabled: (label, which) => requireButton(message.components, label, which).disabled === true,
    press(label, { manner, ...which } = {}) {
      const button = requireButton(message.components, label, which);
      if (button.style === buttonStyle.link) throw new Error(`“${label}” opens a page: the app is not told`);
      return use(button, {}, manner);
    },
    choose(entry, { at } = {}) {
      const menu = requireMenu(message.components, at);
      const { values, users, places } = enteredValue(
        menu,
        at ?? 'the menu',
        entry,
        resolversIn(platform, message.place),
      );
      const found = { ...(users && { users }), ...(places && { places }) };
      return use(menu, { values, ...resolved(platform, message.place, found) });
    },
    becomes: (what) => within(`the message that says ${what}`, () => (says(seen, what) ? seen : undefined)),
    vanishes: async () => {
      await within('the end of the message', () => message.deleted || undefined);
    },
  };
  return seen;
}

/** Whether a text contains this string or matches this pattern. */
function says({ text }: { text: string }, what: string | RegExp): boolean {
  return typeof what === 'string' ? text.includes(what) : what.test(text);
}
