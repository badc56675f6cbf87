import type { AuditRow, DomainError, Platform, Push, PushNotice, SecretRequest } from '../domain/index.ts';
import { type Button, type Card, type Item, type Line, textCard, toPlainText } from './card.ts';

/** Everything that people in a chat read, whichever chat it is. Short, and never a secret. */

export const actions = {
  burn: 'push.burn',
  extend: 'push.extend',
  audit: 'push.audit',
  send: 'push.send',
  show: 'push.show',
  open: 'push.open',
  compose: 'push.compose',
  provide: 'request.provide',
  decline: 'request.decline',
  cancel: 'request.cancel',
  showRequest: 'request.show',
  refill: 'push.refill',
  newPush: 'push.new',
  newRequest: 'request.new',
  settings: 'settings.open',
  rules: 'settings.rules',
} as const;

const titleOf = (push: { name: string | null }): Line => [
  push.name === null ? 'Your push' : { bold: push.name },
];

/** A push in a few plain words, for where it is to be chosen. */
export const labelOf = ({ name, createdAt, viewsUsed, viewsMax }: Push): string =>
  name ?? `made ${utc(createdAt)}, ${viewsUsed} of ${number(viewsMax, 'view')}`;

const utc = (time: number) => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const times = (count: number) => (count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`);
const number = (count: number, thing: string, things = `${thing}s`) =>
  `${count} ${count === 1 ? thing : things}`;

function listOf(people: string[]): Line {
  return people.flatMap((person, at): Line => {
    const before = at === 0 ? '' : at === people.length - 1 ? ' and ' : ', ';
    return [before, { person }];
  });
}

const limitsOf = ({
  viewsMax,
  viewsUsed,
  expiresAt,
}: Pick<Push, 'viewsMax' | 'viewsUsed' | 'expiresAt'>): Line => [
  `Opens ${times(viewsMax - viewsUsed)}${viewsUsed === 0 ? '' : ' more'}, until `,
  { time: expiresAt, as: 'moment' },
  '.',
];

/** Asked before an act is done. */
export const confirmations = {
  [actions.burn]: {
    title: 'Burn this push?',
    text: 'Nobody will be able to open it any more.',
    yes: 'Burn it',
    no: 'Keep it',
  },
};

const burnButton = (id: string): Button => ({
  label: 'Burn now',
  style: 'danger',
  id: actions.burn,
  value: id,
  confirm: confirmations[actions.burn],
});

const auditButton = (id: string): Button => ({ label: 'Audit', id: actions.audit, value: id });
const extendButton = (id: string): Button => ({ label: 'Extend', id: actions.extend, value: id });
const cancelButton = (id: string): Button => ({ label: 'Cancel', id: actions.cancel, value: id });

type PushCreatedOptions = {
  sentTo?: string[];
  /** More to say, below. */
  hints?: Line[];
};

/** The private answer to who made a push: the link, what it allows, and what can be done with it. */
export function pushCreated(
  push: Push,
  link: string,
  { sentTo = [], hints = [] }: PushCreatedOptions = {},
): Card {
  return {
    summary: 'Your push is ready.',
    lines: [
      [...titleOf(push), ' is ready: ', { link, label: link }],
      limitsOf(push),
      ...(sentTo.length === 0 ? [] : [['Sent to ', ...listOf(sentTo), '.']]),
      ...(push.hasPassphrase ? [['Tell them the passphrase by another way.']] : []),
    ],
    footnotes: hints,
    buttons: [
      burnButton(push.id),
      auditButton(push.id),
      { label: 'Send to…', id: actions.send, value: push.id },
    ],
  };
}

export const hints = {
  slashText: [
    'Text typed after a command passes through the chat’s servers. Next time use the form: ',
    { code: '/push' },
    ' alone.',
  ],
  original: ['The message itself still holds the secret. Ask its author to delete it.'],
  unreached: [
    'Our direct messages do not reach you, so you may have missed some. Your privacy settings decide who may write to you.',
  ],
  subword: (word: string): Line => [
    'A secret that begins with ',
    { code: word },
    ' goes through the form: ',
    { code: '/push' },
    ' alone.',
  ],
} satisfies Record<string, Line | ((word: string) => Line)>;

/** What whom a push is meant for gets. */
export function received(
  sender: string | undefined,
  push: Pick<Push, 'viewsMax' | 'viewsUsed' | 'expiresAt' | 'hasPassphrase'>,
  link: string,
): Card {
  return {
    summary: 'Somebody sent you a secret.',
    lines: [
      [sender === undefined ? 'Somebody' : { person: sender }, ' sent you a secret.'],
      limitsOf(push),
      ...(push.hasPassphrase ? [['You will be asked for a passphrase, which comes by another way.']] : []),
    ],
    buttons: [{ label: 'Open', style: 'primary', id: actions.open, url: link }],
  };
}

/** What happened to a push, as one line of a thread. */
export function eventLine({
  event,
  times: count,
  happenedAt,
  push: { viewsUsed, viewsMax },
}: PushNotice): Line {
  const when: Line = [' ', { time: happenedAt, as: 'moment' }, '.'];
  const read = viewsUsed === 0 ? 'never read' : `read ${times(viewsUsed)}`;
  switch (event) {
    case 'viewed':
      return [`Viewed${count === 1 ? '' : ` ${times(count)}`}, ${viewsUsed} of ${viewsMax} in all,`, ...when];
    case 'expired_by_views':
    case 'expired_by_time':
      return [`Expired, ${read},`, ...when];
    case 'burned':
      return [`Burned, ${read},`, ...when];
    case 'deleted':
      return [`Deleted by somebody who has the link, ${read},`, ...when];
    case 'failed_passphrase':
      return [count === 1 ? 'Wrong passphrase,' : `${count} wrong passphrases,`, ...when];
    case 'locked':
      return ['Locked for a while after too many wrong passphrases,', ...when];
    case 'about_to_expire':
      return ['Nobody has opened it yet, and it expires soon.'];
    case 'asked_again':
      return ['Somebody who came too late asks for it again,', ...when];
    case 'composed':
      return ['Made in the browser,', ...when];
    case 'shared':
      return ['Sent,', ...when];
  }
}

/** The one message about a push that its owner has, as it stands now. */
export function pushStatus(push: Push, link: string): Card {
  const title = titleOf(push);
  if (push.expiredOn !== null) {
    const read = push.viewsUsed === 0 ? 'never read' : `read ${times(push.viewsUsed)}`;
    const ended = push.deleted ? 'was burned' : 'has expired';
    return {
      summary: `${toPlainText(title)} ${ended}, ${read}.`,
      lines: [[...title, ` ${ended}, `, { bold: read }, '.']],
      buttons: [auditButton(push.id)],
    };
  }
  const viewed =
    push.viewsUsed === 0 ? 'not opened yet' : `viewed ${push.viewsUsed} of ${number(push.viewsMax, 'time')}`;
  return {
    summary: `${toPlainText(title)}: ${viewed}.`,
    lines: [[...title, ': ', { bold: viewed }, '. ', { link, label: link }], limitsOf(push)],
    buttons: [burnButton(push.id), extendButton(push.id), auditButton(push.id)],
  };
}

/** What can still be done for a push that nobody has read. */
export const reminderButtons = (id: string): Button[] => [extendButton(id), burnButton(id)];

/** What can be done about a push that is over and is asked for. */
export const newPushButtons = (id: string): Button[] => [
  { label: 'New push', style: 'primary', id: actions.newPush, value: id },
];

/** One line as a card. */
export const lineCard = (line: Line): Card => ({ summary: toPlainText(line), lines: [line] });

/** What the owner hears when a push could not be brought to somebody, with words that they can pass on themselves. */
export function unreachable(
  person: string,
  { viewsMax, viewsUsed }: Pick<Push, 'viewsMax' | 'viewsUsed'>,
  link: string,
): Card {
  const ready = `A secret for you, which opens ${times(viewsMax - viewsUsed)}: ${link}`;
  return textCard(['No message reaches ', { person }, '. Hand them this by another way:'], [{ code: ready }]);
}

const auditLabels: Record<AuditRow['kind'], string> = {
  creation: 'made',
  view: 'viewed',
  download: 'downloaded a file',
  failed_view: 'opened too late',
  failed_passphrase: 'wrong passphrase',
  expire: 'burned',
  preview: 'looked at by a machine, which spends no view',
  edit: 'extended',
  asked_again: 'asked for again',
};

/** The newest of what happened to a push, and how much happened before. */
export function audit(push: Push, rows: AuditRow[], earlier: number): Card {
  return {
    summary: 'The log of your push.',
    lines: [
      [...titleOf(push), `: ${push.viewsUsed} of ${number(push.viewsMax, 'view')} used.`],
      ...rows.map(
        ({ kind, createdAt, ip }): Line => [
          { time: createdAt, as: 'moment' },
          ` ${auditLabels[kind]}${ip === '' ? '' : ` from ${ip}`}`,
        ],
      ),
    ],
    ...(earlier > 0 && {
      footnotes: [[`${number(earlier, 'earlier entry', 'earlier entries')} not shown.`]],
    }),
  };
}

export type PushWithLink = { push: Push; link: string };

const lineOf = ({ push, link }: PushWithLink): Line => [
  ...titleOf(push),
  ` · ${push.viewsUsed} of ${number(push.viewsMax, 'view')} · until `,
  { time: push.expiresAt, as: 'moment' },
  ' · ',
  { link, label: 'link' },
];

const itemOf = (push: Push): Pick<Item, 'label' | 'details'> => ({
  label: labelOf(push),
  details: { id: actions.show, value: push.id },
});

const activeItem = (linked: PushWithLink): Item => ({
  ...itemOf(linked.push),
  line: lineOf(linked),
  buttons: [burnButton(linked.push.id), auditButton(linked.push.id)],
});

const requestItem = ({ id, provider, createdAt }: SecretRequest): Item => ({
  line: ['Waiting for ', { person: provider.address }, ', asked ', { time: createdAt, as: 'date' }, '.'],
  buttons: [cancelButton(id)],
  label: `asked ${utc(createdAt)}`,
  details: { id: actions.showRequest, value: id },
});

/** A request that waits for its answer, alone. */
export function pendingRequest(request: SecretRequest): Card {
  const { line, buttons } = requestItem(request);
  return { ...textCard(line), buttons };
}

type ListOptions = {
  hint?: Line | undefined;
  /** Whether there are more than these. */
  isCut?: boolean;
};

export function list(
  active: PushWithLink[],
  requests: SecretRequest[],
  { hint, isCut = false }: ListOptions = {},
): Card {
  const below = [...(isCut ? [['Older ones are not shown.']] : []), ...(hint === undefined ? [] : [hint])];
  const footnotes = below.length > 0 && { footnotes: below };
  if (active.length === 0 && requests.length === 0)
    return { ...textCard(['You have no active push. ', { code: '/push' }, ' makes one.']), ...footnotes };
  const count = number(active.length, 'active push', 'active pushes');
  return {
    summary: isCut ? 'Your newest pushes.' : `You have ${count}.`,
    lines: [],
    items: [...active.map(activeItem), ...requests.map(requestItem)],
    ...footnotes,
  };
}

/** For who wants to act on a push and did not say on which. */
export function choosePush(candidates: PushWithLink[]): Card {
  if (candidates.length === 0) return list([], []);
  const items = candidates.map((each) => (each.push.expiredOn === null ? activeItem : expiredItem)(each));
  return { summary: 'Which push?', lines: [['Which push?']], items };
}

const expiredItem = ({ push }: PushWithLink): Item => ({
  ...itemOf(push),
  line: [...titleOf(push), push.viewsUsed === 0 ? ' · never read' : ` · read ${times(push.viewsUsed)}`],
  buttons: [auditButton(push.id)],
});

/** What a person finds in the app's own place, with headings for each part. */
export function home(
  active: PushWithLink[],
  requests: SecretRequest[],
  expired: PushWithLink[],
): Record<string, Card> {
  const none = (text: string, items: Item[]): Card =>
    items.length === 0 ? textCard(text) : { summary: text, lines: [], items };
  return {
    'Active pushes': none('None.', active.map(activeItem)),
    'Secrets you asked for': none('None.', requests.map(requestItem)),
    'Expired pushes': none('None.', expired.map(expiredItem)),
  };
}

export const homeButtons: Button[] = [
  { label: 'New push', style: 'primary', id: actions.newPush, value: 'home' },
  { label: 'Ask for a secret', id: actions.newRequest, value: 'home' },
  { label: 'Settings', id: actions.settings, value: 'home' },
];

const listing = { slack: '/push', discord: '/pushes' };

/** How a chat's commands are used. */
export function help(platform: Platform): Card {
  const sub = (word: string) => ({ code: `${listing[platform]} ${word}` });
  const own: Record<Platform, Line[]> = {
    slack: [[{ code: '/push some text' }, ' makes a push of that text at once.']],
    discord: [
      ['In the menu of a message, ', { bold: 'Push securely' }, ' pushes its text.'],
      [
        'In the menu of a person, ',
        { bold: 'Send a secret' },
        ' and ',
        { bold: 'Request a secret' },
        ' do that.',
      ],
    ],
  };
  return {
    summary: 'How to hand over a secret.',
    lines: [
      [{ code: '/push' }, ' opens a form: the secret, who gets it, how often and how long it opens.'],
      ...own[platform],
      [sub('list'), ' shows your pushes.'],
      [sub('expire'), ' and ', sub('audit'), ' end one, and tell what happened to it.'],
      [sub('request'), ' asks somebody for a secret.'],
      [sub('settings'), ' and ', sub('connect'), ' set defaults, and sign you in on the web.'],
    ],
    ...(platform === 'slack' && {
      footnotes: [['A secret that begins with one of these words goes through the form.']],
    }),
  };
}

/** What somebody gets who is asked for a secret. */
export function requested({ id, requester, reason }: SecretRequest): Card {
  return {
    summary: 'Somebody asks you for a secret.',
    lines: [
      [{ person: requester.address }, ' asks you for a secret.'],
      ...(reason === null ? [] : [[reason]]),
    ],
    buttons: [
      { label: 'Provide secret', style: 'primary', id: actions.provide, value: id },
      { label: 'Decline', id: actions.decline, value: id },
    ],
  };
}

export function requestSent({ id, provider }: SecretRequest): Card {
  return {
    summary: 'Asked.',
    lines: [['Asked ', { person: provider.address }, '. You will hear as soon as there is an answer.']],
    buttons: [cancelButton(id)],
  };
}

/** A request that has ended, as each of the two reads it. */
export const requestEnded = {
  provided: ({ requester }: SecretRequest) =>
    textCard(['You sent ', { person: requester.address }, ' the secret.']),
  declined: ({ requester }: SecretRequest) =>
    textCard(['You declined to send ', { person: requester.address }, ' a secret.']),
  wasDeclined: ({ provider }: SecretRequest) =>
    textCard([{ person: provider.address }, ' declined to send you the secret.']),
  cancelled: ({ provider }: SecretRequest) =>
    textCard(['You no longer ask ', { person: provider.address }, ' for a secret.']),
  wasCancelled: ({ requester }: SecretRequest) =>
    textCard([{ person: requester.address }, ' no longer asks you for a secret.']),
};

export function shared(people: string[]): Card {
  return { ...textCard(['Sent to ', ...listOf(people), '.']), summary: 'Sent.' };
}

export function connect(link: string): Card {
  return {
    summary: 'Connect your browser.',
    lines: [['Opens your dashboard in the browser. The link works once, within ten minutes, for you alone.']],
    buttons: [{ label: 'Connect', style: 'primary', id: actions.open, url: link }],
  };
}

/** For who manages a place: their own settings, or those of everybody there. */
export const whichSettings: Card = {
  ...textCard('Whose settings?'),
  buttons: [
    { label: 'My settings', style: 'primary', id: actions.settings, value: 'own' },
    { label: 'Server rules', id: actions.rules, value: 'all' },
  ],
};

/** For who filled in a form that was refused, and need not enter the secret again. */
export const refill = (value: string): Button => ({
  label: 'Fill it in again',
  style: 'primary',
  id: actions.refill,
  value,
});

export const saved = textCard('Saved.');
export const alreadyDone = textCard('This was done already.');
export const tryAgain = textCard('Our database is out of reach. Nothing was made. Please try again.');
export const internalError = textCard('Something went wrong on our side. Please try again.');
export const tooSlow: Line = ['That takes too long just now. Nothing was made. Please try again.'];
export const tooSlowCard = lineCard(tooSlow);
export const notAllowed = textCard('That is for those who manage this server.');
export const notFound = textCard('That is over, or is not yours.');
export const lostDraft = textCard('The text got lost. Please begin again from the message.');
export const nothingToPush = textCard('That message has no text to push.');
export const textNotAllowed = textCard([
  'Here, secrets are not typed after the command. Use the form: ',
  { code: '/push' },
  ' alone.',
]);
export const notInstalled = textCard(
  'hushpush is not installed here any more. Whoever manages the apps of this workspace can install it again.',
);

/** What people call what they fill in. */
const fieldNames: Record<string, string> = {
  payload: 'The secret',
  recipients: 'Recipients',
  expireAfterViews: 'Views',
  expireAfterDays: 'Days',
  maxViews: 'The most views',
  maxDays: 'The most days',
  passphrase: 'The passphrase',
  name: 'The name',
  note: 'The note',
  reason: 'The reason',
};

/** What the domain refused, and why: field by field, where people filled in fields. */
export function refusal({ message, fields }: Pick<DomainError, 'message' | 'fields'>): Card {
  const lines = Object.entries(fields).flatMap(([field, problems]) => {
    const name = fieldNames[field];
    return name === undefined ? [] : problems.map((problem) => `${name} ${problem}.`);
  });
  return lines.length === 0 ? textCard(message) : textCard(...lines);
}
