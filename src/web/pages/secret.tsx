import type { Push } from '../../domain/index.ts';
import { ConfirmedAction } from '../components/confirmedAction.tsx';
import { Form } from '../components/form.tsx';
import { renderPage } from '../components/layout.tsx';
import { PushFiles } from '../components/pushFiles.tsx';
import type { PageContext } from '../pageContext.ts';
import { Payload } from './secretPayload.tsx';

type SecretPage = { push: Push; payload: string };

/** A revealed push. The only response that ever contains this view of it. */
export function secretPage(page: PageContext, { push, payload }: SecretPage): string {
  const { title } = page.messages.secret;
  return renderPage(page, {
    title,
    selfContained: 'secret',
    withoutLinks: true,
    children: (
      <div class="card">
        <h1>{title}</h1>
        {push.files.length === 0 ? null : <Files page={page} push={push} />}
        <Payload page={page} kind={push.kind} payload={payload} />
        <Remaining page={page} push={push} />
        <DeleteForm page={page} push={push} />
      </div>
    ),
  });
}

type PushProps = { page: PageContext; push: Push };

function Files({ page, push }: PushProps) {
  const { files, filesUntil } = page.messages.secret;
  return (
    <section class="field">
      <h2>{files}</h2>
      <PushFiles page={page} files={push.files} />
      <p class="muted small">{filesUntil}</p>
    </section>
  );
}

/** The views and the time that are left; secret.js counts down. */
function Remaining({ page, push }: PushProps) {
  const { secret } = page.messages;
  const views = push.viewsMax - push.viewsUsed;
  if (views === 0)
    return <p class="warning">{push.files.length === 0 ? secret.lastView : secret.lastViewOfFiles}</p>;
  const leftMs = push.expiresAt - push.now;
  return (
    <div class="remaining muted small">
      <p>{secret.viewsLeft(views)}</p>
      <p id="time-left">{secret.timeLeft(leftMs)}</p>
      <span
        class="countdown js-only"
        aria-hidden="true"
        data-remaining-ms={leftMs}
        data-erased={secret.erasedNow}
      />
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
