import type { PageContext } from '../pageContext.ts';

/** Offers to encrypt a push in the browser. Hidden, and never sent, unless submit.js can do it. */
export function EncryptionField({ page: { messages } }: { page: PageContext }) {
  const { label, hint } = messages.newPush.encryption;
  return (
    <div class="field" hidden>
      <label class="checkbox">
        <input id="encrypt" type="checkbox" aria-describedby="encrypt-hint" disabled autocomplete="off" />{' '}
        <span>{label}</span>
      </label>
      <p id="encrypt-hint" class="hint">
        {hint}
      </p>
    </div>
  );
}
