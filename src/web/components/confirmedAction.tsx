import type { ComponentChildren } from 'preact';

type ConfirmedActionProps = {
  text: string;
  /** Names the action and its object for screen readers. */
  label?: string | undefined;
  hint: string;
  /** The form that acts. */
  children: ComponentChildren;
};

/** An action that cannot be undone: the first press says what it does, and shows the button that does it. */
export function ConfirmedAction({ text, label, hint, children }: ConfirmedActionProps) {
  return (
    <details class="confirmed-action">
      <summary class="button danger" {...(label === undefined ? {} : { 'aria-label': label })}>
        {text}
      </summary>
      <div class="confirmation">
        <p>{hint}</p>
        {children}
      </div>
    </details>
  );
}
