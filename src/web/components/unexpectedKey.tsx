import type { PageContext } from '../pageContext.ts';

/** Warns on the pages of a secret that is not encrypted, if the address has a key. Hidden until unexpectedKey.js finds one. */
export function UnexpectedKey({ page: { messages } }: { page: PageContext }) {
  return (
    <p id="unexpected-key" class="error" role="alert" hidden>
      {messages.secret.unexpectedKey}
    </p>
  );
}
