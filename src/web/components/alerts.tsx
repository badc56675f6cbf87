/** What went wrong with a whole form, or nothing. */
export function ErrorMessage({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <p class="error" role="alert">
      {text}
    </p>
  );
}

/** What was done, or nothing. */
export function SuccessMessage({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <p class="success" role="status">
      {text}
    </p>
  );
}
