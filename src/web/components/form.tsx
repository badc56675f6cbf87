import type { ComponentChildren, JSX } from 'preact';
import type { PageContext } from '../pageContext.ts';
import { ConfirmedAction } from './confirmedAction.tsx';

type FormProps = { page: PageContext; action?: string; children: ComponentChildren } & Pick<
  JSX.IntrinsicElements['form'],
  'id' | 'class' | 'enctype'
>;

/** A form with its CSRF token, which must come before any file. `action` is a path of the service. */
export function Form({ page, action, children, ...attributes }: FormProps) {
  return (
    <form method="post" {...(action === undefined ? {} : { action: page.path(action) })} {...attributes}>
      <input type="hidden" name="csrf" value={page.csrf()} />
      {children}
    </form>
  );
}

type SubmitButtonProps = { text: string; class?: string | undefined };

/** The button that sends its form. */
export const SubmitButton = ({ text, ...button }: SubmitButtonProps) => (
  <button type="submit" {...button}>
    {text}
  </button>
);

type ButtonLinkProps = { href: string; text: string; class?: string; 'aria-label'?: string };

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

function ButtonForm({ page, action, id, fields = {}, text, label, ...button }: ButtonFormProps) {
  return (
    <Form page={page} action={action}>
      {Object.entries({ id, ...fields }).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <button type="submit" aria-label={label} {...button}>
        {text}
      </button>
    </Form>
  );
}
