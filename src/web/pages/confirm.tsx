import { renderPage } from '../components/layout.tsx';
import { ClosedEye } from '../components/logo.tsx';
import type { PageContext } from '../pageContext.ts';

type ConfirmPage = { requiresPassphrase: boolean; nonce: string; problem?: string | undefined };

/** The retrieval step. Its bytes reveal only whether the push has a passphrase. */
export function confirmPage(page: PageContext, { requiresPassphrase, nonce, problem }: ConfirmPage): string {
  const { title, lead, passphraseLead } = page.messages.confirm;
  return renderPage(page, {
    title,
    selfContained: 'confirm',
    children: (
      <div class="card confirm">
        <h1>{title}</h1>
        <p class="muted">{requiresPassphrase ? passphraseLead : lead}</p>
        {problem === undefined ? null : (
          <p id="problem" class="error" role="alert">
            {problem}
          </p>
        )}
        {requiresPassphrase ? (
          <PassphraseForm page={page} nonce={nonce} isWrong={problem !== undefined} />
        ) : (
          <HoldForm page={page} nonce={nonce} isWrong={problem !== undefined} />
        )}
      </div>
    ),
  });
}

type ConfirmFormProps = { page: PageContext; nonce: string; isWrong: boolean };

function PassphraseForm({ page: { messages }, nonce, isWrong }: ConfirmFormProps) {
  return (
    <form method="post">
      <input type="hidden" name="nonce" value={nonce} />
      <div class="field">
        <label for="passphrase">{messages.confirm.passphrase}</label>
        <input
          id="passphrase"
          name="passphrase"
          type="password"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          required
          autofocus
          {...(isWrong ? { 'aria-describedby': 'problem', 'aria-invalid': 'true' } : {})}
        />
      </div>
      <label class="checkbox js-only">
        <input type="checkbox" data-show-password /> {messages.confirm.showTyped}
      </label>
      <button type="submit">{messages.confirm.show}</button>
    </form>
  );
}

/**
 * Holding the button opens the secret: link scanners follow links, submit forms and click, but do not hold. People who
 * cannot hold, or have no scripts, type a word instead.
 */
function HoldForm({ page: { messages }, nonce, isWrong }: ConfirmFormProps) {
  const { hold, holdHint, keepHolding, opening, offline, otherWay, word } = messages.confirm;
  return (
    <>
      <div class="js-only">
        <button
          type="button"
          class="hold-button"
          aria-describedby="hold-hint"
          data-word={word}
          data-hold-longer={keepHolding}
          data-opening={opening}
          data-offline={offline}
        >
          <svg class="ring" viewBox="0 0 100 100" aria-hidden="true">
            <circle class="track" cx="50" cy="50" r="48" />
            <circle class="progress" cx="50" cy="50" r="48" pathLength="100" />
          </svg>
          <svg class="eye" viewBox="4 9 16 8.5" aria-hidden="true">
            <ClosedEye />
          </svg>
          {hold}
        </button>
      </div>
      <p id="hold-hint" class="status muted small js-only" role="status">
        {holdHint}
      </p>
      <div class={isWrong ? 'alternative open' : 'alternative'}>
        <button type="button" class="text-button js-only" aria-expanded={isWrong} aria-controls="word-form">
          {otherWay}
        </button>
        <WordForm messages={messages} nonce={nonce} isWrong={isWrong} />
      </div>
    </>
  );
}

function WordForm({
  messages: { confirm },
  nonce,
  isWrong,
}: Omit<ConfirmFormProps, 'page'> & Pick<PageContext, 'messages'>) {
  return (
    <form id="word-form" method="post">
      <input type="hidden" name="nonce" value={nonce} />
      <div class="field">
        <label for="word">{confirm.typeWord(confirm.word)}</label>
        <input
          id="word"
          name="word"
          type="text"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          required
          {...(isWrong ? { 'aria-describedby': 'problem' } : {})}
        />
      </div>
      <button type="submit">{confirm.show}</button>
    </form>
  );
}
