/** What a client did. */
export type OperationKind = 'create' | 'retrieve' | 'guess' | 'delete' | 'extend' | 'expire' | 'download';

/**
 * How it ended. After `unknown` it may or may not have happened: no response came, or a 503. After `refused` it
 * cannot have happened.
 */
type OperationOutcome = 'ok' | 'refused' | 'unknown';

/** One operation of a client. Times are milliseconds since the epoch by this machine's clock. */
export type Operation = {
  kind: OperationKind;
  /** The place of its push among all pushes. */
  push: number;
  /** Its user agent, by which the audit log names it. */
  agent: string;
  /** The process that was asked. */
  process: string;
  startedAt: number;
  endedAt: number;
  outcome: OperationOutcome;
  status: number;
  /** The `Idempotency-Key` that it was sent with. Operations of the same key are one client that tries again. */
  key?: string;
  /** When the client hung up before the response had come. */
  hungUpAt?: number;
  /** Whether a browser opened a page. */
  isByPage?: boolean;
  /** The payload of a view. */
  payload?: string;
  /** How many files came with a view. */
  files?: number;
  /** Until when a view gave a right to the file of a download. */
  grantEndsAt?: number;
  /** The end that an extension sets, at the earliest. */
  expiresAt?: number;
  /** Why there was no response, or what a failure says. */
  error?: string;
  /** What must not be in a response, and was. */
  defect?: string;
};

/** A push whose creation was confirmed. */
export type RecordedPush = {
  number: number;
  token: string;
  payload: string;
  viewsMax: number;
  passphrase: string | undefined;
  /** The number of its files. */
  files: number;
  isOwned: boolean;
};

/** A fault, while it lasts. */
export type RecordedFault = { name: string; startedAt: number; endedAt: number; detail: string };

export type HistoryRecord = ReturnType<typeof createRecord>;

/** Everything that happened, in memory. */
export function createRecord() {
  const operations: Operation[] = [];
  const pushes: RecordedPush[] = [];
  const faults: RecordedFault[] = [];
  let numbers = 0;
  let agents = 0;
  let keys = 0;

  return {
    operations,
    pushes,
    faults,
    /** The place of a new push. */
    nextNumber: () => numbers++,
    /** A name for a new operation, unique in this history. */
    nextAgent: (kind: OperationKind) => `${kind} ${++agents}`,
    /** A new `Idempotency-Key`. */
    nextKey: () => `retrieval-key-${String(++keys).padStart(8, '0')}`,
  };
}

/** Who it was, however often they tried. */
export const clientOf = ({ key, agent }: Operation): string => key ?? agent;

/** Items with the same key together, in the order of the first of each. */
export function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
