import { CopyButton, CopyStatus } from '../components/copy.tsx';
import { Form } from '../components/form.tsx';
import { renderPage } from '../components/layout.tsx';
import type { PageContext } from '../pageContext.ts';

/**
 * The page of every link that does not open, whether it never existed or has expired. Where the sender allows it, `askPath`
 * is the path of the form that asks for a new link.
 */
export function gonePage(page: PageContext, { askPath }: { askPath?: string | undefined } = {}): string {
  const { title, text, ask, message, copy } = page.messages.gone;
  return renderPage(page, {
    title,
    selfContained: 'gone',
    children: (
      <div class="card">
        <h1>{title}</h1>
        <p>{text}</p>
        {askPath === undefined ? null : <AskSender page={page} action={askPath} />}
        <p class="muted small">{ask}</p>
        <blockquote id="message">{message}</blockquote>
        <div class="row js-only">
          <CopyButton page={page} from="message" text={copy} class="secondary" />
          <CopyStatus />
        </div>
      </div>
    ),
  });
}

function AskSender({ page, action }: { page: PageContext; action: string }) {
  const { askSender, askSenderHint } = page.messages.gone;
  return (
    <Form page={page} action={action} class="ask-form">
      <button type="submit" aria-describedby="ask-hint">
        {askSender}
      </button>
      <p id="ask-hint" class="muted small">
        {askSenderHint}
      </p>
    </Form>
  );
}
