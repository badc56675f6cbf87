import type { Rules } from './rules.ts';

/** Why a push has ended. `time`: a sweep has erased it. */
type End = 'views' | 'deleted' | 'time';

/** A row of `push_recipients`. A bound recipient asks for a link at a time, each of which works once. */
export type RecipientRow = {
  viewsMax: number;
  used: number;
  isBound: boolean;
  /** Which of the recipient's links is stored: 0 is the first. */
  link: number;
  isLinkUsed: boolean;
};

/** A row of `pushes`, with those of its recipients: what a claim reads and changes. */
export type PushRow = {
  viewsMax: number;
  used: number;
  /** Views that belong to recipients, and are not used yet. */
  reserved: number;
  hasPayload: boolean;
  end: End | null;
  /** Whether its time is over by the database's clock, swept or not. */
  isTimeOver: boolean;
  recipients: RecipientRow[];
};

/** A link to a push: its own, or that of a recipient. */
export type Link = { push: number; recipient?: number; version?: number };

/** What is decided about a request for a view: an `outcome` in `decide.ts`. */
export type Decision = 'claimed' | 'expired' | 'reserved' | 'unknown' | 'repeated' | 'gone' | 'skipped';

/** An entry that must be there. */
export function at<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new Error(`there is no entry ${index}`);
  return found;
}

/** A new push, of which each recipient has the views that they may use. */
export function newPush(
  viewsMax: number,
  recipients: Pick<RecipientRow, 'viewsMax' | 'isBound'>[] = [],
): PushRow {
  return {
    viewsMax,
    used: 0,
    reserved: recipients.reduce((sum, recipient) => sum + recipient.viewsMax, 0),
    hasPayload: true,
    end: null,
    isTimeOver: false,
    recipients: recipients.map((recipient) => ({ ...recipient, used: 0, link: 0, isLinkUsed: false })),
  };
}

/** Step 2 for one request: by the row that was read, after `earlier` views of the same push in the same transaction. */
export function decide(row: PushRow, link: Link, earlier: readonly Link[], rules: Rules): Decision {
  const recipient = recipientOf(row, link);
  if (recipient && recipient.link !== (link.version ?? 0)) return 'unknown';
  const before = rules.countsEarlierViews ? earlier : [];
  const ofRecipients = before.filter((one) => one.recipient !== undefined).length;
  if (isEnded(row, rules) || row.used + before.length >= row.viewsMax) return 'expired';
  if (recipient) {
    const ofLink = before.filter((one) => one.recipient === link.recipient).length;
    const viewsMax = recipient.isBound
      ? Math.min(recipient.used + 1, recipient.viewsMax)
      : recipient.viewsMax;
    const isUsed = recipient.isBound && recipient.isLinkUsed && rules.endsBoundLinks;
    return isUsed || recipient.used + ofLink >= viewsMax ? 'expired' : 'claimed';
  }
  const left = row.viewsMax - row.used - before.length;
  return rules.keepsReservations && row.reserved - ofRecipients >= left ? 'reserved' : 'claimed';
}

const isEnded = (row: PushRow, rules: Rules) => row.end !== null || (rules.checksTime && row.isTimeOver);

const recipientOf = (row: PushRow, { recipient }: Link) =>
  recipient === undefined ? undefined : at(row.recipients, recipient);

/**
 * Steps 3 and 4: counts views in the row as it is, and erases with the last one. Returns undefined if the guard of the
 * UPDATE finds that it has changed since it was read, as `StaleReadError` says in the code.
 */
export function count(
  row: PushRow,
  views: readonly Link[],
  read: PushRow,
  rules: Rules,
): PushRow | undefined {
  const reserved = views.filter((view) => view.recipient !== undefined).length;
  const isCurrent = row.used === read.used && !isEnded(row, rules) && row.reserved >= reserved;
  const isRoom = row.used + views.length + row.reserved - reserved <= row.viewsMax;
  const usedBy = (recipient: number) => views.filter((view) => view.recipient === recipient).length;
  const areCurrent = row.recipients.every((recipient, index) => {
    const isSame = recipient.used === read.recipients[index]?.used;
    return usedBy(index) === 0 || (isSame && recipient.used + usedBy(index) <= recipient.viewsMax);
  });
  if (rules.guardsUpdate && !(isCurrent && isRoom && areCurrent)) return undefined;
  const isLast = read.used + views.length >= row.viewsMax;
  return {
    ...row,
    used: row.used + views.length,
    reserved: rules.releasesReservations ? row.reserved - reserved : row.reserved,
    end: isLast ? 'views' : row.end,
    hasPayload: row.hasPayload && !(isLast && rules.erases === 'inside'),
    recipients: row.recipients.map((recipient, index) => ({
      ...recipient,
      used: recipient.used + usedBy(index),
      isLinkUsed: recipient.isLinkUsed || usedBy(index) > 0,
    })),
  };
}

/** Ends a push by hand (`expire.ts`) or by a sweep (`sweeps.ts`), unless it has ended. */
export function end(row: PushRow, reason: 'deleted' | 'time'): PushRow {
  const mayEnd = row.end === null && (reason === 'time') === row.isTimeOver;
  return mayEnd ? { ...row, end: reason, hasPayload: false } : row;
}
