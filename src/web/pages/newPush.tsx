import type { FileSettings, PushSettings } from '../../domain/index.ts';
import { ErrorMessage } from '../components/alerts.tsx';
import { Form, SubmitButton } from '../components/form.tsx';
import { renderPage } from '../components/layout.tsx';
import type { Draft } from '../newPushForm.ts';
import type { PageContext } from '../pageContext.ts';
import { LimitFields } from './newPushLimits.tsx';
import { OptionFields } from './newPushOptions.tsx';
import { PayloadFields } from './newPushPayload.tsx';

type NewPushPage = {
  draft: Draft;
  settings: PushSettings;
  /** The limits of files; null where the creator may not attach any. */
  files: FileSettings | null;
  problems?: Record<string, string>;
  /** Why the token of the form that was sent is not valid any more. */
  outdated?: 'stale' | 'ended' | undefined;
  /** Where the form is sent; `/` by default. */
  action?: string;
  lead?: string | undefined;
};

/** The form that creates a push. Scripts add presets and generators; it works without them. */
export function newPushPage(
  page: PageContext,
  { draft, settings, files, problems = {}, outdated, action = '/', lead }: NewPushPage,
): string {
  const { messages } = page;
  const section = { page, draft, settings, files, problems };
  page.allowConnect();
  return renderPage(page, {
    title: messages.newPush.title,
    current: 'newPush',
    scripts: ['newPush.js', 'generate.js', ...(files === null ? [] : ['files.js']), 'submit.js'],
    children: (
      <>
        <div class="card">
          <h1>{messages.newPush.title}</h1>
          <p class="muted">{lead ?? messages.newPush.lead}</p>
          <ErrorMessage text={Object.keys(problems).length === 0 ? undefined : messages.newPush.wrong} />
          {outdated === undefined ? null : <Outdated page={page} reason={outdated} />}
          <Form page={page} action={action} id="new-push" {...(files && { enctype: 'multipart/form-data' })}>
            <PayloadFields {...section} />
            <LimitFields {...section} />
            <OptionFields {...section} />
            {settings.allowEncrypted ? <EncryptionField page={page} /> : null}
            <SubmitButton class="wide-button" text={messages.newPush.submit} />
            <SendProgress page={page} />
          </Form>
        </div>
        <ul class="promises small muted">
          {messages.newPush.promises.map((promise) => (
            <li>{promise}</li>
          ))}
        </ul>
      </>
    ),
  });
}

/** Says that the form has to be sent again. Signing in opens beside it, as what was entered is on this page alone. */
function Outdated({ page, reason }: { page: PageContext; reason: 'stale' | 'ended' }) {
  const { newPush, signIn } = page.messages;
  return (
    <p class="error" role="alert">
      {newPush.outdated[reason]}{' '}
      {reason === 'stale' ? null : (
        <a href={page.path('/sign-in')} target="_blank" rel="noopener">
          {signIn.inNewTab}
        </a>
      )}
    </p>
  );
}

/** Offers to encrypt a push in the browser. Hidden, and never sent, unless submit.js can do it. */
function EncryptionField({ page: { messages } }: { page: PageContext }) {
  const { label, hint } = messages.newPush.encryption;
  return (
    <div class="field" hidden>
      <label class="checkbox">
        <input id="encrypt" type="checkbox" aria-describedby="encrypt-hint" disabled autocomplete="off" />{' '}
        <span>{label}</span>
      </label>
      <p id="encrypt-hint" class="hint">
        {hint}
      </p>
    </div>
  );
}

/** The progress of a form that is sent, with a button that cancels it. Hidden until submit.js sends one. */
function SendProgress({ page: { messages } }: { page: PageContext }) {
  const { files, encryption, offline } = messages.newPush;
  return (
    <div
      id="upload"
      class="upload"
      hidden
      data-sending={files.sending('{percent}')}
      data-finishing={files.finishing}
      data-cancelled={files.cancelled}
      data-broken={files.broken}
      data-offline={offline}
      data-encrypting={encryption.encrypting}
      data-unreadable={encryption.unreadable}
      data-address={encryption.address}
    >
      <p id="upload-status" />
      <progress max={1} value={0} aria-labelledby="upload-status" />
      <button type="button" class="secondary" aria-describedby="upload-status">
        {files.cancel}
      </button>
    </div>
  );
}
