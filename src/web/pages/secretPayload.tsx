import type { ComponentChildren } from 'preact';
import type { Push } from '../../domain/index.ts';
import { CopyButton, CopyStatus } from '../components/copy.tsx';
import { longText, preformatted, untranslated } from '../components/longText.ts';
import { QrCode } from '../components/qrCode.tsx';
import type { PageContext } from '../pageContext.ts';
import { hasInvisible } from '../public/parts/invisible.js';
import { isLong } from '../public/parts/textPieces.js';

type PayloadProps = { page: PageContext; payload: string };

/** The payload of a push, by its kind. Beside files it is a message, which may be empty. */
export function Payload({ kind, ...props }: PayloadProps & Pick<Push, 'kind'>) {
  switch (kind) {
    case 'url':
      return <UrlPayload {...props} />;
    case 'qr':
      return <QrPayload {...props} />;
    case 'file':
      return props.payload === '' ? null : (
        <>
          <h2>{props.page.messages.secret.message}</h2>
          <TextPayload {...props} />
        </>
      );
    default:
      return <TextPayload {...props} />;
  }
}

/** Whether a text is shown in one piece, and without a remark. */
export const hasOneForm = (text: string): boolean =>
  !isLong(text) && !hasInvisible(text) && !changedByHtml.test(text);

const changedByHtml = /[\r\0]/;

function TextPayload({ page, payload }: PayloadProps) {
  const { download, invisible, wrap } = page.messages.secret;
  return (
    <>
      <Toolbar page={page} canHide>
        <button type="button" class="secondary" data-download="secret">
          {download}
        </button>
      </Toolbar>
      <Blurred page={page}>
        <ExactText text={payload} />
      </Blurred>
      <label class="checkbox js-only field" hidden>
        <input type="checkbox" data-wrap checked /> {wrap}
      </label>
      <p class="muted small" id="invisible" hidden={!hasInvisible(payload)}>
        {invisible}
      </p>
    </>
  );
}

/** Never followed automatically, and with the host in plain sight. */
function UrlPayload({ page, payload }: PayloadProps) {
  const { linkTo, linkAdvice } = page.messages.secret;
  return (
    <>
      <p class="url-host">
        {linkTo} <strong {...untranslated}>{new URL(payload).host}</strong>
      </p>
      <p>
        <a
          id="secret"
          {...untranslated}
          dir="ltr"
          href={payload}
          rel="noopener noreferrer nofollow"
          target="_blank"
        >
          {payload}
        </a>
      </p>
      <Toolbar page={page} />
      <p class="muted small">{linkAdvice}</p>
    </>
  );
}

function QrPayload({ page, payload }: PayloadProps) {
  const { qr, qrTooLong, qrText } = page.messages.secret;
  return (
    <>
      <Toolbar page={page} canHide />
      <Blurred page={page}>
        <QrCode text={payload} title={qr} tooLong={qrTooLong} />
        <p class="small muted">{qrText}</p>
        <ExactText text={payload} />
      </Blurred>
    </>
  );
}

/** What secret.js shows once the reader asks for it, and then gives the focus. */
const Blurred = ({ page: { messages }, children }: { page: PageContext; children: ComponentChildren }) => (
  <section class="secret blurred" aria-label={messages.secret.label} tabIndex={-1}>
    {children}
  </section>
);

/** A text that copy.js copies exactly: one with characters that HTML changes is repeated as JSON. */
function ExactText({ text }: { text: string }) {
  return (
    <>
      <pre
        id="secret"
        {...untranslated}
        dir="auto"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards must reach what scrolls
        tabIndex={0}
        dangerouslySetInnerHTML={preformatted(text)}
      />
      {changedByHtml.test(text) ? (
        <pre hidden data-exact="secret" dangerouslySetInnerHTML={longText(JSON.stringify(text))} />
      ) : null}
    </>
  );
}

type ToolbarProps = { page: PageContext; canHide?: boolean; children?: ComponentChildren };

function Toolbar({ page, canHide = false, children }: ToolbarProps) {
  const { show, hide, copy } = page.messages.secret;
  return (
    <div class="row toolbar js-only">
      {canHide ? (
        <button type="button" data-toggle-secret data-show={show} data-hide={hide}>
          {show}
        </button>
      ) : null}
      <CopyButton page={page} from="secret" text={copy} />
      {children}
      <CopyStatus />
    </div>
  );
}
