import { renderPage } from '../components/layout.tsx';
import { UnexpectedKey } from '../components/unexpectedKey.tsx';
import type { PageContext } from '../pageContext.ts';
import { HoldButton, KeyField, NeedsScripts, PassphraseField, WordInstead } from './confirmFields.tsx';

type ConfirmPage = {
  nonce: string;
  /** What those type who cannot hold the button. */
  word: string;
  requiresPassphrase: boolean;
  /** Whether the page must ask for a key that the link lacks. */
  isEncrypted: boolean;
  problem?: string | undefined;
  isPassphraseWrong?: boolean;
  /** Whether the form before this one was sent with a word. */
  prefersWord?: boolean;
};

/** The retrieval step. Its bytes reveal only whether the push has a passphrase, and whether it is encrypted. */
export function confirmPage(page: PageContext, confirm: ConfirmPage): string {
  const { requiresPassphrase, isEncrypted, nonce, problem } = confirm;
  const { title, lead, passphraseLead } = page.messages.confirm;
  return renderPage(page, {
    title,
    selfContained: isEncrypted ? 'confirmEncrypted' : 'confirm',
    children: (
      <div class="card confirm">
        <h1>{title}</h1>
        <p class="muted">{requiresPassphrase ? passphraseLead : lead}</p>
        {problem === undefined ? null : (
          <p id="problem" class="error" role="alert">
            {problem}
          </p>
        )}
        {isEncrypted ? <NeedsScripts page={page} /> : <UnexpectedKey page={page} />}
        <form method="post" class={isEncrypted ? 'js-only' : undefined}>
          <input type="hidden" name="nonce" value={nonce} />
          {isEncrypted ? <KeyField page={page} /> : null}
          {requiresPassphrase ? <PassphraseField page={page} isWrong={confirm.isPassphraseWrong} /> : null}
          <HoldButton page={page} />
          <WordInstead page={page} {...confirm} />
        </form>
      </div>
    ),
  });
}
