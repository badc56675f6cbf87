import {
  DomainError,
  decodePreferences,
  eachFlag,
  type FormDefaults,
  hasAtMost,
  type NoticePreferences,
  type Problem,
  type PushFlag,
  type PushSettings,
  payloadMax,
  pushFlags,
  pushKinds,
  type SignedIn,
} from '../domain/index.ts';
import { readNoticeFields } from './components/noticeFields.tsx';
import type { Fields, SubmittedForm } from './forms.ts';
import { lifetimeInput } from './lifetimes.ts';

/** The form before anything is entered. */
export function emptyDraft({ defaults }: PushSettings, signedIn: SignedIn | null): Draft {
  return {
    ...emptyTexts,
    lifetime: `${defaults.expireAfterDays}d`,
    views: String(defaults.expireAfterViews),
    ...eachFlag((name) => pushFlags[name].byDefault(defaults)),
    notify: signedIn && decodePreferences(signedIn.notify),
  };
}

/** As `emptyDraft`, for a push that a chat asked for: it always has the retrieval step, and its creator has notices to choose. */
export function emptyChatDraft({ defaults }: PushSettings, { views, days, notices }: FormDefaults): Draft {
  return {
    ...emptyTexts,
    lifetime: `${days}d`,
    views: String(views),
    ...eachFlag((name) => pushFlags[name].byDefault(defaults)),
    retrievalStep: null,
    notify: notices,
  };
}

const emptyTexts = { kind: 'text', payload: '', passphrase: '', name: '', note: '' };

/** More than any field but the payload may hold. */
const shortTextMax = 4_096;

/**
 * What was entered, to be shown again with what is wrong with it. A text that is longer than any that would be accepted is
 * left out: a page of several mebibytes holds everybody else up.
 */
export function redrawnDraft(fields: Fields, options: { hasNotices: boolean }): Draft {
  const shown = Object.entries(fields).map(([name, text]) => {
    const max = name === 'payload' ? payloadMax.text : shortTextMax;
    return [name, hasAtMost(max, text) ? text : ''];
  });
  return draftOf(Object.fromEntries(shown), options);
}

/** What was entered. */
function draftOf(fields: Fields, { hasNotices }: { hasNotices: boolean }): Draft & Record<PushFlag, boolean> {
  const text = (name: string) => fields[name] ?? '';
  return {
    kind: fields.kind ?? 'text',
    payload: withLineFeeds(text('payload')),
    passphrase: text('passphrase'),
    name: text('name'),
    note: withLineFeeds(text('note')),
    lifetime: text('lifetime'),
    views: text('views'),
    ...eachFlag((name) => fields[name] === 'on'),
    notify: hasNotices ? readNoticeFields(fields) : null,
  };
}

const kindsWithoutFiles: string[] = pushKinds.filter((kind) => kind !== 'text' && kind !== 'file');

/** Browsers send the line breaks of a text area as CRLF. */
function withLineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/**
 * The input of the domain. Files beside a text are files with a message, whatever kind is chosen; with a link they would be
 * lost, so that is refused, as is the kind “files” without any.
 */
export function pushInputOf(form: SubmittedForm, options: { hasNotices: boolean }) {
  const { lifetime, views, notify, kind, ...draft } = draftOf(form.fields, options);
  if (form.hasFiles && kindsWithoutFiles.includes(kind)) throw refusal('kind', { code: 'fileKind' });
  if (!form.hasFiles && kind === 'file') throw refusal('files', { code: 'fileRequired' });
  return {
    ...draft,
    payload: kind === 'url' ? completeUrl(draft.payload) : draft.payload,
    kind: form.hasFiles ? 'file' : kind,
    ...(form.fields.encrypted === 'on' && { encrypted: true }),
    ...lifetimeInput(lifetime),
    expireAfterViews: views,
    ...(notify === null ? {} : { notify }),
  };
}

/** An address as people write it, `example.com/path`, with its scheme. */
function completeUrl(text: string): string {
  const address = text.trim();
  return /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+(:\d+)?([/?#]|$)/u.test(address) ? `https://${address}` : text;
}

function refusal(field: string, problem: Problem): DomainError {
  return new DomainError('invalid', { problems: { [field]: [problem] } });
}

/** A form as it was submitted; everything is shown again when something is wrong. A flag is null where the creator cannot choose it. */
export type Draft = Record<PushFlag, boolean | null> & {
  kind: string;
  payload: string;
  passphrase: string;
  lifetime: string;
  views: string;
  name: string;
  note: string;
  /** Where it is null, the name and the note are left out too. */
  notify: NoticePreferences | null;
};
