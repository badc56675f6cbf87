import type { ComponentChildren, JSX } from 'preact';
import type { PageContext } from '../pageContext.ts';

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

type ActionButtonProps = {
  page: PageContext;
  action: string;
  /** Sent as `id`: what the action is done to. */
  id: string;
  text: string;
  /** Names the action and its object for screen readers. */
  label: string;
  danger?: boolean;
};

/** A form that is a single button. */
export function ActionButton({ page, action, id, text, label, danger = false }: ActionButtonProps) {
  return (
    <Form page={page} action={action}>
      <input type="hidden" name="id" value={id} />
      <button type="submit" class={danger ? 'danger' : 'secondary'} aria-label={label}>
        {text}
      </button>
    </Form>
  );
}
