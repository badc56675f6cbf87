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
  pushFlagNames,
  pushFlags,
  pushKinds,
  type SignedIn,
} from '../domain/index.ts';
import { addressesIn } from '../mailAddress.ts';
import { readNoticeFields } from './components/noticeFields.tsx';
import type { Fields, SubmittedForm } from './forms.ts';
import { lifetimeInput } from './lifetimes.ts';

/** The form before anything is entered. */
export function emptyDraft(
  { defaults, formDefaults, mailDomains }: PushSettings,
  signedIn: SignedIn | null,
): Draft {
  return {
    ...emptyTexts,
    lifetime: `${defaults.expireAfterDays}d`,
    views: String(formDefaults.expireAfterViews),
    ...eachFlag((name) => pushFlags[name].byDefault(defaults)),
    encrypted: signedIn === null && formDefaults.encrypted,
    notify: signedIn && decodePreferences(signedIn.notify),
    keep: signedIn && false,
    recipients: signedIn && mailDomains !== null ? '' : null,
    plainLinks: false,
    ...keptChoices(signedIn?.formDefaults ?? null),
  };
}

const kept = ['lifetime', 'views', 'encrypted', ...pushFlagNames] as const;

/** What an account keeps of a form, as text: its limits, its flags, and whether it encrypts. */
export const toKeptChoices = (fields: Fields): string =>
  String(new URLSearchParams(kept.map((name) => [name, (fields[name] ?? '').slice(0, 8)])));

/** Reads that text. The form offers what the settings allow by now, whatever it says. */
function keptChoices(text: string | null): Partial<Draft> {
  if (text === null) return {};
  return choicesOf(Object.fromEntries(new URLSearchParams(text)));
}

const choicesOf = ({ lifetime = '', views = '', encrypted, ...flags }: Fields) => ({
  ...{ lifetime, views, ...eachFlag((name) => flags[name] === 'on') },
  encrypted: encrypted === 'on',
});

/** As `emptyDraft`, for a push that a chat asked for: it always has the retrieval step, and its creator has notices to choose. */
export function emptyChatDraft({ defaults }: PushSettings, { views, days, notices }: FormDefaults): Draft {
  return {
    ...emptyTexts,
    lifetime: `${days}d`,
    views: String(views),
    ...eachFlag((name) => pushFlags[name].byDefault(defaults)),
    retrievalStep: null,
    encrypted: false,
    notify: notices,
    keep: null,
    recipients: null,
    plainLinks: false,
  };
}

const emptyTexts = { kind: 'text', payload: '', passphrase: '', sender: '', name: '', note: '' };

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
function draftOf(
  fields: Fields,
  { hasNotices }: { hasNotices: boolean },
): Draft & Record<PushFlag | 'encrypted', boolean> {
  const { kind, payload, passphrase, sender, name, note } = { ...emptyTexts, ...fields };
  return {
    ...{ kind, sender, name },
    payload: withLineFeeds(payload),
    passphrase: passphrase.trim(), // a space at an end is never seen, and phones add some
    note: withLineFeeds(note),
    ...choicesOf(fields),
    notify: hasNotices ? readNoticeFields(fields) : null,
    keep: fields.account === undefined ? null : fields.keep === 'on',
    recipients: fields.recipients ?? null,
    plainLinks: fields.plainLinks === 'on',
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
  const {
    lifetime,
    views,
    notify,
    kind,
    keep: _,
    recipients: named,
    plainLinks,
    ...draft
  } = draftOf(form.fields, options);
  const recipients = addressesIn(named ?? '');
  if (recipients.some((each) => !/.@./.test(each))) throw refusal('recipients', { code: 'email' });
  if (form.hasFiles && kindsWithoutFiles.includes(kind)) throw refusal('kind', { code: 'fileKind' });
  if (!form.hasFiles && kind === 'file') throw refusal('files', { code: 'fileRequired' });
  return {
    ...draft,
    payload: kind === 'url' ? completeUrl(draft.payload) : draft.payload,
    kind: form.hasFiles ? 'file' : kind,
    ...lifetimeInput(lifetime),
    ...(recipients.length === 0
      ? { expireAfterViews: views }
      : { recipients, viewsPerRecipient: views, recipientCode: !plainLinks }),
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

/** A form as it was submitted; everything is shown again when something is wrong. What is null, the creator cannot choose. */
export type Draft = Record<PushFlag, boolean | null> & {
  kind: string;
  payload: string;
  passphrase: string;
  lifetime: string;
  views: string;
  sender: string;
  name: string;
  note: string;
  encrypted: boolean | null;
  /** Whether the account keeps these choices. */
  keep: boolean | null;
  /** The e-mail addresses of those who get a link each by mail. */
  recipients: string | null;
  /** Whether their links open without a code that goes to the same address. */
  plainLinks: boolean;
  /** Where it is null, the name and the note are left out too. */
  notify: NoticePreferences | null;
};
