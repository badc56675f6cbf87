import type { ComponentChildren, JSX } from 'preact';
import type { PageContext } from '../pageContext.ts';

type FormProps = {
  page: PageContext;
  /** A path of the service. */
  action: string;
  /** What is sent besides, as it is. */
  fields?: Record<string, string | undefined>;
  children: ComponentChildren;
} & Pick<JSX.IntrinsicElements['form'], 'id' | 'class' | 'enctype' | 'hidden'>;

/** A form with its CSRF token, which must come before any file. */
export function Form({ page, action, fields = {}, children, ...attributes }: FormProps) {
  const hidden = Object.entries({ csrf: page.csrf(), ...fields });
  return (
    <form method="post" action={page.path(action)} {...attributes}>
      {hidden.map(([name, value]) =>
        value === undefined ? null : <input type="hidden" name={name} value={value} />,
      )}
      {children}
    </form>
  );
}

type SubmitButtonProps = JSX.IntrinsicElements['button'] & { text: string };

/** The button that sends its form. */
export const SubmitButton = ({ text, ...button }: SubmitButtonProps) => (
  <button type="submit" {...button}>
    {text}
  </button>
);

type ButtonLinkProps = {
  href: string;
  text: string;
  class?: string;
  'aria-label'?: string;
  hidden?: boolean;
};

/** A link that looks like a button; `class` says like which. */
export const ButtonLink = ({ text, class: look, ...link }: ButtonLinkProps) => (
  <a class={look === undefined ? 'button' : `button ${look}`} {...link}>
    {text}
  </a>
);

type ActionButtonProps = {
  page: PageContext;
  action: string;
  /** Sent as `id`: what the action is done to. */
  id: string;
  text: string;
  /** What is sent besides. */
  fields?: Record<string, string>;
  /** Names the action and its object for screen readers. */
  label: string;
  danger?: boolean;
  /** What to say before it is done, for what cannot be undone, and the text of the button that does it. */
  confirmation?: { hint: string; text: string };
};

/** A form that is a single button. */
export function ActionButton({ confirmation, danger = false, ...action }: ActionButtonProps) {
  if (confirmation === undefined) return <ButtonForm {...action} class={danger ? 'danger' : 'secondary'} />;
  const { text, label } = action;
  return (
    <ConfirmedAction text={text} label={label} hint={confirmation.hint}>
      <ButtonForm {...action} text={confirmation.text} class="danger solid" />
    </ConfirmedAction>
  );
}

type ButtonFormProps = Omit<ActionButtonProps, 'danger' | 'confirmation'> & { class: string };

function ButtonForm({ page, action, id, fields, text, label, ...button }: ButtonFormProps) {
  return (
    <Form page={page} action={action} fields={{ id, ...fields }}>
      <button type="submit" aria-label={label} {...button}>
        {text}
      </button>
    </Form>
  );
}

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
export const ConfirmedAction = ({ text, label, hint, children, ...action }: ConfirmedActionProps) => (
  <details class="confirmed-action">
    <summary class={`button ${action.class ?? 'danger'}`} aria-label={label}>
      {text}
    </summary>
    <div class="confirmation">
      {hint !== undefined && <p>{hint}</p>}
      {children}
    </div>
  </details>
);
