type InboxSource<Message, Seen> = {
  /** All that there ever was, in its order. */
  all: () => Message[];
  /** A message as its reader sees it. */
  seen: (message: Message) => Seen;
  /** Waits until there is something. */
  until: (what: string, find: () => Message | undefined) => Promise<Message>;
  /** What the messages are called, and who reads them. */
  what: string;
  reader: string;
};

/** Messages as a person reads them: all of them, the newest, and one after the other. */
export function createMessageInbox<Message extends { deleted: boolean }, Seen>({
  all,
  seen,
  until,
  what,
  reader,
}: InboxSource<Message, Seen>) {
  let read = 0;
  const present = () => all().filter(({ deleted }) => !deleted);
  return {
    all: () => present().map(seen),
    get count() {
      return present().length;
    },
    /** The newest. Throws when there is none. */
    last(): Seen {
      const last = present().at(-1);
      if (!last) throw new Error(`${reader} has no ${what}`);
      return seen(last);
    },
    /** Waits for the one after the one that `next` gave last, or for the first. */
    async next(): Promise<Seen> {
      const message = await until(`${what} for ${reader}`, () => all()[read]);
      read += 1;
      return seen(message);
    },
  };
}
