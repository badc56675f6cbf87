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

  return {
    operations,
    pushes,
    faults,
    /** The place of a new push. */
    nextNumber: () => numbers++,
    /** A name for a new operation, unique in this history. */
    nextAgent: (kind: OperationKind) => `${kind} ${++agents}`,
  };
}
