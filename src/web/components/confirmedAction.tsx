import type { ComponentChildren } from 'preact';

type ConfirmedActionProps = {
  text: string;
  /** Names the action and its object for screen readers. */
  label?: string | undefined;
  hint?: string;
  /** How its button looks. */
  class?: string;
  /** The form that acts. */
  children: ComponentChildren;
};

/** An action with consequences: the first press says what it does, and shows the button that does it. */
export function ConfirmedAction({
  text,
  label,
  hint,
  children,
  class: look = 'danger',
}: ConfirmedActionProps) {
  return (
    <details class="confirmed-action">
      <summary class={`button ${look}`} {...(label === undefined ? {} : { 'aria-label': label })}>
        {text}
      </summary>
      <div class="confirmation">
        {hint === undefined ? null : <p>{hint}</p>}
        {children}
      </div>
    </details>
  );
}
