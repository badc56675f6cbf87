type InboxSource<Message, Seen> = {
  /** All items ever received, in order. */
  all: () => Message[];
  /** Shows an item to its reader. */
  seen: (message: Message) => Seen;
  /** Waits until a value is available. */
  until: (what: string, find: () => Message | undefined) => Promise<Message>;
  /** Names the messages and their reader in errors. */
  what: string;
  reader: string;
};

/** Messages as a user reads them: all of them, the newest, and one after the other. */
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
    /** The newest message. Throws when there is none. */
    last(): Seen {
      const last = present().at(-1);
      if (!last) throw new Error(`${reader} has no ${what}`);
      return seen(last);
    },
    /** Waits for the message after the one that `next` returned last, or for the first. */
    async next(): Promise<Seen> {
      const message = await until(`${what} for ${reader}`, () => all()[read]);
      read += 1;
      return seen(message);
    },
  };
}
