/** A change of a message, as somebody reads it. */
export type Appearance = {
  how: 'posted' | 'edited' | 'deleted';
  /** The only people who see it; empty where everybody in the channel does. */
  readers: string[];
  channel: string;
  /** Whether it stands below another message. */
  isReply: boolean;
  text: string;
  buttons: string[];
  /** What a notification says. */
  banner: string;
};

type Changed = { versions: unknown[] };
type Change<Message> = { how: Appearance['how']; message: Message };
type ChangeWithVersion<Message extends Changed> = Change<Message> & { version: Message['versions'][number] };

/** Each change with the version of its message that it brought; a deleted message looks as it did before. */
export function versionsOf<Message extends Changed>(
  changes: Change<Message>[],
): ChangeWithVersion<Message>[] {
  const counts = new Map<Message, number>();
  return changes.flatMap(({ how, message }) => {
    const count = (counts.get(message) ?? 0) + (how === 'deleted' ? 0 : 1);
    counts.set(message, count);
    const version = message.versions[count - 1];
    return version === undefined ? [] : [{ how, message, version }];
  });
}

const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** A time in the reader's time zone, from its epoch seconds. */
export const timeText = (seconds: string): string => format.format(Number(seconds) * 1_000);
