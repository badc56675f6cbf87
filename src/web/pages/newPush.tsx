import type { FileSettings, NewPushTerms, NoticeChoice, Person, Push } from '../../domain/index.ts';
import { viewedChoices } from '../../domain/index.ts';
import { Area, Check, Choice, Field, Form, Problem, Select } from './controls.tsx';
import { FileField, Upload } from './fileField.tsx';
import { renderPage } from './layout.tsx';
import { lifetimes } from './lifetimes.ts';
import type { Frame } from './pageContext.ts';
import { QrCode } from './qr.tsx';

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
  notify: NoticeChoice | null;
};

type Make = {
  draft: Draft;
  terms: NewPushTerms;
  /** The limits of files, where whoever fills it in may attach any. */
  files: FileSettings | null;
  problems?: Record<string, string>;
  /** Where the form is sent, where it is not the page for everybody; and what is to be said above it. */
  action?: string;
  lead?: string | undefined;
};
type Part = Pick<Required<Make>, 'draft' | 'terms' | 'files' | 'problems'> & { frame: Frame };

/** The form that makes a push. It works without scripts; with them it has sliders and generators. */
export function makePage(
  frame: Frame,
  { draft, terms, files, problems = {}, action = '/', lead }: Make,
): string {
  const { words } = frame;
  const part = { frame, draft, terms, files, problems };
  if (files !== null) frame.letSend();
  return renderPage(frame, {
    title: words.make.title,
    here: 'make',
    scripts: files === null ? ['newPush.js'] : ['newPush.js', 'files.js', 'upload.js'],
    children: (
      <div class="sheet">
        <h1>{words.make.title}</h1>
        <p class="soft">{lead ?? words.make.lead}</p>
        <Problem text={Object.keys(problems).length === 0 ? undefined : words.make.wrong} />
        <Form frame={frame} action={action} id="make" {...(files && { enctype: 'multipart/form-data' })}>
          <Secret {...part} />
          <Limits {...part} />
          <More {...part} />
          <button type="submit">{words.make.submit}</button>
          {files === null ? null : <Upload frame={frame} />}
        </Form>
      </div>
    ),
  });
}

const kinds = ['text', 'url', 'qr'] as const;

function Secret({ frame, draft, files, problems }: Part) {
  const { make, problem } = frame.words;
  const mayAttach = files !== null;
  const either = (other: string, withFiles: string) => (
    <>
      <span class="without-files">{other}</span>
      {mayAttach ? <span class="with-files">{withFiles}</span> : null}
    </>
  );
  return (
    <>
      <Choice
        name="kind"
        class="tabs"
        label={make.kind}
        value={draft.kind}
        options={[...kinds, ...(mayAttach ? (['file'] as const) : [])].map((kind) => ({
          value: kind,
          text: make.kinds[kind],
        }))}
        problem={problems.kind && problem(problems.kind)}
      />
      {files === null ? null : <FileField frame={frame} limits={files} problem={problems.files} />}
      <Area
        name="payload"
        label={either(make.payload, make.message)}
        hint={either(make.payloadHow, make.messageHow)}
        value={draft.payload}
        rows={5}
        required={!mayAttach} // a message beside files may be empty; the script asks for all others
        autofocus
        problem={problems.payload && problem(problems.payload)}
      >
        <button type="button" class="quiet js-only without-files" data-password-for="payload">
          {make.generatePassword}
        </button>
      </Area>
    </>
  );
}

function Limits({ frame, draft, terms, problems }: Part) {
  const { make, problem } = frame.words;
  const { min, max } = terms.bounds.expireAfterViews;
  const days = problems.expireAfterDays ?? problems.expireAfterHours ?? problems.expireAfterMinutes;
  return (
    <div class="pair">
      <Select
        name="lifetime"
        label={make.expires}
        value={draft.lifetime}
        options={lifetimes(terms).map(({ value, amount, unit }) => ({
          value,
          text: frame.words.amount(amount, unit),
        }))}
        problem={days && problem(days)}
      />
      <Field
        name="views"
        label={make.views}
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

function More({ frame, draft, problems }: Part) {
  const { make, problem } = frame.words;
  return (
    <>
      <Field
        name="passphrase"
        label={make.passphrase}
        hint={make.passphraseHow}
        value={draft.passphrase}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        problem={problems.passphrase && problem(problems.passphrase)}
      >
        <button type="button" class="quiet js-only" data-passphrase-for="passphrase">
          {make.generatePassphrase}
        </button>
      </Field>
      <details open={problems.name !== undefined || problems.note !== undefined}>
        <summary>{make.more}</summary>
        {draft.retrievalStep === null ? null : (
          <Check name="retrievalStep" label={make.retrievalStep} checked={draft.retrievalStep} />
        )}
        <Check name="deletableByViewer" label={make.deletableByViewer} checked={draft.deletableByViewer} />
        {draft.notify === null ? null : (
          <>
            <Field
              name="name"
              label={make.name}
              hint={make.nameHow}
              value={draft.name}
              maxLength={255}
              problem={problems.name && problem(problems.name)}
            />
            <Area
              name="note"
              label={make.note}
              hint={make.noteHow}
              value={draft.note}
              rows={2}
              problem={problems.note && problem(problems.note)}
            />
            <Notices frame={frame} choice={draft.notify} label={make.notices} />
          </>
        )}
      </details>
    </>
  );
}

type NoticesProps = { frame: Frame; choice: NoticeChoice; label: string };

/** What somebody wants to hear of; its fields are those that `noticesOf` reads. */
export function Notices({ frame: { words }, choice, label }: NoticesProps) {
  const { viewed, viewedChoices: texts, expired, failedPassphrase, reminder, askedAgain } = words.notices;
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      <Select
        name="viewed"
        label={viewed}
        value={choice.viewed}
        options={viewedChoices.map((value) => ({ value, text: texts[value] }))}
      />
      <Check name="expired" label={expired} checked={choice.expired} />
      <Check name="failedPassphrase" label={failedPassphrase} checked={choice.failedPassphrase} />
      <Check name="reminder" label={reminder} checked={choice.reminder} />
      <Check name="askedAgain" label={askedAgain} checked={choice.askedAgain} />
    </fieldset>
  );
}

type Made = { push: Push; link: string; person: Person | null; lead?: string; note?: string };

/** A push that was just made: all that it takes to hand its link to somebody. */
export function madePage(frame: Frame, { push, link, person, lead, note }: Made): string {
  const { made, shown, date } = frame.words;
  const message = made.messageText(link, made.opens(push.viewsMax), date(push.expiresAt));
  const mail = `mailto:?subject=${encodeURIComponent(made.subject)}&body=${encodeURIComponent(message)}`;
  return renderPage(frame, {
    title: made.title,
    here: 'make',
    scripts: ['copy.js'],
    children: (
      <div class="sheet">
        <h1>{made.title}</h1>
        <p class="soft">{lead ?? made.lead}</p>
        <div class="field">
          <label for="link">{made.link}</label>
          <input id="link" type="text" dir="ltr" readOnly value={link} />
        </div>
        <div class="row field js-only">
          <button type="button" data-copies="link" data-done={shown.copied} data-failed={shown.copyFailed}>
            {made.copyLink}
          </button>
          <span id="said" class="soft small" role="status" />
        </div>
        {note === undefined ? null : <p class="note">{note}</p>}
        {push.hasPassphrase ? <p class="note">{made.passphrase}</p> : null}
        <div class="field">
          <label for="message">{made.message}</label>
          <textarea id="message" rows={4} readOnly>{`\n${message}`}</textarea>
        </div>
        <div class="row field">
          <button
            type="button"
            class="plain js-only"
            data-copies="message"
            data-done={shown.copied}
            data-failed={shown.copyFailed}
          >
            {made.copyMessage}
          </button>
          <a class="button plain" href={mail}>
            {made.mail}
          </a>
        </div>
        <details>
          <summary>{made.showQr}</summary>
          <QrCode text={link} title={made.qr} tooLong={shown.qrTooLong} />
        </details>
        <p class="row">
          <a href={frame.path('/')}>{made.another}</a>
          {person === null ? null : <a href={frame.path(`/pushes/${push.urlToken}`)}>{made.toPush}</a>}
        </p>
      </div>
    ),
  });
}
