import { renderPage } from './layout.tsx';
import { ClosedEye } from './logo.tsx';
import type { Frame } from './pageContext.ts';

type Step = { asksPassphrase: boolean; nonce: string; problem?: string | undefined };

/** The step before the payload. Its bytes tell nothing of the push but whether a passphrase is asked for. */
export function stepPage(frame: Frame, { asksPassphrase, nonce, problem }: Step): string {
  const { title, lead, passphraseLead } = frame.words.step;
  return renderPage(frame, {
    title,
    shared: { script: 'step' },
    children: (
      <div class="sheet step">
        <h1>{title}</h1>
        <p class="soft">{asksPassphrase ? passphraseLead : lead}</p>
        {problem === undefined ? null : (
          <p id="problem" class="problem" role="alert">
            {problem}
          </p>
        )}
        {asksPassphrase ? (
          <PassphraseForm frame={frame} nonce={nonce} isWrong={problem !== undefined} />
        ) : (
          <Seal frame={frame} nonce={nonce} isWrong={problem !== undefined} />
        )}
      </div>
    ),
  });
}

type Form = { frame: Frame; nonce: string; isWrong: boolean };

function PassphraseForm({ frame: { words }, nonce, isWrong }: Form) {
  return (
    <form method="post">
      <input type="hidden" name="nonce" value={nonce} />
      <div class="field">
        <label for="passphrase">{words.step.passphrase}</label>
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
      <label class="check js-only">
        <input type="checkbox" data-shows /> {words.step.showTyped}
      </label>
      <button type="submit">{words.step.show}</button>
    </form>
  );
}

/**
 * A press that is held opens the secret; machines that follow links, send forms and click do not hold. Whoever cannot
 * hold, or runs no scripts, types a word instead, which those machines do not either.
 */
function Seal({ frame: { words }, nonce, isWrong }: Form) {
  const { hold, holdHow, keepHolding, opening, otherWay, word } = words.step;
  return (
    <>
      <div class="js-only">
        <button
          type="button"
          class="seal"
          aria-describedby="how"
          data-word={word}
          data-again={keepHolding}
          data-opening={opening}
        >
          <svg class="ring" viewBox="0 0 100 100" aria-hidden="true">
            <circle class="track" cx="50" cy="50" r="48" />
            <circle class="run" cx="50" cy="50" r="48" pathLength="100" />
          </svg>
          <svg class="eye" viewBox="4 9 16 8.5" aria-hidden="true">
            <ClosedEye />
          </svg>
          {hold}
        </button>
      </div>
      <p id="how" class="status soft small js-only" role="status">
        {holdHow}
      </p>
      <div class={isWrong ? 'other open' : 'other'}>
        <button type="button" class="quiet js-only" aria-expanded={isWrong} aria-controls="other">
          {otherWay}
        </button>
        <WordForm words={words} nonce={nonce} isWrong={isWrong} />
      </div>
    </>
  );
}

function WordForm({ words: { step }, nonce, isWrong }: Omit<Form, 'frame'> & Pick<Frame, 'words'>) {
  return (
    <form id="other" method="post">
      <input type="hidden" name="nonce" value={nonce} />
      <div class="field">
        <label for="word">{step.typeWord(step.word)}</label>
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
      <button type="submit">{step.show}</button>
    </form>
  );
}
