import type { FileSettings, OpenRequestLink } from '../../domain/index.ts';
import { platforms } from '../../platforms.ts';
import { cardPage } from '../components/cardPage.tsx';
import { Field, TextArea, TextField } from '../components/fields.tsx';
import { Form } from '../components/form.tsx';
import { renderPage } from '../components/layout.tsx';
import { untranslated } from '../components/longText.ts';
import { Time } from '../components/time.tsx';
import type { Fields } from '../forms.ts';
import type { PageContext } from '../pageContext.ts';
import { HoldButton, PassphraseField, WordInstead } from './confirm.tsx';
import { messagePage } from './messagePage.tsx';
import { SendProgress } from './newPush.tsx';
import { FileField } from './newPushPayload.tsx';

export type AnswerPage = {
  request: OpenRequestLink;
  /** The token of the request link. */
  token: string;
  /** Where the form is sent. */
  action: string;
  /** Tells this form from every other. */
  formId: string;
  /** What those type who cannot hold the button. */
  word: string;
  /** The limits of files; null where none are taken. */
  files: FileSettings | null;
  /** What was sent with the form, if it is shown again, and what is wrong with it. */
  entered?: Fields;
  problem?: string | undefined;
  problems?: Record<string, string>;
};

/** The page by which anybody answers a request. It says who asks, until when, and what happens, before anything is typed. */
export function answerPage(page: PageContext, answer: AnswerPage): string {
  const { request, action, formId, word, files, entered = {}, problem, problems = {} } = answer;
  const texts = page.messages.answer;
  const isWrong = problems.passphrase !== undefined;
  page.allowConnect();
  return renderPage(page, {
    title: texts.title,
    linkPreview: texts.preview,
    selfContained: pageKind(answer),
    children: (
      <div class="card confirm answer">
        <h1>{texts.title}</h1>
        <RequestFacts page={page} request={request} />
        <WhatHappens page={page} answer={answer} />
        <p id="not-sealed" class="error" role="alert" data-cut-off={texts.sealing.cutOff} hidden>
          {texts.sealing.swapped}
        </p>
        <Form
          page={page}
          action={action}
          fields={{ formId, ...(request.publicKeys !== null && { sealedKey: '' }) /* before any file */ }}
          id="new-push"
          {...(files && { enctype: 'multipart/form-data' })}
        >
          {request.hasPassphrase && (
            <PassphraseField page={page} label={texts.passphrase} isWrong={isWrong} />
          )}
          {request.allowsName && (
            <TextField
              name="name"
              label={texts.name}
              hint={texts.nameHint}
              value={entered.name}
              problem={problems.name}
              autocomplete="name"
            />
          )}
          <SecretField page={page} answer={answer} />
          {problem === undefined ? null : (
            <p id="problem" class="error" role="alert">
              {problem}
            </p>
          )}
          <HoldButton page={page} texts={{ ...texts, opening: texts.sending }} />
          <WordInstead
            page={page}
            confirm={{ word, problem, isPassphraseWrong: isWrong, prefersWord: entered.word !== undefined }}
            texts={{ typeWord: texts.typeWord, show: texts.send }}
          />
          <SendProgress page={page} cancelled={texts.cancelled} />
        </Form>
      </div>
    ),
  });
}

/** Which scripts it needs. */
function pageKind({ request, files }: AnswerPage) {
  if (request.publicKeys === null) return files === null ? 'answer' : 'answerFiles';
  return files === null ? 'answerSealed' : 'answerSealedFiles';
}

type Props = { page: PageContext; request: OpenRequestLink };

function RequestFacts({ page: { messages }, request }: Props) {
  const { by, what, until, confirmed, unconfirmed, inChat, nobody } = messages.answer;
  const { name, platform, isConfirmed } = request.asker;
  const vouching =
    platform === null ? (isConfirmed ? confirmed : unconfirmed) : inChat(platforms[platform].name);
  return (
    <dl>
      <dt>{by}</dt>
      <dd>
        <bdi class="asked" {...untranslated}>
          {name ?? nobody}
        </bdi>
        <p class="hint">{vouching}</p>
      </dd>
      <dt>{what}</dt>
      <dd>
        <bdi class="asked">{request.title}</bdi>
        {request.note !== null && (
          <p class="preserve-lines" dir="auto">
            {request.note}
          </p>
        )}
      </dd>
      <dt>{until}</dt>
      <dd>
        <Time messages={messages} at={request.expiresAt} format="end" />
      </dd>
    </dl>
  );
}

function WhatHappens({ page: { messages }, answer: { request, token } }: AnswerProps) {
  const { happensTitle, happens } = messages.answer;
  const { toThem, ends, once } = happens;
  return (
    <section class="happens small">
      <h2>{happensTitle}</h2>
      <ul>
        <li>{toThem}</li>
        <li>{ends(messages.duration(request.answerLifetimeMs))}</li>
        <li>
          <WhoEncrypts messages={messages} keys={request.publicKeys} token={token} />
        </li>
        <li>{once}</li>
      </ul>
    </section>
  );
}

type WhoEncryptsProps = { messages: PageContext['messages']; keys: string | null; token: string };

/** sealAnswer.js takes the keys from here, and says so if it cannot use them. */
function WhoEncrypts({ messages, keys, token }: WhoEncryptsProps) {
  const { serverEncrypts, sealed, cannotSeal, withoutScripts, wrongReceipt } = messages.answer.sealing;
  if (keys === null) return <>{serverEncrypts}</>;
  return (
    <>
      <span
        id="sealing"
        class="js-only"
        data-keys={keys}
        data-token={token}
        data-unsealed={`${cannotSeal} ${serverEncrypts}`}
        data-wrong-receipt={wrongReceipt('{receipt}')}
        data-sent-before={messages.refusals.answerSentBefore({ receipt: '{receipt}' })}
      >
        {sealed}
      </span>
      <noscript>
        {withoutScripts} {serverEncrypts}
      </noscript>
    </>
  );
}

type AnswerProps = { page: PageContext; answer: AnswerPage };

/** The text, the files, or both. */
function SecretField({ page: { messages }, answer }: AnswerProps) {
  const { request, files, entered = {}, problems = {} } = answer;
  const { text } = messages.answer;
  const list = files && <ul id="selected-files" class="files" hidden />;
  const attach = files && <FileField messages={messages} limits={files} problem={problems.files} />;
  if (request.accepts === 'files')
    return (
      <Field name="files" label={text}>
        <div class="box">
          {list}
          <div class="box-bar">{attach}</div>
        </div>
      </Field>
    );
  return (
    <TextArea
      name="payload"
      label={text}
      value={entered.payload ?? ''}
      rows={4}
      required={files === null}
      problem={problems.payload}
    >
      {list}
      {attach && <div class="box-bar">{attach}</div>}
    </TextArea>
  );
}

/** The page of every link that takes no answer, whether it never existed or has ended. */
export function closedRequestPage(page: PageContext): string {
  const { title, text } = page.messages.answer.closed;
  return messagePage(page, { title, text, linkPreview: { title, description: text } });
}

/** What whoever answered gets: a code to compare, and nothing that opens anything. */
export function receiptPage(page: PageContext, receipt: string): string {
  const { title, text, next } = page.messages.answer.sent;
  return cardPage(page, {
    title,
    linkPreview: page.messages.answer.preview,
    selfContained: 'receipt',
    children: (
      <>
        <p class="receipt" {...untranslated}>
          {receipt}
        </p>
        <p>{text}</p>
        <p class="muted small">{next}</p>
      </>
    ),
  });
}
