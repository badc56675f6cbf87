import type { PendingAction } from './acts.ts';
import { createInbox } from './inbox.ts';
import type { SeenMessage } from './messages.ts';
import type { Modal } from './modals.ts';
import { giveOptions, requireOffered } from './offers.ts';
import { resolved } from './payloads.ts';
import { requireOf, resolversIn } from './resolvers.ts';
import type { Manner } from './signing.ts';
import type { Stage } from './stage.ts';
import type { Message, Place, User } from './things.ts';
import type { UserFile } from './values.ts';
import { membersOf } from './world.ts';
import { store } from './writing.ts';

export type Person = ReturnType<typeof createPerson>;

type ActionTarget = { in?: Place; manner?: Manner };
type Options = Record<string, unknown>;

const [slash, ofUser, ofMessage] = [1, 2, 3];

/** A user: their actions, and what they see. */
export function createPerson(stage: Stage, user: User) {
  const { platform } = stage;
  const { world } = platform;
  const botDm = () => world.dmOf(world.app.bot, user);

  /** Their default place: the first channel that they see, or their conversation with the bot. */
  function place(where: Place | undefined): Place {
    const sees = (one: Place) => membersOf(one).has(user);
    if (where && !sees(where)) throw new Error(`${user.name} does not see ${where.name}`);
    return where ?? world.places.find((one) => one.kind === 'guild' && sees(one)) ?? botDm();
  }

  function prepare(line: string, values: Options, where: Place, focused?: string) {
    const [name = '', ...path] = line.replace(/^\//, '').split(' ');
    const { command, owners } = requireOffered(platform, { user, place: where, name, type: slash });
    const {
      options,
      focused: definition,
      ...found
    } = giveOptions(command, path, values, resolversIn(platform, where), focused);
    const { id, type } = command;
    const data = {
      id,
      name,
      type,
      ...(options.length > 0 && { options }),
      ...resolved(platform, where, found),
    };
    return {
      name: line,
      user,
      place: where,
      owners,
      data,
      commandType: slash,
      optionType: definition?.type as number,
    };
  }

  /**
   * Runs a slash command with options, such as `/push` or `/pushes list`, in a channel of the server unless `in`
   * is another place. Throws if Discord would not allow it: a command that is not registered or offered there, or an
   * invalid option.
   */
  function runs(
    line: string,
    options: Options = {},
    { in: where, manner }: ActionTarget = {},
  ): PendingAction {
    return stage.act({ kind: 'command', ...prepare(line, options, place(where)), manner });
  }

  /** Types into the last of the given options, and asks for its autocompletion. */
  function types(line: string, options: Options, { in: where, manner }: ActionTarget = {}): PendingAction {
    const focused = Object.keys(options).at(-1) ?? '';
    const prepared = prepare(line, options, place(where), focused);
    return stage.act({ kind: 'autocomplete', ...prepared, name: `${line} ${focused}`, manner });
  }

  /** Opens the menu of a message or a user, and chooses a command. */
  function opens(target: SeenMessage | Message | Person | User, { in: where, manner }: ActionTarget = {}) {
    const message = 'sent' in target ? target.sent : 'place' in target ? target : undefined;
    const type = message ? ofMessage : ofUser;
    const at = message?.place ?? place(where);
    const found = message ? { messages: [message] } : { users: [requireOf(world.users, target.id)] };
    return {
      menu(name: string): PendingAction {
        const { command, owners } = requireOffered(platform, { user, place: at, name, type });
        const data = { id: command.id, name, type, target_id: target.id, ...resolved(platform, at, found) };
        return stage.act({ kind: 'command', name, user, place: at, owners, data, commandType: type, manner });
      },
    };
  }

  const storeOf = (at: Place, { name: filename, content, type: contentType = '' }: UserFile) =>
    store(platform, at, { filename, contentType, bytes: Buffer.from(content) });

  /** Posts a message, without an event to the app. */
  function says(text: string, { in: where, files = [] }: { in?: Place; files?: UserFile[] } = {}): Message {
    const at = place(where);
    return world.post({
      ...{
        place: at,
        author: user,
        content: text,
        embeds: [],
        components: [],
        attachments: files.map((file) => storeOf(at, file)),
        flags: 0,
      },
      ...{ allowedMentions: undefined, nonce: undefined, onlyFor: undefined, interaction: undefined },
      isLoading: false,
    });
  }

  /** A message as they see it. Throws if they do not see it. */
  function sees(message: SeenMessage | Message): SeenMessage {
    const sent = 'sent' in message ? message.sent : message;
    if (!world.sees(user, sent) || sent.deleted) throw new Error(`${user.name} does not see it`);
    return stage.seen(sent, user);
  }

  return {
    id: user.id,
    name: user.name,
    user,
    /** The markup that mentions this user. */
    mention: `<@${user.id}>`,
    runs,
    types,
    opens,
    says,
    sees,
    /** Their direct messages with the bot, as a place. */
    get botDm(): Place {
      return botDm();
    },
    /** Refuses messages of the bot from now on: with 50007, or 50278 for no common server. */
    closesDms: (code: 50007 | 50278 = 50007) => void Object.assign(user, { dmsRefusedWith: code }),
    opensDms: () => void Object.assign(user, { dmsRefusedWith: undefined }),
    /** Adds the app to their own account, which makes it available everywhere. */
    addsApp: () => void Object.assign(user, { hasApp: true }),
    removesApp: () => void Object.assign(user, { hasApp: false }),
    /** The direct messages of the bot to this user. */
    dms: createInbox(stage, user, 'direct message', ({ place: { kind, members }, onlyFor }) => {
      return kind === 'dm' && members.has(user) && !onlyFor;
    }),
    /** What the bot showed only to this user, in any channel. */
    whispers: createInbox(stage, user, 'private answer', ({ onlyFor }) => onlyFor === user),
    /** The open modal, if any. */
    get modal(): Modal | undefined {
      const view = world.modals.findLast((one) => one.user === user && one.isOpen);
      return view && stage.modal(view);
    },
  };
}
