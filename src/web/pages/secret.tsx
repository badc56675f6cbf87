import type { ComponentChildren } from 'preact';
import { render } from 'preact-render-to-string';
import { type Push, pushKinds } from '../../domain/index.ts';
import { assetPath } from '../assets.ts';
import { cardPage } from '../components/cardPage.tsx';
import { ConfirmedAction, Form, SubmitButton } from '../components/form.tsx';
import { KeyInput, UnexpectedKey } from '../components/linkKey.tsx';
import { longText, untranslated } from '../components/longText.ts';
import { PushFiles } from '../components/pushFiles.tsx';
import { createTemplates } from '../components/templates.ts';
import { Time } from '../components/time.tsx';
import type { PageContext } from '../pageContext.ts';
import { hasOneForm, Payload } from './secretPayload.tsx';

type SecretPage = { push: Push; payload: string; sender?: string | null | undefined };

const shells = createTemplates(['scriptNonce', 'content']);
/** Of pages that show a text and nothing else, and nothing that is left of its push. */
const lastTexts = createTemplates(['scriptNonce', 'text']);

/** A revealed push. The only response that ever contains this view of it. */
export function secretPage(page: PageContext, secret: SecretPage): Buffer {
  const { encrypted } = secret.push;
  if (encrypted) page.allowConnect(); // to decrypt its files
  const key = JSON.stringify([page.locale, page.theme, page.baseUrl, page.look.version, encrypted]);
  if (isLastText(secret)) {
    const text = longText(secret.payload).__html;
    return lastTexts(key, { scriptNonce: page.nonce, text }, (marks) =>
      shell(page, encrypted, marks.scriptNonce, <Secret page={page} {...secret} payload={marks.text} />),
    );
  }
  const content = render(<Secret page={page} {...secret} />);
  return shells(key, { scriptNonce: page.nonce, content }, (marks) =>
    shell(page, encrypted, marks.scriptNonce, marks.content),
  );
}

const isLastText = ({ push, payload, sender }: SecretPage) =>
  push.kind === 'text' &&
  !push.encrypted &&
  push.files.length === 0 &&
  isLastView(push) &&
  !sender &&
  hasOneForm(payload);

const shell = (page: PageContext, encrypted: boolean, nonce: string, children: ComponentChildren) =>
  cardPage(
    { ...page, nonce },
    {
      title: page.messages.secret.title,
      selfContained: encrypted ? 'encryptedSecret' : 'secret',
      withoutLinks: true,
      children,
    },
  );

/** What the page shows of its push. */
const Secret = ({ page, push, payload, sender }: SecretPage & { page: PageContext }) => (
  <>
    {sender && <Sender page={page} sender={sender} />}
    {isLastView(push) ? <LastView page={page} push={push} /> : null}
    {push.encrypted ? (
      <EncryptedSecret page={page} push={push} payload={payload} />
    ) : (
      <>
        <UnexpectedKey page={page} />
        <SecretFiles page={page} push={push} />
        <Payload page={page} kind={push.kind} payload={payload} />
      </>
    )}
    {isLastView(push) ? null : <Remaining page={page} push={push} />}
    <DeleteForm page={page} push={push} />
  </>
);

type PushProps = { page: PageContext; push: Push };

/** What the sender says of themselves, which nobody has checked. */
const Sender = ({ page, sender }: { page: PageContext; sender: string }) => (
  <p>
    {page.messages.secret.sender} <bdi {...untranslated}>{sender.replace(/[\p{Cc}\p{Cf}]/gu, '')}</bdi>
  </p>
);

const isLastView = ({ viewsMax, viewsUsed }: Push) => viewsUsed >= viewsMax;

/** The most important sentence of its page: above what it is about, and on every screen. */
const LastView = ({ page: { messages }, push: { files } }: PushProps) => (
  <p class="warning">{files.length === 0 ? messages.secret.lastView : messages.secret.lastViewOfFiles}</p>
);

/** The views and the time that are left, which secret.js keeps right. */
function Remaining({ page: { messages }, push }: PushProps) {
  const { secret } = messages;
  const leftMs = push.expiresAt - push.now;
  return (
    <div class="remaining muted small">
      <p>{secret.viewsLeft(push.viewsMax - push.viewsUsed)}</p>
      <p>
        <span data-remaining-ms={leftMs} data-text={secret.timeLeft('{when}')} data-over={secret.erasedNow}>
          {secret.timeLeft(messages.inTime(leftMs))}
        </span>{' '}
        (<Time messages={messages} at={push.expiresAt} />
        ).
      </p>
    </div>
  );
}

/** Nothing is left to delete after the last view. */
function DeleteForm({ page, push }: PushProps) {
  const { deleteHint, deleteNow, deleteForGood } = page.messages.secret;
  if (!push.deletableByViewer || isLastView(push)) return null;
  return (
    <div class="delete-form">
      <ConfirmedAction text={deleteNow} hint={deleteHint}>
        <Form page={page} action={`/p/${push.urlToken}/delete`}>
          <SubmitButton class="danger solid" text={deleteForGood} />
        </Form>
      </ConfirmedAction>
    </div>
  );
}

/** The files of a revealed push, if it has any. */
function SecretFiles({ page, push }: { page: PageContext; push: Push }) {
  const { files, filesUntil } = page.messages.secret;
  if (push.files.length === 0) return null;
  return (
    <section class="field">
      <h2>{files}</h2>
      <p class="muted small">{filesUntil}</p>
      <PushFiles page={page} files={push.files} />
    </section>
  );
}

type EncryptedSecretProps = { page: PageContext; push: Push; payload: string };

/** Stands for what only the browser can read. */
const placeholder = 'about:blank';

/**
 * A secret that only its key opens: decrypt.js shows it in the template of its kind. The ciphertext stays on the page, so
 * that a wrong key loses nothing.
 */
function EncryptedSecret({ page, push, payload }: EncryptedSecretProps) {
  const { key, encryption } = page.messages.secret;
  return (
    <div
      id="encrypted"
      data-missing={encryption.missing}
      data-wrong={encryption.wrong}
      data-damaged={encryption.damaged}
      data-insecure={encryption.needsHttps}
      data-decrypting={encryption.decrypting('{name}', '{percent}')}
      data-saved={encryption.saved('{name}')}
      data-file-failed={encryption.fileFailed('{name}')}
      data-encoder={page.path(assetPath('qr.js'))}
    >
      <noscript>
        <p class="error">{encryption.needsScripts}</p>
      </noscript>
      <p id="decryption" role="status" />
      <form id="key-form" class="field" hidden>
        <div class="field">
          <label for="key">{key}</label>
          <KeyInput describedBy="decryption" />
        </div>
        <button type="submit">{encryption.submit}</button>
      </form>
      <div id="sealed" hidden>
        {payload}
      </div>
      <div id="decrypted" hidden>
        <SecretFiles page={page} push={push} />
        {pushKinds.map((kind) => (
          <template id={`of-${kind}`}>
            <Payload page={page} kind={kind} payload={placeholder} />
          </template>
        ))}
      </div>
    </div>
  );
}
