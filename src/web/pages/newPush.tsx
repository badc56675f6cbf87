import { type FileSettings, type PushSettings, payloadMax } from '../../domain/index.ts';
import { ErrorMessage } from '../components/cardPage.tsx';
import { Form, SubmitButton } from '../components/form.tsx';
import { renderPage } from '../components/layout.tsx';
import type { Draft } from '../newPushForm.ts';
import type { PageContext } from '../pageContext.ts';
import { OptionFields } from './newPushOptions.tsx';
import { LimitFields, PayloadField } from './newPushPayload.tsx';

/** What the form shows, and why it is shown again. */
export type NewPushPage = {
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

/** The form that creates a push: one text, one sentence, one button, and options below them. Scripts help; it works without. */
export function newPushPage(
  page: PageContext,
  { draft: entered, settings, files, problems = {}, outdated, action = '/', lead }: NewPushPage,
): string {
  const { newPush } = page.messages;
  const mayEncrypt = settings.allowEncrypted && page.isSecure;
  const section = { page, settings, problems, draft: mayEncrypt ? entered : { ...entered, encrypted: null } };
  const account = page.signedIn?.id.toString('hex') ?? (outdated === 'ended' ? 'ended' : undefined);
  page.allowConnect();
  return renderPage(page, {
    title: newPush.title,
    welcome: action === '/' ? 'wide' : undefined,
    current: 'newPush',
    scripts: ['newPush.js', 'generate.js', ...(files === null ? [] : ['files.js']), 'submit.js'],
    children: (
      <>
        <div class="card">
          <h1>{newPush.title}</h1>
          {lead !== undefined && <p class="muted">{lead}</p>}
          {page.isSecure || <p class="warning">{newPush.insecure}</p>}
          <ErrorMessage text={Object.keys(problems).length === 0 ? undefined : newPush.wrong} />
          <Form
            page={page}
            action={action}
            fields={{ account }}
            id="new-push"
            {...(files && { enctype: 'multipart/form-data' })}
          >
            <PayloadField page={page} payload={entered.payload} files={files} problems={problems} />
            <LimitFields {...section} />
            {outdated && <Outdated page={page} reason={outdated} />}
            <SubmitButton
              class="wide-button"
              aria-keyshortcuts="Control+Enter Meta+Enter"
              text={newPush.submit}
            />
            {account !== undefined && (
              <SubmitButton
                class="wide-button secondary"
                name="anonymous"
                value="yes"
                hidden={outdated !== 'ended'}
                text={newPush.withoutAccount}
              />
            )}
            <SendProgress page={page} cancelled={page.messages.newPush.files.cancelled} />
            <OptionFields {...section} />
          </Form>
        </div>
        <ul class="promises small muted">
          {newPush.promises.map((promise) => (
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
    <p class="error" role="alert" data-outdated={reason}>
      {newPush.outdated[reason]}{' '}
      {reason === 'ended' && (
        <a href={page.path('/sign-in')} target="_blank" rel="noopener">
          {signIn.inNewTab}
        </a>
      )}
    </p>
  );
}

type SendProgressProps = { page: PageContext /** What to say once it was cancelled. */; cancelled: string };

/** The progress of a form that is sent, with a button that cancels it. Hidden until sendForm.js sends one. */
export function SendProgress({ page: { messages }, cancelled }: SendProgressProps) {
  const { files, encryption, offline, tooLong } = messages.newPush;
  return (
    <div
      id="upload"
      class="upload"
      hidden
      data-sending={files.sending('{percent}')}
      data-finishing={files.finishing}
      data-cancelled={cancelled}
      data-broken={files.broken}
      data-offline={offline}
      data-encrypting={encryption.encrypting}
      data-unreadable={encryption.unreadable}
      data-address={encryption.address}
      data-text-max={payloadMax.text}
      data-too-long={tooLong(payloadMax.text)}
    >
      <p id="upload-status" />
      <progress max={1} value={0} aria-labelledby="upload-status" />
      <button type="button" class="secondary" aria-describedby="upload-status">
        {files.cancel}
      </button>
    </div>
  );
}
