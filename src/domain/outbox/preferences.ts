import { type NoticeKinds, noticeKinds, type OwnerEvent } from './events.ts';

/** Which views to notify of: the first, every one, or none. */
export const viewedOptions = ['first', 'every', 'none'] as const;
type ViewedOption = (typeof viewedOptions)[number];

/** A kind of notice that is either on or off. */
export type NoticeSwitch = Exclude<keyof NoticeKinds, 'viewed'>;

export const noticeSwitches = Object.keys(noticeKinds).filter((kind) => kind !== 'viewed') as NoticeSwitch[];

/** Which notices the owner of a push wants. */
export type NoticePreferences = { viewed: ViewedOption } & { [Kind in NoticeSwitch]: boolean };

function switches(isOn: (kind: NoticeSwitch) => boolean) {
  return Object.fromEntries(noticeSwitches.map((kind) => [kind, isOn(kind)])) as {
    [Kind in NoticeSwitch]: boolean;
  };
}

/** The default for accounts created by a chat. */
export const allNotices: NoticePreferences = { viewed: 'every', ...switches(() => true) };

/** The default for all other accounts. */
export const defaultNotices: NoticePreferences = {
  viewed: noticeKinds.viewed.default,
  ...switches((kind) => noticeKinds[kind].default),
};

const viewedBits: Record<ViewedOption, number> = { first: 1, every: 2, none: 0 };

/** Encodes preferences as the small number that the database stores. */
export function encodePreferences(preferences: NoticePreferences): number {
  const bits = noticeSwitches.map((kind) => (preferences[kind] ? noticeKinds[kind].bit : 0));
  return bits.reduce<number>((encoded, bit) => encoded | bit, viewedBits[preferences.viewed]);
}

export function decodePreferences(encoded: number): NoticePreferences {
  const has = (bit: number) => (encoded & bit) !== 0;
  return {
    viewed: has(viewedBits.every) ? 'every' : has(viewedBits.first) ? 'first' : 'none',
    ...switches((kind) => has(noticeKinds[kind].bit)),
  };
}

const bitByEvent = new Map<OwnerEvent, number>(
  noticeSwitches.flatMap((kind) =>
    Object.keys(noticeKinds[kind].events).map((event) => [event as OwnerEvent, noticeKinds[kind].bit]),
  ),
);

/** The push of an answer has one of these at least: a reminder before it ends unopened. */
const anyBit = [...Object.values(viewedBits), ...bitByEvent.values()].reduce((all, bit) => all | bit);

/**
 * The bits of encoded preferences of which one must be set for an event to be notified. `viewsUsed` includes the view
 * that is the event.
 */
export function bitsFor(event: OwnerEvent, viewsUsed = 0): number {
  if (event === 'answered') return anyBit;
  if (event === 'viewed') return viewsUsed === 1 ? viewedBits.first | viewedBits.every : viewedBits.every;
  return bitByEvent.get(event) ?? 0;
}
