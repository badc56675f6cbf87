import type { ComponentChildren } from 'preact';
import type { Push } from '../../domain/index.ts';
import { FileList } from '../components/fileList.tsx';
import { renderPage } from '../components/layout.tsx';
import { QrCode } from '../components/qrCode.tsx';
import type { PageContext } from './pageContext.ts';

type SecretPage = { push: Push; payload: string };
type SecretProps = SecretPage & { page: PageContext };

/** A revealed push, in the only answer that ever holds this view of it. */
export function secretPage(page: PageContext, revealed: SecretPage): string {
  const { title } = page.messages.secret;
  return renderPage(page, {
    title,
    selfContained: { script: 'shown' },
    withoutLinks: true,
    children: (
      <div class="sheet">
        <h1>{title}</h1>
        {revealed.push.files.length === 0 ? null : <Files page={page} {...revealed} />}
        <Payload page={page} {...revealed} />
        <Remaining page={page} {...revealed} />
        <DeleteForm page={page} {...revealed} />
      </div>
    ),
  });
}

/** Each kind of push as it wants to be shown; what stands beside files is a message, which may be empty. */
function Payload(props: SecretProps) {
  switch (props.push.kind) {
    case 'url':
      return <UrlPayload {...props} />;
    case 'qr':
      return <QrPayload {...props} />;
    case 'text':
      return <TextPayload {...props} />;
    case 'file':
      return props.payload === '' ? null : (
        <>
          <h2>{props.page.messages.secret.message}</h2>
          <TextPayload {...props} />
        </>
      );
  }
}

/** Their names are text, and never addresses; each link is good for this view alone. */
function Files({ page, push }: SecretProps) {
  const { messages } = page;
  return (
    <section class="field">
      <h2>{messages.secret.files}</h2>
      <FileList page={page} files={push.files} />
      <p class="soft small">{messages.secret.filesUntil}</p>
    </section>
  );
}

function TextPayload({ page, payload }: SecretProps) {
  const { messages } = page;
  return (
    <>
      <Toolbar page={page} canHide>
        <button type="button" class="plain" data-downloads="secret">
          {messages.secret.download}
        </button>
      </Toolbar>
      <div class="secret veiled">
        <ExactText text={payload} />
      </div>
      <label class="check js-only field">
        <input type="checkbox" data-wrap checked /> {messages.secret.wrap}
      </label>
    </>
  );
}

/** Never followed by itself, and with the host in plain sight. */
function UrlPayload({ page, payload }: SecretProps) {
  const { messages } = page;
  return (
    <>
      <p class="address">
        {messages.secret.linkTo} <strong>{new URL(payload).host}</strong>
      </p>
      <p>
        <a id="secret" dir="ltr" href={payload} rel="noopener noreferrer nofollow" target="_blank">
          {payload}
        </a>
      </p>
      <Toolbar page={page} />
      <p class="soft small">{messages.secret.linkAdvice}</p>
    </>
  );
}

function QrPayload({ page, payload }: SecretProps) {
  const { messages } = page;
  return (
    <>
      <Toolbar page={page} canHide />
      <div class="secret veiled">
        <QrCode text={payload} title={messages.secret.qr} tooLong={messages.secret.qrTooLong} />
        <p class="small soft">{messages.secret.qrText}</p>
        <ExactText text={payload} />
      </div>
    </>
  );
}

/** A browser drops one line break after <pre>, so one is given for it to drop; what else it changes is kept as JSON. */
function ExactText({ text }: { text: string }) {
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard */}
      <pre id="secret" dir="auto" tabIndex={0}>{`\n${text}`}</pre>
      {/[\r\0]/.test(text) ? <data hidden data-exact="secret" value={JSON.stringify(text)} /> : null}
    </>
  );
}

function Toolbar({
  page: { messages },
  canHide = false,
  children,
}: {
  page: PageContext;
  canHide?: boolean;
  children?: ComponentChildren;
}) {
  const { show, hide, copy, copied, copyFailed } = messages.secret;
  return (
    <div class="row tools js-only">
      {canHide ? (
        <button type="button" data-veil aria-pressed="false" data-show={show} data-hide={hide}>
          {show}
        </button>
      ) : null}
      <button type="button" class="plain" data-copies="secret" data-done={copied} data-failed={copyFailed}>
        {copy}
      </button>
      {children}
      <span id="said" class="soft small" role="status" />
    </div>
  );
}

function Remaining({ page: { messages }, push }: SecretProps) {
  const views = push.viewsMax - push.viewsUsed;
  if (views === 0) {
    const { lastView, lastViewOfFiles } = messages.secret;
    return <p class="note">{push.files.length === 0 ? lastView : lastViewOfFiles}</p>;
  }
  const leftMs = push.expiresAt - push.now;
  return (
    <div class="left soft small">
      <p>{messages.secret.viewsLeft(views)}</p>
      <p id="time-left">{messages.secret.timeLeft(leftMs)}</p>
      <span
        class="clock js-only"
        aria-hidden="true"
        data-left-ms={leftMs}
        data-over={messages.secret.erasedNow}
      />
    </div>
  );
}

/** Only where somebody may still want it: nothing is left to delete after the last view. */
function DeleteForm({ page: { messages, path, csrf }, push }: SecretProps) {
  if (!push.deletableByViewer || push.viewsUsed >= push.viewsMax) return null;
  return (
    <form class="burn row" method="post" action={path(`/p/${push.urlToken}/delete`)}>
      <input type="hidden" name="csrf" value={csrf()} />
      <p id="burn" class="small soft">
        {messages.secret.deleteHint}
      </p>
      <button type="submit" class="danger" aria-describedby="burn">
        {messages.secret.deleteNow}
      </button>
    </form>
  );
}
