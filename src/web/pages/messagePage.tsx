import { Form } from './controls.tsx';
import { renderPage } from './layout.tsx';
import type { Frame } from './pageContext.ts';

/**
 * One answer for every link that does not open: never made, mistyped, expired, deleted. Where its sender allowed it, whoever
 * came too late can ask for a new one by the form that `asking` is the path of.
 */
export function gonePage(frame: Frame, { asking }: { asking?: string | undefined } = {}): string {
  const { title, text, ask, message, copy } = frame.words.gone;
  const { copied, copyFailed } = frame.words.shown;
  return renderPage(frame, {
    title,
    shared: { script: 'gone' },
    children: (
      <div class="sheet">
        <h1>{title}</h1>
        <p>{text}</p>
        {asking === undefined ? null : <AskSender frame={frame} action={asking} />}
        <p class="soft small">{ask}</p>
        <blockquote id="message">{message}</blockquote>
        <div class="row js-only">
          <button
            type="button"
            class="plain"
            data-copies="message"
            data-done={copied}
            data-failed={copyFailed}
          >
            {copy}
          </button>
          <span id="said" class="soft small" role="status" />
        </div>
      </div>
    ),
  });
}

function AskSender({ frame, action }: { frame: Frame; action: string }) {
  const { askSender, askSenderHow } = frame.words.gone;
  return (
    <Form frame={frame} action={action} class="ask">
      <button type="submit" aria-describedby="ask">
        {askSender}
      </button>
      <p id="ask" class="soft small">
        {askSenderHow}
      </p>
    </Form>
  );
}

/** A page that says one thing. */
export function remarkPage(frame: Frame, { title, text }: { title: string; text: string }): string {
  return renderPage(frame, {
    title,
    shared: {},
    children: (
      <div class="sheet">
        <h1>{title}</h1>
        <p>{text}</p>
      </div>
    ),
  });
}
