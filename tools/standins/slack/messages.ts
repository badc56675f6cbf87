import { readable } from './content.ts';
import { messageActionPayload } from './payloads.ts';
import { newResponseUrl } from './responseUrls.ts';
import type { Stage } from './stage.ts';
import { createSurface, type Surface } from './surface.ts';
import type { Message, User } from './things.ts';
import { initialValues } from './values.ts';

/** A message as one user sees it, in its current state. */
export type SeenMessage = Surface & {
  readonly ts: string;
  readonly channel: string;
  /** The text for notifications and screen readers. */
  readonly fallback: string;
  /** Whether only this user sees it. */
  readonly isPrivate: boolean;
  readonly isDeleted: boolean;
  /** The number of edits. */
  readonly edits: number;
  /** Whether Slack would fetch its links to show previews. */
  readonly isUnfurled: boolean;
  /** The replies in its thread. */
  readonly replies: SeenMessage[];
  readonly sent: Message;
  /** Waits until the user reads this in it. */
  becomes(what: string | RegExp): Promise<SeenMessage>;
  /** Waits until it is deleted. */
  vanishes(): Promise<void>;
  /** Waits for a reply in its thread with this text. */
  reply(what: string | RegExp): Promise<SeenMessage>;
};

export function createSeenMessage(stage: Stage, message: Message, user: User): SeenMessage {
  const { platform } = stage;
  const { world, clock, settings } = platform;
  const nameOf = (id: string) => world.users.find((one) => one.id === id)?.name;

  const surface = createSurface({
    blocks: () => message.blocks,
    fallback: () => message.text,
    nameOf,
    now: () => clock.nextTs(),
    use({ block }, action, manner) {
      if (message.deleted) throw new Error('the message is gone');
      const { grant, conversation, threadTs } = message;
      if (!grant) throw new Error('a person wrote this message');
      const who = { app: grant.app, user, grant: world.grantFor(grant.app, user.team) };
      return stage.act({
        ...who,
        manner,
        make: (triggerId) => ({
          how: 'interactive',
          name: `a press of ${action.action_id}`,
          body: messageActionPayload(who, message, action, {
            trigger_id: triggerId,
            response_url: newResponseUrl(platform, {
              user,
              grant,
              conversation,
              original: message,
              threadTs,
            }),
            state: { values: initialValues([block]) },
          }),
        }),
      });
    },
  });

  const within = <T>(what: string, find: () => T | undefined) => clock.until(what, find, settings.patienceMs);
  const repliesNow = () =>
    message.conversation.messages
      .filter((one) => one.threadTs === message.ts && one !== message && !one.deleted)
      .map((one) => createSeenMessage(stage, one, user));

  const seen: SeenMessage = Object.defineProperties(surface, {
    ...Object.getOwnPropertyDescriptors({
      ts: message.ts,
      channel: message.conversation.id,
      sent: message,
      isPrivate: message.onlyFor !== undefined,
      get fallback() {
        return readable(message.text, nameOf);
      },
      get isDeleted() {
        return message.deleted;
      },
      get edits() {
        return message.versions.length - 1;
      },
      get isUnfurled() {
        return (
          message.onlyFor === undefined && !(message.unfurlLinks === false && message.unfurlMedia === false)
        );
      },
      get replies() {
        return repliesNow();
      },
      becomes: (what: string | RegExp) =>
        within(`the message that says ${what}`, () => (matchesText(seen, what) ? seen : undefined)),
      vanishes: async () => {
        await within('the end of the message', () => message.deleted || undefined);
      },
      reply: (what: string | RegExp) =>
        within(`the answer that says ${what}`, () => repliesNow().find((one) => matchesText(one, what))),
    }),
  }) as SeenMessage;
  return seen;
}

/** Whether a text contains this string or matches this pattern. */
export function matchesText({ text }: { text: string }, what: string | RegExp): boolean {
  return typeof what === 'string' ? text.includes(what) : what.test(text);
}
