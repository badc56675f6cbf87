import { Form } from '../components/fields.tsx';
import { renderPage } from '../components/layout.tsx';
import type { PageContext } from './pageContext.ts';

/**
 * One answer for every link that does not open: never made, mistyped, expired, deleted. Where its sender allowed it, whoever
 * came too late can ask for a new one by the form that `asking` is the path of.
 */
export function gonePage(page: PageContext, { askPath }: { askPath?: string | undefined } = {}): string {
  const { title, text, ask, message, copy } = page.messages.gone;
  const { copied, copyFailed } = page.messages.secret;
  return renderPage(page, {
    title,
    selfContained: { script: 'gone' },
    children: (
      <div class="sheet">
        <h1>{title}</h1>
        <p>{text}</p>
        {askPath === undefined ? null : <AskSender page={page} action={askPath} />}
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

function AskSender({ page, action }: { page: PageContext; action: string }) {
  const { askSender, askSenderHint } = page.messages.gone;
  return (
    <Form page={page} action={action} class="ask">
      <button type="submit" aria-describedby="ask">
        {askSender}
      </button>
      <p id="ask" class="soft small">
        {askSenderHint}
      </p>
    </Form>
  );
}

/** A page that says one thing. */
export function messagePage(page: PageContext, { title, text }: { title: string; text: string }): string {
  return renderPage(page, {
    title,
    selfContained: {},
    children: (
      <div class="sheet">
        <h1>{title}</h1>
        <p>{text}</p>
      </div>
    ),
  });
}
