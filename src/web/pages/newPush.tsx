import type { FileSettings, NoticePreferences, Push, PushSettings, SignedIn } from '../../domain/index.ts';
import { viewedOptions } from '../../domain/index.ts';
import { Checkbox, ErrorMessage, Field, Form, RadioGroup, Select, TextArea } from '../components/fields.tsx';
import { FileField, UploadProgress } from '../components/fileField.tsx';
import { renderPage } from '../components/layout.tsx';
import { QrCode } from '../components/qrCode.tsx';
import { lifetimes } from './lifetimes.ts';
import type { PageContext } from './pageContext.ts';

/** What somebody entered, as it came; everything is kept when something is wrong. */
export type Draft = {
  kind: string;
  payload: string;
  passphrase: string;
  lifetime: string;
  views: string;
  name: string;
  note: string;
  /** null where it is not for its maker to say, as are the name, the note and the notices where `notify` is null. */
  retrievalStep: boolean | null;
  deletableByViewer: boolean;
  notify: NoticePreferences | null;
};

type NewPushPage = {
  draft: Draft;
  settings: PushSettings;
  /** The limits of files, where whoever fills it in may attach any. */
  files: FileSettings | null;
  problems?: Record<string, string>;
  /** Where the form is sent, where it is not the page for everybody; and what is to be said above it. */
  action?: string;
  lead?: string | undefined;
};
type SectionProps = Pick<Required<NewPushPage>, 'draft' | 'settings' | 'files' | 'problems'> & {
  page: PageContext;
};

/** The form that makes a push. It works without scripts; with them it has sliders and generators. */
export function newPushPage(
  page: PageContext,
  { draft, settings, files, problems = {}, action = '/', lead }: NewPushPage,
): string {
  const { messages } = page;
  const section = { page, draft, settings, files, problems };
  if (files !== null) page.allowConnect();
  return renderPage(page, {
    title: messages.newPush.title,
    current: 'make',
    scripts: files === null ? ['newPush.js'] : ['newPush.js', 'files.js', 'upload.js'],
    children: (
      <div class="sheet">
        <h1>{messages.newPush.title}</h1>
        <p class="soft">{lead ?? messages.newPush.lead}</p>
        <ErrorMessage text={Object.keys(problems).length === 0 ? undefined : messages.newPush.wrong} />
        <Form page={page} action={action} id="make" {...(files && { enctype: 'multipart/form-data' })}>
          <PayloadFields {...section} />
          <LimitFields {...section} />
          <MoreFields {...section} />
          <button type="submit">{messages.newPush.submit}</button>
          {files === null ? null : <UploadProgress page={page} />}
        </Form>
      </div>
    ),
  });
}

const kinds = ['text', 'url', 'qr'] as const;

function PayloadFields({ page, draft, files, problems }: SectionProps) {
  const { newPush, problem } = page.messages;
  const mayAttach = files !== null;
  const labelFor = (other: string, withFiles: string) => (
    <>
      <span class="without-files">{other}</span>
      {mayAttach ? <span class="with-files">{withFiles}</span> : null}
    </>
  );
  return (
    <>
      <RadioGroup
        name="kind"
        class="tabs"
        label={newPush.kind}
        value={draft.kind}
        options={[...kinds, ...(mayAttach ? (['file'] as const) : [])].map((kind) => ({
          value: kind,
          text: newPush.kinds[kind],
        }))}
        problem={problems.kind && problem(problems.kind)}
      />
      {files === null ? null : <FileField page={page} limits={files} problem={problems.files} />}
      <TextArea
        name="payload"
        label={labelFor(newPush.payload, newPush.message)}
        hint={labelFor(newPush.payloadHint, newPush.messageHint)}
        value={draft.payload}
        rows={5}
        required={!mayAttach} // a message beside files may be empty; the script asks for all others
        autofocus
        problem={problems.payload && problem(problems.payload)}
      >
        <button type="button" class="quiet js-only without-files" data-password-for="payload">
          {newPush.generatePassword}
        </button>
      </TextArea>
    </>
  );
}

function LimitFields({ page, draft, settings, problems }: SectionProps) {
  const { newPush, problem } = page.messages;
  const { min, max } = settings.bounds.expireAfterViews;
  const days = problems.expireAfterDays ?? problems.expireAfterHours ?? problems.expireAfterMinutes;
  return (
    <div class="pair">
      <Select
        name="lifetime"
        label={newPush.expires}
        value={draft.lifetime}
        options={lifetimes(settings).map(({ value, amount, unit }) => ({
          value,
          text: page.messages.amount(amount, unit),
        }))}
        problem={days && problem(days)}
      />
      <Field
        name="views"
        label={newPush.views}
        type="number"
        inputMode="numeric"
        min={min}
        max={max}
        required
        value={draft.views}
        problem={problems.expireAfterViews && problem(problems.expireAfterViews)}
      />
    </div>
  );
}

function MoreFields({ page, draft, problems }: SectionProps) {
  const { newPush, problem } = page.messages;
  return (
    <>
      <Field
        name="passphrase"
        label={newPush.passphrase}
        hint={newPush.passphraseHint}
        value={draft.passphrase}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        problem={problems.passphrase && problem(problems.passphrase)}
      >
        <button type="button" class="quiet js-only" data-passphrase-for="passphrase">
          {newPush.generatePassphrase}
        </button>
      </Field>
      <details open={problems.name !== undefined || problems.note !== undefined}>
        <summary>{newPush.more}</summary>
        {draft.retrievalStep === null ? null : (
          <Checkbox name="retrievalStep" label={newPush.retrievalStep} checked={draft.retrievalStep} />
        )}
        <Checkbox
          name="deletableByViewer"
          label={newPush.deletableByViewer}
          checked={draft.deletableByViewer}
        />
        {draft.notify === null ? null : (
          <>
            <Field
              name="name"
              label={newPush.name}
              hint={newPush.nameHint}
              value={draft.name}
              maxLength={255}
              problem={problems.name && problem(problems.name)}
            />
            <TextArea
              name="note"
              label={newPush.note}
              hint={newPush.noteHint}
              value={draft.note}
              rows={2}
              problem={problems.note && problem(problems.note)}
            />
            <NoticeFields page={page} preferences={draft.notify} label={newPush.notices} />
          </>
        )}
      </details>
    </>
  );
}

type NoticeFieldsProps = { page: PageContext; preferences: NoticePreferences; label: string };

/** What somebody wants to hear of; its fields are those that `noticesOf` reads. */
export function NoticeFields({ page: { messages }, preferences, label }: NoticeFieldsProps) {
  const { viewed, viewedOptions: texts, expired, failedPassphrase, reminder, askedAgain } = messages.notices;
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      <Select
        name="viewed"
        label={viewed}
        value={preferences.viewed}
        options={viewedOptions.map((value) => ({ value, text: texts[value] }))}
      />
      <Checkbox name="expired" label={expired} checked={preferences.expired} />
      <Checkbox name="failedPassphrase" label={failedPassphrase} checked={preferences.failedPassphrase} />
      <Checkbox name="reminder" label={reminder} checked={preferences.reminder} />
      <Checkbox name="askedAgain" label={askedAgain} checked={preferences.askedAgain} />
    </fieldset>
  );
}

type PushCreatedPage = { push: Push; link: string; signedIn: SignedIn | null; lead?: string; note?: string };

/** A push that was just made: all that it takes to hand its link to somebody. */
export function pushCreatedPage(
  page: PageContext,
  { push, link, signedIn, lead, note }: PushCreatedPage,
): string {
  const { pushCreated, secret, date } = page.messages;
  const message = pushCreated.messageText(link, pushCreated.opens(push.viewsMax), date(push.expiresAt));
  const mail = `mailto:?subject=${encodeURIComponent(pushCreated.subject)}&body=${encodeURIComponent(message)}`;
  return renderPage(page, {
    title: pushCreated.title,
    current: 'make',
    scripts: ['copy.js'],
    children: (
      <div class="sheet">
        <h1>{pushCreated.title}</h1>
        <p class="soft">{lead ?? pushCreated.lead}</p>
        <div class="field">
          <label for="link">{pushCreated.link}</label>
          <input id="link" type="text" dir="ltr" readOnly value={link} />
        </div>
        <div class="row field js-only">
          <button type="button" data-copies="link" data-done={secret.copied} data-failed={secret.copyFailed}>
            {pushCreated.copyLink}
          </button>
          <span id="said" class="soft small" role="status" />
        </div>
        {note === undefined ? null : <p class="note">{note}</p>}
        {push.hasPassphrase ? <p class="note">{pushCreated.passphrase}</p> : null}
        <div class="field">
          <label for="message">{pushCreated.message}</label>
          <textarea id="message" rows={4} readOnly>{`\n${message}`}</textarea>
        </div>
        <div class="row field">
          <button
            type="button"
            class="plain js-only"
            data-copies="message"
            data-done={secret.copied}
            data-failed={secret.copyFailed}
          >
            {pushCreated.copyMessage}
          </button>
          <a class="button plain" href={mail}>
            {pushCreated.mail}
          </a>
        </div>
        <details>
          <summary>{pushCreated.showQr}</summary>
          <QrCode text={link} title={pushCreated.qr} tooLong={secret.qrTooLong} />
        </details>
        <p class="row">
          <a href={page.path('/')}>{pushCreated.another}</a>
          {signedIn === null ? null : (
            <a href={page.path(`/pushes/${push.urlToken}`)}>{pushCreated.toPush}</a>
          )}
        </p>
      </div>
    ),
  });
}
