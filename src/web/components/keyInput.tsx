/** An input for the key of an encrypted push. It has no name, so that no form sends it; `describedBy` is the id of its hint. */
export function KeyInput({ describedBy }: { describedBy: string }) {
  return (
    <input
      id="key"
      type="text"
      dir="ltr"
      autocomplete="off"
      autocapitalize="none"
      spellcheck={false}
      required
      aria-describedby={describedBy}
    />
  );
}
