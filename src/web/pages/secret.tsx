import type { ComponentChildren } from 'preact';
import type { Push } from '../../domain/index.ts';
import { FileList } from './fileList.tsx';
import { renderPage } from './layout.tsx';
import type { Frame } from './pageContext.ts';
import { QrCode } from './qr.tsx';

type Shown = { push: Push; payload: string };
type Part = Shown & { frame: Frame };

/** A revealed push, in the only answer that ever holds this view of it. */
export function shownPage(frame: Frame, shown: Shown): string {
  const { title } = frame.words.shown;
  return renderPage(frame, {
    title,
    shared: { script: 'shown' },
    keepsReader: true,
    children: (
      <div class="sheet">
        <h1>{title}</h1>
        {shown.push.files.length === 0 ? null : <Files frame={frame} {...shown} />}
        <Payload frame={frame} {...shown} />
        <Left frame={frame} {...shown} />
        <Burn frame={frame} {...shown} />
      </div>
    ),
  });
}

/** Each kind of push as it wants to be shown; what stands beside files is a message, which may be empty. */
function Payload(part: Part) {
  switch (part.push.kind) {
    case 'url':
      return <Address {...part} />;
    case 'qr':
      return <Code {...part} />;
    case 'text':
      return <Text {...part} />;
    case 'file':
      return part.payload === '' ? null : (
        <>
          <h2>{part.frame.words.shown.message}</h2>
          <Text {...part} />
        </>
      );
  }
}

/** Their names are text, and never addresses; each link is good for this view alone. */
function Files({ frame, push }: Part) {
  const { words } = frame;
  return (
    <section class="field">
      <h2>{words.shown.files}</h2>
      <FileList frame={frame} files={push.files} />
      <p class="soft small">{words.shown.filesUntil}</p>
    </section>
  );
}

function Text({ frame, payload }: Part) {
  const { words } = frame;
  return (
    <>
      <Tools frame={frame} canVeil>
        <button type="button" class="plain" data-downloads="secret">
          {words.shown.download}
        </button>
      </Tools>
      <div class="secret veiled">
        <Verbatim text={payload} />
      </div>
      <label class="check js-only field">
        <input type="checkbox" data-wrap checked /> {words.shown.wrap}
      </label>
    </>
  );
}

/** Never followed by itself, and with the host in plain sight. */
function Address({ frame, payload }: Part) {
  const { words } = frame;
  return (
    <>
      <p class="address">
        {words.shown.linkTo} <strong>{new URL(payload).host}</strong>
      </p>
      <p>
        <a id="secret" dir="ltr" href={payload} rel="noopener noreferrer nofollow" target="_blank">
          {payload}
        </a>
      </p>
      <Tools frame={frame} />
      <p class="soft small">{words.shown.linkAdvice}</p>
    </>
  );
}

function Code({ frame, payload }: Part) {
  const { words } = frame;
  return (
    <>
      <Tools frame={frame} canVeil />
      <div class="secret veiled">
        <QrCode text={payload} title={words.shown.qr} tooLong={words.shown.qrTooLong} />
        <p class="small soft">{words.shown.qrText}</p>
        <Verbatim text={payload} />
      </div>
    </>
  );
}

/** A browser drops one line break after <pre>, so one is given for it to drop; what else it changes is kept as JSON. */
function Verbatim({ text }: { text: string }) {
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard */}
      <pre id="secret" dir="auto" tabIndex={0}>{`\n${text}`}</pre>
      {/[\r\0]/.test(text) ? <data hidden data-exact="secret" value={JSON.stringify(text)} /> : null}
    </>
  );
}

function Tools({
  frame: { words },
  canVeil = false,
  children,
}: {
  frame: Frame;
  canVeil?: boolean;
  children?: ComponentChildren;
}) {
  const { show, hide, copy, copied, copyFailed } = words.shown;
  return (
    <div class="row tools js-only">
      {canVeil ? (
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

function Left({ frame: { words }, push }: Part) {
  const views = push.viewsMax - push.viewsUsed;
  if (views === 0) {
    const { lastView, lastViewOfFiles } = words.shown;
    return <p class="note">{push.files.length === 0 ? lastView : lastViewOfFiles}</p>;
  }
  const leftMs = push.expiresAt - push.now;
  return (
    <div class="left soft small">
      <p>{words.shown.viewsLeft(views)}</p>
      <p id="time-left">{words.shown.timeLeft(leftMs)}</p>
      <span
        class="clock js-only"
        aria-hidden="true"
        data-left-ms={leftMs}
        data-over={words.shown.erasedNow}
      />
    </div>
  );
}

/** Only where somebody may still want it: nothing is left to delete after the last view. */
function Burn({ frame: { words, path, csrf }, push }: Part) {
  if (!push.deletableByViewer || push.viewsUsed >= push.viewsMax) return null;
  return (
    <form class="burn row" method="post" action={path(`/p/${push.urlToken}/delete`)}>
      <input type="hidden" name="csrf" value={csrf()} />
      <p id="burn" class="small soft">
        {words.shown.deleteHow}
      </p>
      <button type="submit" class="danger" aria-describedby="burn">
        {words.shown.deleteNow}
      </button>
    </form>
  );
}
