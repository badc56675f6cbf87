import type { ComponentChildren } from 'preact';
import { ButtonLink, Form, SubmitButton } from '../components/form.tsx';
import { renderPage } from '../components/layout.tsx';
import type { NavItem } from '../components/navigation.tsx';
import type { PageContext } from '../pageContext.ts';

type ConfirmationPage = {
  current: NavItem;
  /** A question that names what it is about. */
  title: string;
  /** What will happen, and whether it can be undone. */
  lead: string;
  /** Where the form is sent, and with which fields. */
  action: string;
  fields?: Record<string, string>;
  submit: string;
  isDangerous?: boolean;
  /** Where to go if the answer is no. */
  back: string;
  children?: ComponentChildren;
};

/** Asks before something is done. */
export function confirmationPage(
  page: PageContext,
  {
    current,
    title,
    lead,
    action,
    fields = {},
    submit,
    isDangerous = false,
    back,
    children,
  }: ConfirmationPage,
): string {
  return renderPage(page, {
    title,
    current,
    children: (
      <div class="card">
        <h1>{title}</h1>
        {children}
        <p>{lead}</p>
        <Form page={page} action={action} class="row">
          {Object.entries(fields).map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <SubmitButton class={isDangerous ? 'danger solid' : undefined} text={submit} />
          <ButtonLink class="secondary" href={page.path(back)} text={page.messages.layout.cancel} />
        </Form>
      </div>
    ),
  });
}
