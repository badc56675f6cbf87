/** What integrations are told of an event: `type` is its public name. */
export type PublicEvent = { type: PublicType; reason?: 'views' | 'time' | 'deleted' };

/**
 * The kinds of notices that the owner of a push can choose. Each is on or off, except `viewed`, and covers some
 * events. `bit` is its position in the stored number, `default` its value for new accounts, and `description` is for
 * developers; the texts for users are in src/locales. A new kind needs a line here, its texts there, their use in
 * src/bots/cards/events.ts, and a use case that writes its event.
 */
export const noticeKinds = {
  viewed: {
    default: 'every',
    events: { viewed: { type: 'push.viewed' } },
    description: 'Views: the first, every, or none',
  },
  expired: {
    bit: 4,
    default: true,
    /** `burned` is a deletion by the owner, `deleted` one by a viewer. */
    events: {
      expired_by_views: { type: 'push.expired', reason: 'views' },
      expired_by_time: { type: 'push.expired', reason: 'time' },
      burned: { type: 'push.expired', reason: 'deleted' },
      deleted: { type: 'push.expired', reason: 'deleted' },
    },
    description: 'The push expired, by any limit or by hand',
  },
  failedPassphrase: {
    bit: 8,
    default: true,
    events: {
      failed_passphrase: { type: 'push.failed_passphrase' },
      locked: { type: 'push.locked' },
    },
    description: 'Wrong passphrases',
  },
  reminder: {
    bit: 16,
    default: true,
    events: { about_to_expire: { type: 'push.about_to_expire' } },
    description: 'The push is about to expire and has not been viewed',
  },
  /** Off by default, so that expired links look like links that never existed. */
  askedAgain: {
    bit: 32,
    default: false,
    events: { asked_again: { type: 'push.asked_again' } },
    description: 'Somebody asks for a new link after the end; enables asking on the page of the push',
  },
} as const;

/** What the owner of a push is told of whatever they prefer: somebody answered a request link of theirs. */
const unconditional = { answered: { type: 'request.answered' } } as const;

/** The kinds of notices by name. */
export type NoticeKinds = typeof noticeKinds;

/** What an account can get by mail: the kinds of notices that it gets at all, and answers to its request links. */
export type MailKind = keyof NoticeKinds | keyof typeof unconditional;

/** What can happen to a push that its owner is notified of: but for what they are told always, as they choose. */
export type OwnerEvent =
  | keyof typeof unconditional
  | { [Kind in keyof NoticeKinds]: keyof NoticeKinds[Kind]['events'] }[keyof NoticeKinds];

type EventsOf<Kind extends keyof NoticeKinds> = NoticeKinds[Kind]['events'];

/** The public names of these events. */
export type PublicType =
  | (typeof unconditional)[keyof typeof unconditional]['type']
  | {
      [Kind in keyof NoticeKinds]: EventsOf<Kind>[keyof EventsOf<Kind>] extends { type: infer Type }
        ? Type
        : never;
    }[keyof NoticeKinds];

/** Each event of an owner with its public name. */
export const ownerEvents: Record<OwnerEvent, PublicEvent> = Object.assign(
  {},
  ...Object.values(noticeKinds).map(({ events }) => events),
  unconditional,
);

const publicTypesOf = (events: Record<string, PublicEvent>): PublicType[] => [
  ...new Set(Object.values(events).map(({ type }) => type)),
];

/** The public names of events, which webhooks can choose from. */
export const publicTypes = publicTypesOf(ownerEvents);

/** The public names of the events of each kind that an account can get by mail. */
export const mailKinds = Object.fromEntries([
  ...Object.entries(noticeKinds).map(([kind, { events }]) => [kind, publicTypesOf(events)]),
  ...Object.entries(unconditional).map(([kind, event]) => [kind, [event.type]]),
]) as Record<MailKind, PublicType[]>;

/** Encodes a choice of public types as the database stores it: null for all. */
export function encodeTypes(types: PublicType[] | null): string | null {
  return types && `,${types.join(',')},`;
}

export function decodeTypes(encoded: string | null): PublicType[] | null {
  return encoded === null ? null : (encoded.slice(1, -1).split(',') as PublicType[]);
}

const recipientEvents = ['shared', 'reminded', 'opened', 'ended', 'withdrawn', 'code'] as const;

/**
 * What the recipients of a push in a chat or by mail are notified of: `shared` sends them the link, `reminded` sends it again to
 * those who have not opened it, `opened` says that they have used all their views, `ended` and `withdrawn` (by its owner)
 * that the link no longer works. `code` is by mail alone, as the first two are in chats and by mail: it brings a code that opens the link.
 */
export type RecipientEvent = (typeof recipientEvents)[number];

/** `composed` tells the sender of a push that a compose link was used. */
export type PushEvent = OwnerEvent | RecipientEvent | 'composed';

/**
 * `request_reminder` asks again, before the request is due. `undelivered` tells the requester that nobody got the
 * request. `request_expired` tells the people who were asked that it is over. The requester gets one for all requests
 * sent together, with those who did not answer in time.
 */
const requestEvents = [
  'requested',
  'request_reminder',
  'declined',
  'cancelled',
  'undelivered',
  'request_expired',
] as const;
export type RequestEvent = (typeof requestEvents)[number];

/** `link_requested` asks a chat user to confirm. `linked` tells an account's other addresses who now shares it. */
const linkEvents = ['link_requested', 'linked'] as const;
export type LinkEvent = (typeof linkEvents)[number];

/**
 * By mail alone. `verify_address`, `sign_up`, `password_reset` and `invited` bring a link to an address, `request_link` that of somebody
 * who asks for a secret; `security` tells an account what happened to its sign-in.
 */
const mailEvents = [
  'verify_address',
  'sign_up',
  'password_reset',
  'invited',
  'request_link',
  'security',
] as const;
export type MailEvent = (typeof mailEvents)[number];

/** Nothing happened: the owner of a webhook tries whether it works. */
export type TestEvent = 'test';

/**
 * An admin or operator changed another person's account, or somebody signed in to one from a browser that it did not know. All of its
 * addresses are told, whatever their preferences.
 */
export type AccountEvent = keyof typeof accountTypes;

/** The public names of these events. */
export const accountTypes = { account_act: 'account.changed', new_browser: 'account.new_browser' } as const;

export type NoticeEvent = PushEvent | RequestEvent | LinkEvent | MailEvent | AccountEvent | TestEvent;

export function isAccountEvent(event: NoticeEvent): event is AccountEvent {
  return event in accountTypes;
}

export function isOwnerEvent(event: NoticeEvent): event is OwnerEvent {
  return event in ownerEvents;
}

const among =
  <Event extends NoticeEvent>(events: readonly Event[]) =>
  (event: NoticeEvent): event is Event =>
    events.some((each) => each === event);

export const isRequestEvent = among(requestEvents);
export const isRecipientEvent = among(recipientEvents);
export const isLinkEvent = among(linkEvents);
export const isMailEvent = among(mailEvents);
