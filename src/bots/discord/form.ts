import {
  type APIModalSubmission,
  ComponentType,
  type APIModalInteractionResponseCallbackData as Modal,
} from 'discord.js';
import type { Form, FormDefaults } from '../../domain/index.ts';
import { type Choice, dayChoices, numbers, viewChoices } from '../choices.ts';
import { writeId } from './customIds.ts';
import * as elements from './elements.ts';
import { type Memory, writeMemory } from './modalState.ts';

export const forms = {
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
export const lifetimes = (maxDays: number, days: number): Choice[] => [
  ...shortLifetimes,
  ...numbers(dayChoices, maxDays, days, 'day').map(({ label, value }) => ({ label, value: `${value}d` })),
];

type About = {
  memory: Memory;
  /** Who is to get it, as far as that is known. */
  recipient?: string | undefined;
  /** Said where what is to be pushed is not asked for. */
  instead?: string | undefined;
  /** Whether views and days were asked for already, and so not are in the form: it holds five fields. */
  isSet?: boolean;
};

/** The form of a push as a modal. Discord takes five fields, so what is asked for depends on how it was opened. */
export function drawForm(defaults: FormDefaults, about: About): Modal {
  const { memory, recipient, instead, isSet = false } = about;
  const isAsked = memory.answering !== undefined;
  const secret = elements.text('payload', 'Secret', { max: secretMax, required: !isSet, isLong: true });
  const asSecret = instead === undefined ? secret : told(instead);
  const passphrase = elements.text('passphrase', 'Passphrase', {
    max: 255,
    placeholder: 'Tell them by another way',
  });
  const note = elements.text('note', 'Note', {
    max: 2_000,
    placeholder: 'Only you see it',
    isLong: true,
  });
  const recipients = elements.people(
    'recipients',
    'Recipients',
    { required: defaults.requireRecipients, preset: recipient },
    'They get the link by direct message',
  );
  const limits = limitFields(defaults, memory);
  const components = isSet
    ? [secret, elements.file(filesField, 'Files'), recipients, passphrase, note]
    : isAsked
      ? [asSecret, ...limits, passphrase, note]
      : [asSecret, recipients, ...limits, passphrase];
  return {
    custom_id: writeId(forms.push, writeMemory(memory)),
    title: isAsked ? 'Provide a secret' : 'New push',
    components,
  };
}

const told = (content: string) => ({ type: ComponentType.TextDisplay as const, content });

/** What was chosen before stays chosen, as far as it is allowed. */
function limitFields({ views, days, maxViews, maxDays }: FormDefaults, memory: Memory) {
  const chosenViews = Math.min(memory.views ?? views, maxViews);
  const all = lifetimes(maxDays, days);
  const isOffered = all.some(({ value }) => value === memory.expires);
  return [
    elements.select(
      'views',
      'Views',
      numbers(viewChoices, maxViews, chosenViews, 'view'),
      String(chosenViews),
    ),
    elements.select('expires', 'Expires after', all, (isOffered && memory.expires) || `${days}d`),
  ];
}

/** What was filled in: the push, and who is to get it. */
export function readForm(submission: APIModalSubmission, memory: Memory) {
  const { word, choice, number, values } = elements.readFields(submission);
  const form: Form = {
    payload: word('payload') ?? '',
    expireAfterViews: number('views') ?? memory.views,
    ...lifetimeOf(choice('expires') ?? memory.expires),
    passphrase: word('passphrase'),
    name: memory.name,
    note: word('note'),
  };
  return { form, recipients: values('recipients') };
}

function lifetimeOf(lifetime = ''): Partial<Form> {
  const [, count, unit] = /^(\d+)([mhd])$/.exec(lifetime) ?? [];
  const field = { m: 'expireAfterMinutes', h: 'expireAfterHours', d: 'expireAfterDays' }[unit ?? ''];
  return field === undefined ? {} : { [field]: Number(count) };
}

/** Asks what a secret is needed for. */
export const drawRequestForm = (provider: string): Modal => ({
  custom_id: writeId(forms.request, provider),
  title: 'Ask for a secret',
  components: [elements.text('reason', 'What for?', { max: 500, placeholder: 'They read this' })],
});

/** Asks whom to send a push to that exists. */
export const drawSendForm = (push: string): Modal => ({
  custom_id: writeId(forms.send, push),
  title: 'Send the link',
  components: [
    elements.people('recipients', 'Who gets it?', { required: true }, 'They get a direct message'),
  ],
});
