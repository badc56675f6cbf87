import { type Fields, fieldsOf, listOf, textOf } from '../shared/json.ts';
import type { Acts, Pending } from './acts.ts';
import type { Platform } from './platform.ts';
import type { OpenDialog, Post, User } from './world.ts';

/** A line of an attachment that is a link, which looks like a button to people. */
const linkLine = /^\*\*\[((?:\\.|[^\]])+)\]\((\S+)\)\*\*$/;

/** Markdown as people read it. */
export const readable = (markdown: string): string =>
  markdown
    .replace(/(?<!\\)\*\*/g, '')
    .replace(/(?<!\\)`/g, '')
    .replace(/(?<!\\)\[((?:\\.|[^\]])+)\]\(\S+?\)/g, '$1')
    .replace(/(?<!\\)<(\S+?)>/g, '$1')
    .replace(/\\([\\*_~`|[\]#<>{}])/g, '$1')
    .replaceAll('\u200b', '');

const linesOf = ({ message, attachments }: Pick<Post, 'message' | 'attachments'>): string[] => [
  ...message.split('\n'),
  ...attachments.flatMap(({ text }) => textOf(text).split('\n')),
];

const linksOf = (post: Pick<Post, 'message' | 'attachments'>): Map<string, string> =>
  new Map(
    linesOf(post).flatMap((line) => {
      const [, label = '', url = ''] = linkLine.exec(line) ?? [];
      return url === '' ? [] : [[readable(label), url]];
    }),
  );

export const textIn = (post: Pick<Post, 'message' | 'attachments'>): string =>
  linesOf(post)
    .filter((line) => line !== '' && !linkLine.test(line))
    .map(readable)
    .join('\n');

const actionsIn = ({ attachments }: Pick<Post, 'attachments'>): Fields[] =>
  attachments.flatMap(({ actions }) => listOf(actions));

export const buttonsIn = (post: Pick<Post, 'message' | 'attachments'>): string[] => [
  ...linksOf(post).keys(),
  ...actionsIn(post).map(({ name }) => textOf(name)),
];

export type SeenPost = ReturnType<typeof createSeenPost>;

/** A post as one user sees it. What only they see is not edited: then it is followed by another one. */
export function createSeenPost(
  { platform, acts }: { platform: Platform; acts: Acts },
  first: Post,
  user: User,
) {
  const { world } = platform;
  let post = first;
  const matches = (each: Post, what: string | RegExp) =>
    typeof what === 'string' ? textIn(each).includes(what) : what.test(textIn(each));
  /** Whether a post came of a press of this one, or of one that did. */
  const follows = ({ cause }: Post): boolean => cause !== undefined && (cause === post || follows(cause));

  const seen = {
    get id() {
      return post.id;
    },
    get sent() {
      return post;
    },
    get text() {
      return textIn(post);
    },
    get buttons() {
      return buttonsIn(post);
    },
    get isPrivate() {
      return post.onlyFor !== undefined || post.channel.team === undefined;
    },
    get isDeleted() {
      return post.deleted;
    },
    /** Whether Mattermost fetches its links to show a preview: not beside attachments. */
    get isUnfurled() {
      return post.attachments.length === 0 && /https?:\/\//.test(post.message);
    },
    /** Who is notified by it, beyond the reader of a direct message. */
    get mentions() {
      if (post.onlyFor !== undefined || post.channel.team === undefined) return [];
      const found = linesOf(post)
        .join('\n')
        .matchAll(/(?<![\w\\])@([a-z][\w.-]*)/g);
      const names = ['all', 'here', 'channel', ...world.users.map(({ username }) => username)];
      return [...found].map(([, name = '']) => name).filter((name) => names.includes(name));
    },
    urlOf: (label: string): string | undefined => linksOf(post).get(label),
    press(label: string, forged: { sealed?: string } = {}): Pending {
      const action = actionsIn(post).find(({ name }) => name === label);
      if (action === undefined) throw new Error(`there is no “${label}”, only ${buttonsIn(post).join(', ')}`);
      return acts.press(post, fieldsOf(action.integration), user, forged);
    },
    /** Waits until they read this in it, or in what came of a press. */
    async becomes(what: string | RegExp) {
      post = await world.until(`the post that says ${what}`, () =>
        matches(post, what)
          ? post
          : world.posts.findLast((each) => follows(each) && world.sees(user, each) && matches(each, what)),
      );
      return seen;
    },
    /** Waits for a reply in its thread with this text. */
    async reply(what: RegExp) {
      const found = await world.until(`the reply that says ${what}`, () =>
        world.posts.find((each) => each.rootId === post.id && matches(each, what)),
      );
      return createSeenPost({ platform, acts }, found, user);
    },
  };
  return seen;
}

export type SeenDialog = ReturnType<typeof createSeenDialog>;

/** A dialog as its user sees it. */
export function createSeenDialog({ acts }: { acts: Acts }, dialog: OpenDialog) {
  const elements = listOf(dialog.content.elements);
  const values: Fields = Object.fromEntries(elements.map((each) => [textOf(each.name), initialOf(each)]));
  let errors: Record<string, string> = {};

  function requireElement(label: string): Fields {
    const found = elements.find(({ display_name }) => display_name === label);
    if (found === undefined) throw new Error(`there is no “${label}”, only ${seen.labels.join(', ')}`);
    return found;
  }

  function valueFor(element: Fields, entry: unknown): unknown {
    const options = listOf(element.options);
    const idOf = (each: unknown) => {
      if (typeof each === 'object' && each !== null && 'id' in each) return each.id;
      if (element.type !== 'select' || element.data_source === 'users') return each;
      return (
        options.find(({ text }) => text === each)?.value ??
        refuse(`“${each}” is none of ${options.map(({ text }) => text).join(', ')}`)
      );
    };
    return Array.isArray(entry) ? entry.map(idOf) : idOf(entry);
  }

  const seen = {
    dialog,
    values,
    title: textOf(dialog.content.title),
    introduction: readable(textOf(dialog.content.introduction_text)),
    get labels() {
      return elements.map(({ display_name }) => textOf(display_name));
    },
    get isOpen() {
      return dialog.isOpen;
    },
    /** The errors that are shown, by label; that of the whole dialog by an empty one. */
    get errors() {
      return errors;
    },
    optionsOf: (label: string) => listOf(requireElement(label).options).map(({ text }) => textOf(text)),
    fill(entries: Record<string, unknown>) {
      for (const [label, entry] of Object.entries(entries)) {
        const element = requireElement(label);
        values[textOf(element.name)] = valueFor(element, entry);
      }
      return seen;
    },
    submit: (forged: { user?: User; state?: string } = {}): Pending =>
      acts.submit(dialog, values, {
        ...forged,
        onErrors(found, whole) {
          const named = elements.flatMap(({ name, display_name }) => {
            const error = found[textOf(name)];
            return error === undefined ? [] : [[textOf(display_name), error]];
          });
          errors = { ...Object.fromEntries(named), ...(whole && { '': whole }) };
        },
      }),
  };
  return seen;
}

function refuse(why: string): never {
  throw new Error(why);
}

/** Nothing is submitted for what was not filled in. */
function initialOf({ default: initial, multiselect }: Fields): unknown {
  if (textOf(initial) === '') return undefined;
  return multiselect === true ? textOf(initial).split(',') : initial;
}
