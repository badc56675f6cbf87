import type { ComponentChildren } from 'preact';
import { cardPage } from '../components/cardPage.tsx';
import { ButtonLink, Form, SubmitButton } from '../components/form.tsx';
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
  { lead, submit, isDangerous = false, back, children, current, title, ...form }: ConfirmationPage,
): string {
  return cardPage(page, {
    title,
    current,
    children: (
      <>
        {children}
        <p>{lead}</p>
        <Form page={page} {...form} class="row">
          <SubmitButton class={isDangerous ? 'danger solid' : undefined} text={submit} />
          <ButtonLink class="secondary" href={page.path(back)} text={page.messages.layout.cancel} />
        </Form>
      </>
    ),
  });
}
