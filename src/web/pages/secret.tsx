import type { Push } from '../../domain/index.ts';
import { ConfirmedAction } from '../components/confirmedAction.tsx';
import { Form } from '../components/form.tsx';
import { renderPage } from '../components/layout.tsx';
import { UnexpectedKey } from '../components/unexpectedKey.tsx';
import type { PageContext } from '../pageContext.ts';
import { EncryptedSecret } from './secretEncrypted.tsx';
import { SecretFiles } from './secretFiles.tsx';
import { Payload } from './secretPayload.tsx';

type SecretPage = { push: Push; payload: string };

/** A revealed push. The only response that ever contains this view of it. */
export function secretPage(page: PageContext, { push, payload }: SecretPage): string {
  const { title } = page.messages.secret;
  if (push.encrypted) page.allowConnect(); // to decrypt its files
  return renderPage(page, {
    title,
    selfContained: push.encrypted ? 'encryptedSecret' : 'secret',
    withoutLinks: true,
    children: (
      <div class="card">
        <h1>{title}</h1>
        {push.encrypted ? (
          <EncryptedSecret page={page} push={push} payload={payload} />
        ) : (
          <>
            <UnexpectedKey page={page} />
            <SecretFiles page={page} push={push} />
            <Payload page={page} kind={push.kind} payload={payload} />
          </>
        )}
        <Remaining page={page} push={push} />
        <DeleteForm page={page} push={push} />
      </div>
    ),
  });
}

type PushProps = { page: PageContext; push: Push };

/** The views and the time that are left, which secret.js keeps right. */
function Remaining({ page, push }: PushProps) {
  const { messages } = page;
  const { secret } = messages;
  const views = push.viewsMax - push.viewsUsed;
  if (views === 0)
    return <p class="warning">{push.files.length === 0 ? secret.lastView : secret.lastViewOfFiles}</p>;
  const leftMs = push.expiresAt - push.now;
  return (
    <div class="remaining muted small">
      <p>{secret.viewsLeft(views)}</p>
      <p data-remaining-ms={leftMs} data-text={secret.timeLeft('{when}')} data-over={secret.erasedNow}>
        {secret.timeLeft(messages.inTime(leftMs))}
      </p>
    </div>
  );
}

/** Nothing is left to delete after the last view. */
function DeleteForm({ page, push }: PushProps) {
  const { deleteHint, deleteNow, deleteForGood } = page.messages.secret;
  if (!push.deletableByViewer || push.viewsUsed >= push.viewsMax) return null;
  return (
    <div class="delete-form">
      <ConfirmedAction text={deleteNow} hint={deleteHint}>
        <Form page={page} action={`/p/${push.urlToken}/delete`}>
          <button type="submit" class="danger solid">
            {deleteForGood}
          </button>
        </Form>
      </ConfirmedAction>
    </div>
  );
}
