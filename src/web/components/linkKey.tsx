import type { PageContext } from '../pageContext.ts';

/** What nobody but the reader completes or corrects. */
export const typedExactly = {
  ...({ autocomplete: 'off', autocapitalize: 'none' } as const),
  ...{ spellcheck: false, required: true },
};

/** An input for the key of an encrypted push. It has no name, so that no form sends it; `describedBy` is the id of its hint. */
export function KeyInput({ describedBy }: { describedBy: string }) {
  return <input id="key" type="text" dir="ltr" {...typedExactly} aria-describedby={describedBy} />;
}

/** Warns on the pages of a secret that is not encrypted, if the address has a key. Hidden until unexpectedKey.js finds one. */
export function UnexpectedKey({ page: { messages } }: { page: PageContext }) {
  return (
    <p id="unexpected-key" class="error" role="alert" hidden>
      {messages.secret.unexpectedKey}
    </p>
  );
}
