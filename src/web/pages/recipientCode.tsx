import { cardPage } from '../components/cardPage.tsx';
import { TextField } from '../components/fields.tsx';
import type { PageContext } from '../pageContext.ts';
import { confirmPage } from './confirm.tsx';

/** Asks for a code by mail, confirmed as the retrieval step is. The page looks like that one, with other texts. */
export function askForCodePage(
  page: PageContext,
  ask: { nonce: string; word: string; problem?: string | undefined; prefersWord?: boolean },
): Buffer {
  const { messages } = page;
  const { hold, letGo, opening, offline, show, lead, title } = messages.recipientCode.ask;
  const confirm = { ...messages.confirm, hold, letGo, opening, offline, show, lead, title };
  return confirmPage(
    { ...page, messages: { ...messages, confirm } },
    { ...ask, step: 'ask', requiresPassphrase: false, isEncrypted: false },
  );
}

/** Takes the code that this browser asked for. */
export function codePage(page: PageContext, problem?: string): string {
  const { title, lead, code, submit, hint, again } = page.messages.recipientCode;
  return cardPage(page, {
    title,
    lead,
    children: (
      <>
        <form method="post">
          <input type="hidden" name="step" value="enter" />
          <TextField
            name="code"
            label={code}
            problem={problem}
            inputMode="numeric"
            autocapitalize="none"
            spellcheck={false}
            autocomplete="one-time-code"
            required
            autofocus
          />
          <button type="submit">{submit}</button>
        </form>
        <p class="hint">
          {hint} <a href="?code=new">{again}</a>
        </p>
      </>
    ),
  });
}
