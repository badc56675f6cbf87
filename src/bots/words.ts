import type { AuditRow, NoticeEvent, Push, SecretRequest } from '../domain/index.ts';
import { type Button, type Card, type Line, plain, say } from './card.ts';

/** Everything that people in a chat read, whichever chat it is. Short, and never a secret. */

export const acts = {
  burn: 'push.burn',
  extend: 'push.extend',
  audit: 'push.audit',
  send: 'push.send',
  open: 'push.open',
  compose: 'push.compose',
  provide: 'request.provide',
  decline: 'request.decline',
  cancel: 'request.cancel',
} as const;

const title = (push: { name: string | null }): Line => [
  push.name === null ? 'Your push' : { bold: push.name },
];

const times = (count: number) => (count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`);

const limits = ({
  viewsMax,
  viewsUsed,
  expiresAt,
}: Pick<Push, 'viewsMax' | 'viewsUsed' | 'expiresAt'>): Line => [
  `Opens ${times(viewsMax - viewsUsed)}, until `,
  { time: expiresAt, as: 'moment' },
  '.',
];

const burnButton = (id: string): Button => ({
  label: 'Burn now',
  style: 'danger',
  id: acts.burn,
  value: id,
  confirm: {
    title: 'Burn this push?',
    text: 'Nobody will be able to open it any more.',
    yes: 'Burn it',
    no: 'Keep it',
  },
});

const auditButton = (id: string): Button => ({ label: 'Audit', id: acts.audit, value: id });
const extendButton = (id: string): Button => ({ label: 'Extend', id: acts.extend, value: id });

/** The private answer to who made a push: the link, what it allows, and what can be done with it. */
export function made(
  push: Push,
  link: string,
  { sentTo = [], hint }: { sentTo?: string[]; hint?: Line } = {},
): Card {
  const sent: Line[] =
    sentTo.length === 0
      ? []
      : [['Sent to ', ...sentTo.flatMap((person, at): Line => [at === 0 ? '' : ', ', { person }]), '.']];
  return {
    summary: 'Your push is ready.',
    lines: [[...title(push), ' is ready: ', { link, label: link }], limits(push), ...sent],
    ...(hint && { footnotes: [hint] }),
    buttons: [
      burnButton(push.id),
      auditButton(push.id),
      { label: 'Send to…', id: acts.send, value: push.id },
    ],
  };
}

export const slashHint: Line = [
  'Text typed after a command passes through the chat’s servers. Next time use the form: ',
  { code: '/push' },
  ' alone.',
];

/** What whom a push is meant for gets. */
export function received(
  sender: string,
  push: Pick<Push, 'viewsMax' | 'viewsUsed' | 'expiresAt'>,
  link: string,
  hasPassphrase: boolean,
): Card {
  return {
    summary: 'Somebody sent you a secret.',
    lines: [[{ person: sender }, ' sent you a secret.'], limits(push)],
    ...(hasPassphrase && { footnotes: [['You will be asked for a passphrase. It comes by another way.']] }),
    buttons: [{ label: 'Open', style: 'primary', id: acts.open, url: link }],
  };
}

type Happened = { times: number; viewsUsed: number; viewsMax: number; at: number };

/** What happened, as one line of a thread. */
export function happened(event: NoticeEvent, { times: count, viewsUsed, viewsMax, at }: Happened): Line {
  const when: Line = [' ', { time: at, as: 'moment' }, '.'];
  switch (event) {
    case 'viewed':
      return [count === 1 ? 'Viewed' : `Viewed ${times(count)}`, ` (${viewsUsed} of ${viewsMax}),`, ...when];
    case 'expired_by_views':
      return ['Expired: it was opened as often as it may be,', ...when];
    case 'expired_by_time':
      return [viewsUsed === 0 ? 'Expired, never read,' : `Expired, read ${times(viewsUsed)},`, ...when];
    case 'deleted':
      return [viewsUsed === 0 ? 'Burned, never read,' : `Burned, read ${times(viewsUsed)},`, ...when];
    case 'failed_passphrase':
      return [count === 1 ? 'A wrong passphrase,' : `Wrong passphrases, ${count} of them,`, ...when];
    case 'locked':
      return ['Locked for a while after too many wrong passphrases,', ...when];
    case 'about_to_expire':
      return ['Nobody has opened it yet, and it will expire soon.'];
    case 'shared':
      return ['Sent.'];
  }
}

/** The one message about a push that its owner has, as it stands now. */
export function state(push: Push, link: string): Card {
  const head: Line = [...title(push)];
  if (push.expiredOn !== null) {
    const read = push.viewsUsed === 0 ? 'never read' : `read ${times(push.viewsUsed)}`;
    return {
      summary: `${plain(head)} has ended, ${read}.`,
      lines: [[...head, push.deleted ? ' was burned, ' : ' has expired, ', `${read}.`]],
      buttons: [auditButton(push.id)],
    };
  }
  const viewed = push.viewsUsed === 0 ? 'not opened yet' : `viewed ${push.viewsUsed} of ${push.viewsMax}`;
  return {
    summary: `${plain(head)}: ${viewed}.`,
    lines: [[...head, `: ${viewed}. `, { link, label: 'Link' }], limits(push)],
    buttons: [burnButton(push.id), extendButton(push.id), auditButton(push.id)],
  };
}

const auditWords: Record<AuditRow['kind'], string> = {
  creation: 'made',
  view: 'viewed',
  failed_view: 'opened too late',
  failed_passphrase: 'wrong passphrase',
  expire: 'burned',
  preview: 'previewed by a machine, which spends no view',
  edit: 'extended',
};

const auditShown = 15;

export function audit(push: Push, rows: AuditRow[]): Card {
  const shown = rows.slice(-auditShown);
  return {
    summary: 'The log of your push.',
    lines: [
      [...title(push), `: ${push.viewsUsed} of ${push.viewsMax} views used.`],
      ...shown.map(
        ({ kind, createdAt, ip }): Line => [
          { time: createdAt, as: 'moment' },
          ` ${auditWords[kind]}`,
          ip === '' ? '' : ` from ${ip}`,
        ],
      ),
    ],
    ...(rows.length > shown.length && {
      footnotes: [[`${rows.length - shown.length} earlier entries are not shown.`]],
    }),
  };
}

export function list(pushes: { push: Push; link: string }[], requests: SecretRequest[]): Card {
  if (pushes.length === 0 && requests.length === 0)
    return say('You have no active pushes. Make one with /push.');
  return {
    summary: `You have ${pushes.length} active pushes.`,
    lines: [
      ...pushes.map(
        ({ push, link }): Line => [
          ...title(push),
          ` · ${push.viewsUsed} of ${push.viewsMax} views · until `,
          { time: push.expiresAt, as: 'moment' },
          ' · ',
          { link, label: 'link' },
        ],
      ),
      ...requests.map(
        ({ provider, createdAt }): Line => [
          'Waiting for ',
          { person: provider.address },
          ', asked ',
          { time: createdAt, as: 'date' },
        ],
      ),
    ],
  };
}

export const help: Card = {
  summary: 'How to hand over a secret.',
  lines: [
    [{ code: '/push' }, ' opens a form: the secret, who gets it, how often and how long it opens.'],
    [{ code: '/push some text' }, ' makes a push of that text at once.'],
    [
      { code: '/push list' },
      ' shows your pushes; ',
      { code: '/push expire' },
      ' and ',
      { code: '/push audit' },
      ' act on the newest.',
    ],
    [{ code: '/push request @somebody why' }, ' asks somebody for a secret.'],
    [
      { code: '/push settings' },
      ' and ',
      { code: '/push connect' },
      ' set your defaults, and sign you in on the web.',
    ],
  ],
  footnotes: [['A secret that begins with one of these words goes through the form.']],
};

export function requested(request: SecretRequest): Card {
  return {
    summary: 'Somebody asks you for a secret.',
    lines: [
      [{ person: request.requester.address }, ' asks you for a secret.'],
      ...(request.reason === null ? [] : [[request.reason]]),
    ],
    buttons: [
      { label: 'Provide secret', style: 'primary', id: acts.provide, value: request.id },
      { label: 'Decline', id: acts.decline, value: request.id },
    ],
  };
}

export function asked(request: SecretRequest): Card {
  return {
    summary: 'Asked.',
    lines: [
      ['Asked ', { person: request.provider.address }, '. You will hear as soon as there is an answer.'],
    ],
    buttons: [{ label: 'Cancel', id: acts.cancel, value: request.id }],
  };
}

export function connect(link: string): Card {
  return {
    summary: 'Connect your browser.',
    lines: [['Open this link within ten minutes. It works once, for you alone.']],
    buttons: [{ label: 'Connect', style: 'primary', id: acts.open, url: link }],
  };
}

export const tryAgain = say(
  'That did not work: our database is out of reach. Nothing was made. Please try again.',
);
export const ourFault = say('Something went wrong on our side. Nothing was made. Please try again.');
export const gone = say('There is no such push of yours any more.');
export const noText = say('Here, secrets may not be typed after the command. Use the form: /push alone.');
export const notInstalled = say(
  'hushpush is not installed in this workspace any more. An admin can install it again.',
);
