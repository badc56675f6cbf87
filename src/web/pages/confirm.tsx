import { ShowTyped } from '../components/choices.tsx';
import { renderPage } from '../components/layout.tsx';
import { KeyInput, typedExactly, UnexpectedKey } from '../components/linkKey.tsx';
import { ClosedEye } from '../components/logo.tsx';
import { untranslated } from '../components/longText.ts';
import { createTemplates } from '../components/templates.ts';
import type { PageContext } from '../pageContext.ts';

type ConfirmPage = {
  nonce: string;
  /** What those type who cannot hold the button. */
  word: string;
  requiresPassphrase: boolean;
  /** Whether the page must ask for a key that the link lacks. */
  isEncrypted: boolean;
  /** Whether it asks for a code that opens the link, and not for the secret. */
  step?: 'ask';
  problem?: string | undefined;
  isPassphraseWrong?: boolean;
  /** Whether the form before this one was sent with a word. */
  prefersWord?: boolean;
};

const templates = createTemplates(['scriptNonce', 'nonce', 'word']);

/** The retrieval step. Its bytes reveal only whether the push has a passphrase, and whether it is encrypted. */
export function confirmPage(page: PageContext, confirm: ConfirmPage): Buffer {
  const { locale, theme, baseUrl, operator, look, queryWith } = page;
  const { requiresPassphrase, isEncrypted, problem, prefersWord, nonce, word } = confirm;
  const isFirst = problem === undefined && !prefersWord && queryWith?.({ locale }) === `?locale=${locale}`;
  const key = JSON.stringify([
    locale,
    theme,
    baseUrl,
    operator,
    look.version,
    requiresPassphrase,
    isEncrypted,
    confirm.step,
  ]);
  return templates(isFirst ? key : undefined, { scriptNonce: page.nonce, nonce, word }, (marks) =>
    render({ ...page, nonce: marks.scriptNonce }, { ...confirm, nonce: marks.nonce, word: marks.word }),
  );
}

function render(page: PageContext, confirm: ConfirmPage): string {
  const { requiresPassphrase, isEncrypted, nonce, problem } = confirm;
  const { title, lead, passphraseLead, key } = page.messages.confirm;
  return renderPage(page, {
    title,
    selfContained: isEncrypted ? 'confirmEncrypted' : 'confirm',
    children: (
      <div class="card confirm">
        <h1>{title}</h1>
        <p class="muted lead">{requiresPassphrase ? passphraseLead : lead}</p>
        <WhatIsThis page={page} />
        {problem === undefined ? null : (
          <p id="problem" class="error" role="alert">
            {problem}
          </p>
        )}
        {isEncrypted ? (
          <noscript>
            <p class="error">{key.needsScripts /* without them, no view is used */}</p>
          </noscript>
        ) : (
          <UnexpectedKey page={page} />
        )}
        <form method="post" class={isEncrypted ? 'js-only' : undefined}>
          <input type="hidden" name="nonce" value={nonce} />
          {confirm.step && <input type="hidden" name="step" value={confirm.step} />}
          {isEncrypted && <KeyField page={page} />}
          {requiresPassphrase && (
            <PassphraseField
              page={page}
              label={page.messages.confirm.passphrase}
              isWrong={confirm.isPassphraseWrong}
              autofocus
            />
          )}
          <HoldButton page={page} texts={page.messages.confirm} />
          <WordInstead page={page} confirm={confirm} texts={page.messages.confirm} />
        </form>
      </div>
    ),
  });
}

type Props = { page: PageContext };

/** Whose page this is, for somebody who has never heard of it. */
function WhatIsThis({ page: { messages, baseUrl, operator } }: Props) {
  const { runBy, question, paragraphs } = messages.whatIsThis;
  return (
    <details class="what">
      <summary>
        <span {...untranslated}>{new URL(baseUrl).host}</span>
        {operator && runBy(operator)}. <span class="question">{question}</span>
      </summary>
      {paragraphs.map((text) => (
        <p>{text}</p>
      ))}
    </details>
  );
}

/** Asks for the key that the link should have; keyField.js shows it, with a hint. */
function KeyField({ page: { messages } }: Props) {
  const { label, missing, found, needsHttps } = messages.confirm.key;
  return (
    <div
      id="key-field"
      class="field"
      hidden
      data-missing={missing}
      data-found={found}
      data-insecure={needsHttps}
    >
      <label for="key">{label}</label>
      <KeyInput describedBy="key-hint" />
      <p id="key-hint" class="hint" role="status" />
    </div>
  );
}

/** 1Password, LastPass and Bitwarden offer a password of the reader's for it, and to save it. */
const notForPasswordManagers = { 'data-1p-ignore': true, 'data-lpignore': 'true', 'data-bwignore': true };

type PassphraseFieldProps = Props & { label: string; isWrong: boolean | undefined; autofocus?: boolean };

/** The field for the passphrase of somebody else. */
export function PassphraseField({ page, label, isWrong, autofocus }: PassphraseFieldProps) {
  return (
    <>
      <div class="field">
        <label for="passphrase">{label}</label>
        <input
          id="passphrase"
          name="passphrase"
          type="password"
          {...typedExactly}
          autofocus={autofocus}
          {...notForPasswordManagers}
          {...(isWrong && { 'aria-describedby': 'problem', 'aria-invalid': 'true' })}
        />
      </div>
      <ShowTyped page={page} />
    </>
  );
}

type HoldTexts = Record<'hold' | 'holdHint' | 'letGo' | 'opening' | 'offline', string>;

/**
 * Holding the button and letting go of it sends its form: link scanners follow links, fill in forms and click, but do
 * not hold.
 */
export function HoldButton({ page: { messages }, texts }: Props & { texts: HoldTexts }) {
  const { holdNext, keepHolding } = messages.confirm;
  const { hold, holdHint, letGo, opening, offline } = texts;
  return (
    <div class="js-only">
      <p class="next" aria-live="polite" />
      <button
        type="button"
        class="hold-button"
        aria-describedby="hold-hint"
        data-next={holdNext}
        data-hold-longer={keepHolding}
        data-let-go={letGo}
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
      <p id="hold-hint" class="status muted small" role="status">
        {holdHint}
      </p>
    </div>
  );
}

type WordInsteadProps = Props & {
  confirm: Pick<ConfirmPage, 'word' | 'problem' | 'isPassphraseWrong' | 'prefersWord'>;
  texts: { typeWord(word: string): string; show: string };
};

/** For people who cannot hold, or have no scripts. The word stands in the label alone, for people to read. */
export function WordInstead({ page, confirm, texts }: WordInsteadProps) {
  const { word, problem, isPassphraseWrong = false, prefersWord = false } = confirm;
  const { otherWay } = page.messages.confirm;
  const { typeWord, show } = texts;
  const isWrong = problem !== undefined && !isPassphraseWrong;
  const [before, after] = typeWord('\n').split('\n');
  return (
    <div class={prefersWord ? 'alternative open' : 'alternative'}>
      <button type="button" class="text-button js-only" aria-expanded={prefersWord} aria-controls="word-way">
        {otherWay}
      </button>
      <div id="word-way">
        <div class="field">
          <label for="word">
            {before}
            <span {...untranslated}>{word}</span>
            {after}
          </label>
          <input
            id="word"
            name="word"
            type="text"
            {...typedExactly}
            aria-describedby={isWrong ? 'problem' : undefined}
          />
        </div>
        <button type="submit">{show}</button>
      </div>
    </div>
  );
}
