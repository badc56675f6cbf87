import type { PageContext } from '../pageContext.ts';

type EncryptionFieldProps = { page: PageContext; isOffered?: boolean };

/** Offers to encrypt a push in the browser. Hidden, and never sent, unless submit.js can do it. */
export function EncryptionField({ page: { messages }, isOffered = false }: EncryptionFieldProps) {
  const { label, hint } = messages.newPush.encryption;
  return (
    <div class="field" hidden={!isOffered}>
      <label class="checkbox">
        <input
          id="encrypt"
          type="checkbox"
          aria-describedby="encrypt-hint"
          disabled={!isOffered}
          autocomplete="off"
        />{' '}
        <span>{label}</span>
      </label>
      <p id="encrypt-hint" class="hint">
        {hint}
      </p>
    </div>
  );
}
