import type { Frame } from './frame.ts';
import { renderPage } from './layout.tsx';

/** One answer for every link that does not open: never made, mistyped, expired, deleted. */
export function gonePage(frame: Frame): string {
  const { title, text, ask, message, copy } = frame.words.gone;
  const { copied, copyFailed } = frame.words.shown;
  return renderPage(frame, {
    title,
    shared: { script: 'gone' },
    children: (
      <div class="sheet">
        <h1>{title}</h1>
        <p>{text}</p>
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
