import type { Card } from '../../src/bots/card.ts';
import type { Cards } from '../../src/bots/cards/cards.ts';
import type { PushWithRecipients } from '../../src/bots/cards/push.ts';
import type { FormSpec } from '../../src/bots/form.ts';
import type { Forms } from '../../src/bots/forms/forms.ts';
import { moreFields } from '../../src/bots/forms/pushFields.ts';
import type {
  LinkRequest,
  MailedAddress,
  PushEvent,
  PushNotice,
  RequestLink,
  SecretRequest,
} from '../../src/domain/index.ts';
import { allNotices } from '../../src/domain/outbox/preferences.ts';
import { dayMs } from '../../src/time.ts';

/** The people, pushes and requests of the page that lists what the chats say. */
const at = Date.UTC(2026, 10, 28, 14, 30);
const [alice, bob, carol] = ['@alice', '@bob', '@carol'].map((address) => ({
  ...{ id: address, platform: 'slack' as const, address, name: null, urlToken: null, isBound: true },
  ...{ viewsMax: 1, viewsUsed: 0, openedAt: null, lastOpenedAt: null },
}));
if (alice === undefined || bob === undefined || carol === undefined) throw new Error('unreachable');

const link = 'https://push.example.com/p/…';
const push = {
  ...{ id: '1', urlToken: '…', name: 'VPN', createdAt: at, expiresAt: at + 7 * dayMs, now: at },
  ...{ viewsMax: 5, viewsUsed: 0, hasPassphrase: true, deleted: false, expiredOn: null, kind: 'text' },
  ...{ extensionMs: 7 * dayMs, recipients: [] },
} as unknown as PushWithRecipients;
const ended = { ...push, expiredOn: at };
const bound = { ...ended, isBound: true };
const unnamed = { ...push, name: null, recipients: [bob, carol] };
const opened = { ...bob, viewsUsed: 1 };
const reserved = { ...push, isReserved: true, viewsMax: 2, recipients: [bob, carol] };
const request: SecretRequest = {
  id: '1',
  groupId: '1',
  requester: alice,
  provider: bob,
  workspace: '',
  reason: 'The VPN, please',
  createdAt: at,
  isUnreadable: false,
  state: 'open',
  expiresAt: at,
};
const mailed: MailedAddress[] = [
  { address: 'bob@example.com', state: { is: 'handedOver', reason: null } },
  {
    address: 'carol@example.com',
    state: { is: 'refused', reason: 'your mail server refused it: 550 5.1.1 No such user' },
  },
];
const requestLink: RequestLink = {
  ...{ id: '1', urlToken: '…', title: 'The contract', note: null, isUnreadable: false, accepts: 'text' },
  ...{ bytesMax: null, allowsName: true, hasPassphrase: true, answersMax: 3, answersUsed: 1 },
  ...{ answerLifetimeMs: 7 * dayMs, state: 'open', createdAt: at, expiresAt: at + 7 * dayMs },
  ...{ publicKeys: null, wrappedKey: null },
};
const requestAddress = 'https://push.example.com/a/…';
const requestToCarol = { ...request, provider: carol };
const accountAct = {
  kind: 'reset_link',
  account: 'alice@example.com',
  actor: 'admin@example.com',
  detail: null,
  createdAt: 0,
} as const;
const linkRequest: LinkRequest = {
  ...{ id: '1', chatUser: alice, name: '@alice', account: 'alice@example.com', state: 'open' },
};

type NoticeSample = Partial<Pick<PushNotice, 'times' | 'openers'>>;

const noticeOf = (event: PushEvent, viewsUsed: number, { times = 1, openers = [] }: NoticeSample) =>
  ({
    ...{ event, times, openers, happenedAt: at, startedAt: at, push: { ...push, viewsUsed } },
  }) as unknown as PushNotice;

const eventOf =
  (event: PushEvent, viewsUsed = 1, sample: NoticeSample = {}) =>
  (cards: Cards): Card =>
    cards.event(noticeOf(event, viewsUsed, sample), push, { times: sample.times ?? 1 });

type Samples<T> = Record<string, Record<string, (from: T) => T extends Cards ? Card : FormSpec>>;

/** Every card, by where it is shown. */
export const cardSamples: Samples<Cards> = {
  'The answer to whoever creates a push': {
    'With recipients and a passphrase': (cards) =>
      cards.pushCreated(reserved, link, { sentTo: ['@bob', '@carol'] }),
    'Of text after the command': (cards) =>
      cards.pushCreated({ ...push, name: null, hasPassphrase: false }, link, {
        hints: [cards.hints.slashText],
      }),
    'Of a message': (cards) =>
      cards.pushCreated({ ...push, hasPassphrase: false }, link, { hints: [cards.hints.original] }),
    'Sent to more people': (cards) => cards.shared(['@bob']),
    'Before it is burned': (cards) => cards.confirmBurn('1'),
    Extended: (cards) => cards.extended(push, link, 7 * dayMs),
    'Not extended': (cards) => cards.extended({ ...push, extensionMs: 0 }, link, 0),
  },
  'A recipient’s direct message': {
    'A new secret': (cards) => cards.received('@alice', { ...push, viewsMax: 1 }, { pushId: '1' }),
    'From a sender outside the chat': (cards) =>
      cards.received(undefined, { ...push, hasPassphrase: false }, { link }),
    'After Open': (cards) => cards.boundLink(link),
    Opened: (cards) => cards.receivedEnd('@alice', { ...bound, viewsUsed: 5 }, { isWithdrawn: false }),
    'Opened through a link that others may have': (cards) =>
      cards.receivedEnd('@alice', { ...bound, viewsUsed: 5, isBound: false }, { isWithdrawn: false }),
    'Expired unread': (cards) => cards.receivedEnd('@alice', bound, { isWithdrawn: false }),
    Expired: (cards) => cards.receivedEnd('@alice', { ...bound, viewsUsed: 1 }, { isWithdrawn: false }),
    Withdrawn: (cards) => cards.receivedEnd('@alice', bound, { isWithdrawn: true }),
    Deleted: (cards) => cards.receivedEnd('@alice', { ...bound, deleted: true }, { isWithdrawn: false }),
  },
  'A channel': {
    'A shared secret': (cards) => cards.sharedInChannel('@alice', push),
    'To the sender, where that took long': (cards) => cards.sharedHere,
    'Where nothing can be shared': (cards) => cards.notInChannel,
  },
  'Reminders of a push': {
    'To a recipient who has not opened it': (cards) =>
      cards.reminded('@alice', { ...push, viewsMax: 1 }, { pushId: '1' }),
    'From a sender outside the chat': (cards) =>
      cards.reminded(undefined, { ...push, hasPassphrase: false }, { link }),
    'To the sender who reminds': (cards) => cards.nudged({ reminded: [bob, carol], tooSoon: [] }),
    'To the sender who reminds them too soon': (cards) => cards.nudged({ reminded: [bob], tooSoon: [carol] }),
    'Remind me later': (cards) => cards.whenToRemind('1', ['hour', 'morning']),
    'Remind me later, without a time zone': (cards) => cards.whenToRemind('1', ['hour', 'day']),
    'A reminder is set': (cards) => cards.reminderSet(at),
  },
  'The sender’s direct message': {
    'Not opened yet': (cards) => cards.pushStatus(push, link),
    'Without a name': (cards) => cards.pushStatus(unnamed, link),
    Opened: (cards) => cards.pushStatus({ ...push, viewsUsed: 2 }, link),
    'Opened by one of its recipients': (cards) =>
      cards.pushStatus({ ...reserved, viewsUsed: 1, recipients: [opened, carol] }, link),
    'After the last view': (cards) => cards.pushStatus({ ...ended, viewsUsed: 5 }, link),
    Expired: (cards) => cards.pushStatus(ended, link),
    'Expired before all recipients opened it': (cards) =>
      cards.pushStatus({ ...ended, viewsUsed: 1, recipients: [opened, carol] }, link),
    Burned: (cards) => cards.pushStatus({ ...ended, deleted: true, viewsUsed: 1 }, link),
    'Direct messages do not reach a recipient': (cards) => cards.unreachable('@bob', push, link),
    'Direct messages do not reach whom it is bound to': (cards) => cards.unreachable('@bob', push, undefined),
  },
  'Lines below it': {
    'A view': eventOf('viewed'),
    'A view by a recipient': eventOf('viewed', 1, { openers: [bob] }),
    'A burst of views': eventOf('viewed', 3, { times: 3 }),
    'A burst of views by recipients': eventOf('viewed', 3, { times: 2, openers: [bob, carol] }),
    'The last view': eventOf('viewed', 5),
    'The end by views, where views are not notified': eventOf('expired_by_views', 5),
    'The same by a recipient': eventOf('expired_by_views', 5, { openers: [bob] }),
    'Expired unread': eventOf('expired_by_time', 0),
    Expired: eventOf('expired_by_time', 2),
    Burned: eventOf('burned', 0),
    'Deleted by a viewer': eventOf('deleted', 1),
    'A wrong passphrase': eventOf('failed_passphrase'),
    'Several wrong passphrases': eventOf('failed_passphrase', 0, { times: 4 }),
    Locked: eventOf('locked'),
    'Soon expired': eventOf('about_to_expire', 0),
    'Asked for again': eventOf('asked_again', 5),
    'A request link was answered': eventOf('answered', 0),
  },
  Requests: {
    Asked: (cards) => cards.requestsSent([request]),
    'Asked of several people': (cards) => cards.requestsSent([request, requestToCarol]),
    'To a person who is asked': (cards) => cards.requested(request),
    'A reminder to who has not answered': (cards) => cards.requestReminder(request),
    Cancelled: (cards) => cards.requestEnded.cancelled([request, requestToCarol]),
    'Expired, to the requester': (cards) => cards.requestEnded.expired([bob, carol]),
    ...Object.fromEntries(
      (
        [
          ['Provided', 'provided'],
          ['Declined', 'declined'],
          ['Declined, to the requester', 'wasDeclined'],
          ['Reached nobody', 'undelivered'],
          ['Expired, to the person who was asked', 'wasExpired'],
          ['Cancelled, to the person who was asked', 'wasCancelled'],
        ] as const
      ).map(([title, end]) => [title, (cards: Cards) => cards.requestEnded[end](request)]),
    ),
  },
  'Request links': {
    Created: (cards) => cards.requestLink(requestLink, requestAddress),
    'Sent by mail': (cards) => cards.requestLink(requestLink, requestAddress, mailed),
    Closed: (cards) => cards.requestLinkClosed(requestLink),
    'Shown when it is over': (cards) =>
      cards.requestLink({ ...requestLink, state: 'answered', answersUsed: 3 }, requestAddress),
  },
  Lists: {
    Pushes: (cards) =>
      cards.list([{ push, link }], [request, { ...requestLink, address: requestAddress }], {
        page: 2,
        hasOlder: true,
      }),
    'Found by a search': (cards) => cards.list([{ push, link }], [], { query: 'vpn' }),
    'Nothing found': (cards) => cards.list([], [], { query: 'wifi' }),
    'No push': (cards) => cards.list([], []),
    'Which link?': (cards) => cards.choosePush([{ push, link }], 'WLAN'),
    Activity: (cards) =>
      cards.audit(
        { ...push, viewsUsed: 1 },
        (
          [
            'creation',
            'preview',
            'failed_passphrase',
            'view',
            'failed_view',
            'download',
            'edit',
            'asked_again',
            'expire',
          ] as const
        ).map((kind) => ({
          kind,
          openedBy: null,
          times: kind === 'failed_passphrase' ? 3 : 1,
          createdAt: at,
          updatedAt: at,
          ip: kind === 'view' ? '203.0.113.9' : '',
          userAgent: '',
          referrer: '',
          recipient: null,
          place: null,
        })),
        2,
      ),
  },
  'The first steps': {
    'Installed in Slack': (cards) => cards.installed(),
    'An empty Home': (cards) => Object.values(cards.emptyHome())[0] ?? cards.notFound,
    'Help in Slack': (cards) => cards.help('slack'),
    'Help in Discord': (cards) => cards.help('discord'),
    'Not installed': (cards) => cards.notInstalled('https://push.example.com/slack/install'),
  },
  'Accounts and settings': {
    'Connect a browser': (cards) => cards.connect(link),
    'A browser wants to be connected': (cards) => cards.linkRequested(linkRequest),
    'A browser wants to sign in': (cards) => cards.linkRequested({ ...linkRequest, account: null }),
    Connected: (cards) => cards.linkConfirmed(linkRequest),
    'Signed in': (cards) => cards.linkConfirmed({ ...linkRequest, account: null }),
    'Not connected': (cards) => cards.linkRejected,
    'To the others of an account': (cards) => cards.linked(linkRequest),
    'What an admin did': (cards) => cards.accountAct(accountAct, alice),
    'Whose settings, in Discord': (cards) => cards.whoseSettings('discord'),
    'Whose settings, in Mattermost': (cards) => cards.whoseSettings('mattermost'),
    'Export of the activity': (cards) => cards.activityExport(link),
    Saved: (cards) => cards.saved,
  },
  'What did not work': {
    'Our fault': (cards) => cards.internalError,
    'Too slow': (cards) => cards.tooSlow,
    'No database': (cards) => cards.tryAgain,
    'A form did not open': (cards) => cards.formFailed(cards.buttons.newPush('')),
    'Not allowed': (cards) => cards.notAllowed,
    'Not found': (cards) => cards.notFound,
    'Done already': (cards) => cards.alreadyDone,
    'A draft that is gone': (cards) => cards.lostDraft,
    'A message with nothing in it': (cards) => cards.nothingToPush,
    'A file that Slack does not give': (cards) => cards.fileUnreadable('key.pem'),
    'A group that Slack does not tell of': (cards) => cards.groupUnreadable,
    'While files take long': (cards) => cards.fetchingFiles,
    'A slip of the finger': (cards) => cards.didYouMean('hlep', '/push help'),
    'No text after the command': (cards) => cards.textNotAllowed,
    'A secret that begins with a command': (cards) => ({ summary: [], lines: [cards.hints.subword('list')] }),
    'Direct messages do not reach you': (cards) => ({ summary: [], lines: [cards.hints.unreached] }),
    'A second form, in Discord': (cards) => cards.moreOptions(''),
  },
};

const bounds = { views: 5, viewsForOne: 1, days: 7, maxViews: 100, maxDays: 90 };
const rules = { requireRecipients: false, requireBound: false };
const defaults = { ...bounds, ...rules, canAttachFiles: true, canMail: false, notices: allNotices };
const settings = {
  ...{ personal: {}, notices: allNotices },
  workspace: { requireRecipients: false, allowSlashText: true },
};

/** Every form. */
export const formSamples: Samples<Forms> = {
  Forms: {
    'A new push': (forms) =>
      forms.push(defaults, {
        fields: ['payload', 'files', 'recipients', 'expireAfterDays'],
        more: [...moreFields],
        state: {},
      }),
    'The answer to a request': (forms) =>
      forms.push(defaults, { fields: ['payload', 'recipients'], state: { requestId: '1' } }),
    'A request': (forms) => forms.request(),
    'A request link': (forms) => forms.requestLink(),
    'A request link, where there is mail': (forms) => forms.requestLink({ canMail: true }),
    'More recipients': (forms) => forms.share('1'),
    'The code of a browser': (forms) => forms.confirmLink('1'),
    'Settings, with the rules of a workspace': (forms) =>
      forms.settings(settings, bounds, { hasRules: true }),
    'Settings in Discord': (forms) => forms.settings(settings, bounds, { asksTimeZone: true }),
    'The rules of a server in Discord': (forms) => forms.rules(settings.workspace, bounds, 'discord'),
    'The rules of a team in Mattermost': (forms) => forms.rules(settings.workspace, bounds, 'mattermost'),
  },
};
