import {
  type APIModalSubmission,
  ComponentType,
  type APIModalInteractionResponseCallbackData as Modal,
} from 'discord-api-types/v10';
import type { FormDefaults, PushForm } from '../../domain/index.ts';
import { type Choice, dayChoices, numberChoices, viewChoices } from '../choices.ts';
import { buildCustomId } from './customIds.ts';
import * as elements from './elements.ts';
import { type DiscordModalState, encodeState } from './modalState.ts';

export const formActions = {
  push: 'push.form',
  request: 'request.form',
  send: 'send.form',
  settings: 'settings.form',
  rules: 'rules.form',
} as const;

export const filesField = 'files';

const secretMax = 4_000;
/** A custom id of 100 characters remembers it, beside everything else. */
export const nameMax = 35;

const shortLifetimes: Choice[] = [
  { label: '10 minutes', value: '10m' },
  { label: '1 hour', value: '1h' },
  { label: '8 hours', value: '8h' },
];

/** How long a push may be said to live, up to so many days, with a present number of them. */
export const lifetimes = (maxDays: number, presentDays: number): Choice[] => [
  ...shortLifetimes,
  ...numberChoices(dayChoices, maxDays, presentDays, 'day').map(({ label, value }) => ({
    label,
    value: `${value}d`,
  })),
];

type FormOptions = {
  state: DiscordModalState;
  /** Who is to get it, as far as that is known. */
  recipient?: string | undefined;
  /** Said where what is to be pushed is not asked for. */
  notice?: string | undefined;
  /** Whether views and days were asked for already, and so not are in the form: it holds five fields. */
  hasLimits?: boolean;
};

/** The form of a push as a modal. Discord takes five fields, so what is asked for depends on how it was opened. */
export function renderForm(defaults: FormDefaults, options: FormOptions): Modal {
  const { state, recipient, notice, hasLimits = false } = options;
  const isRequested = state.requestId !== undefined;
  const secret = elements.textInput('payload', 'Secret', {
    max: secretMax,
    required: !hasLimits,
    isLong: true,
  });
  const secretOrNotice = notice === undefined ? secret : textDisplay(notice);
  const passphrase = elements.textInput('passphrase', 'Passphrase', {
    max: 255,
    placeholder: 'Tell them by another way',
  });
  const note = elements.textInput('note', 'Note', {
    max: 2_000,
    placeholder: 'Only you see it',
    isLong: true,
  });
  const recipients = elements.userSelect(
    'recipients',
    'Recipients',
    { required: defaults.requireRecipients, preset: recipient },
    'They get the link by direct message',
  );
  const limits = limitInputs(defaults, state);
  const components = hasLimits
    ? [secret, elements.fileUpload(filesField, 'Files'), recipients, passphrase, note]
    : isRequested
      ? [secretOrNotice, ...limits, passphrase, note]
      : [secretOrNotice, recipients, ...limits, passphrase];
  return {
    custom_id: buildCustomId(formActions.push, encodeState(state)),
    title: isRequested ? 'Provide a secret' : 'New push',
    components,
  };
}

const textDisplay = (content: string) => ({ type: ComponentType.TextDisplay as const, content });

/** What was chosen before stays chosen, as far as it is allowed. */
function limitInputs({ views, days, maxViews, maxDays }: FormDefaults, state: DiscordModalState) {
  const chosenViews = Math.min(state.views ?? views, maxViews);
  const offered = lifetimes(maxDays, days);
  const isOffered = offered.some(({ value }) => value === state.expires);
  return [
    elements.stringSelect(
      'views',
      'Views',
      numberChoices(viewChoices, maxViews, chosenViews, 'view'),
      String(chosenViews),
    ),
    elements.stringSelect('expires', 'Expires after', offered, (isOffered && state.expires) || `${days}d`),
  ];
}

/** What was filled in: the push, and who is to get it. */
export function readForm(submission: APIModalSubmission, state: DiscordModalState) {
  const { text, choice, number, values } = elements.readFields(submission);
  const form: PushForm = {
    payload: text('payload') ?? '',
    expireAfterViews: number('views') ?? state.views,
    ...lifetimeOf(choice('expires') ?? state.expires),
    passphrase: text('passphrase'),
    name: state.name,
    note: text('note'),
  };
  return { form, recipients: values('recipients') };
}

function lifetimeOf(lifetime = ''): Partial<PushForm> {
  const [, count, unit] = /^(\d+)([mhd])$/.exec(lifetime) ?? [];
  const field = { m: 'expireAfterMinutes', h: 'expireAfterHours', d: 'expireAfterDays' }[unit ?? ''];
  return field === undefined ? {} : { [field]: Number(count) };
}

/** Asks what a secret is needed for. */
export const renderRequestForm = (provider: string): Modal => ({
  custom_id: buildCustomId(formActions.request, provider),
  title: 'Ask for a secret',
  components: [elements.textInput('reason', 'What for?', { max: 500, placeholder: 'They read this' })],
});

/** Asks whom to send a push to that exists. */
export const renderSendForm = (push: string): Modal => ({
  custom_id: buildCustomId(formActions.send, push),
  title: 'Send the link',
  components: [
    elements.userSelect('recipients', 'Who gets it?', { required: true }, 'They get a direct message'),
  ],
});
