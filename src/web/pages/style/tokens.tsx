import { styleTokens } from '../../assets.ts';

/** The sizes of text, and what each is for. */
export function TypeSamples() {
  return (
    <>
      <p class="sample-h1">A title, one on each page</p>
      <h3>A heading within a section</h3>
      <p>Body text. Short sentences, the subject first, in the reader’s words.</p>
      <p class="small">Small text explains what stands beside it.</p>
      <p class="muted small">Muted text can be left out without loss.</p>
      <p>
        <code>Monospace for what is copied character by character</code>
      </p>
    </>
  );
}

/** Every colour token, in the theme that the reader has. */
export function ColourSamples() {
  return (
    <ul class="swatches">
      {tokensOf(/^--(background|surface|text$|text-muted|border|accent|on-|danger|warning)/).map(
        ({ name }) => (
          <li>
            <svg viewBox="0 0 64 40" aria-hidden="true">
              <rect width="64" height="40" rx="6" fill={`var(${name})`} stroke="var(--border-strong)" />
            </svg>
            <code>{name}</code>
          </li>
        ),
      )}
    </ul>
  );
}

/** The tokens for spaces, corners, the smallest target of a press, and motion. */
export function SizeSamples() {
  return (
    <dl class="summary-list">
      {tokensOf(/^--(space|radius|target|calm)/).map(({ name, value }) => (
        <>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}

const tokensOf = (pattern: RegExp) => styleTokens().filter(({ name }) => pattern.test(name));
