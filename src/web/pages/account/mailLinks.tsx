import { cardPage } from '../../components/cardPage.tsx';
import { ShowTyped } from '../../components/choices.tsx';
import { EmailField, PasswordField, TextField } from '../../components/fields.tsx';
import { Form, SubmitButton } from '../../components/form.tsx';
import { renderPage } from '../../components/layout.tsx';
import type { PageContext } from '../../pageContext.ts';
import { HoldButton, WordInstead } from '../confirm.tsx';

type AddressProps = { page: PageContext; email: string; isVerified: boolean; problem: string | undefined };

/** Whether the address of the account was confirmed, and how to have another one. */
export function EmailAddress({ page, email, isVerified, problem }: AddressProps) {
  const texts = page.messages.mailLinks;
  return (
    <section>
      <h2>{texts.addressTitle}</h2>
      <p>{isVerified ? texts.verified(email) : texts.unverified(email)}</p>
      {isVerified ? null : (
        <Form page={page} action="/account/address" fields={{ email }}>
          <SubmitButton class="secondary" text={texts.send} />
        </Form>
      )}
      <Form page={page} action="/account/address">
        <TextField
          name="email"
          type="email"
          label={texts.changeTo}
          hint={texts.changeHint}
          autocomplete="off"
          required
          problem={problem}
        />
        <SubmitButton class="secondary" text={texts.change} />
      </Form>
    </section>
  );
}

type ConfirmAddressPage = {
  action: string;
  from: string;
  to: string;
  /** What those type who cannot hold the button. */
  word: string;
  problem?: string | undefined;
};

/**
 * What a link to an address does, with the button that does it, which has to be held: opening it does nothing, since programs
 * open links in mails, and press what they find.
 */
export function confirmAddressPage(
  page: PageContext,
  { action, from, to, word, problem }: ConfirmAddressPage,
): string {
  const texts = page.messages.mailLinks;
  const { holdHint } = page.messages.confirm;
  return renderPage(page, {
    title: texts.confirmTitle,
    selfContained: 'confirmAddress',
    children: (
      <div class="card confirm">
        <h1>{texts.confirmTitle}</h1>
        <p class="muted lead">{from === to ? texts.confirmOwn(to) : texts.confirmOther(from, to)}</p>
        {problem === undefined ? null : (
          <p id="problem" class="error" role="alert">
            {problem}
          </p>
        )}
        <Form page={page} action={action}>
          <HoldButton page={page} texts={{ ...texts.step, holdHint }} />
          <WordInstead
            page={page}
            confirm={{ word, problem, prefersWord: problem !== undefined }}
            texts={{ typeWord: texts.step.typeWord, show: texts.confirm }}
          />
        </Form>
      </div>
    ),
  });
}

/** What ends the notices to an address, with the button that does it: opening it does nothing. */
export function unsubscribePage(page: PageContext, action: string): string {
  const { title, lead, submit } = page.messages.unsubscribe;
  return cardPage(page, {
    title,
    lead,
    class: 'narrow',
    children: (
      <form method="post" action={page.path(action)}>
        <input type="hidden" name="List-Unsubscribe" value="One-Click" />
        <SubmitButton text={submit} />
      </form>
    ),
  });
}

type AskPage = { action: '/reset' | '/sign-up'; email?: string | undefined; problem?: string | undefined };

/** Asks for the address that a link goes to. */
export function askForLinkPage(page: PageContext, { action, email, problem }: AskPage): string {
  const { mailLinks: texts, signUp } = page.messages;
  const isReset = action === '/reset';
  return cardPage(page, {
    title: isReset ? texts.resetTitle : signUp.title,
    lead: isReset ? texts.resetLead : texts.signUpLead,
    class: 'narrow',
    current: 'signIn',
    children: (
      <Form page={page} action={action}>
        <EmailField page={page} value={email} problem={problem} />
        <SubmitButton text={isReset ? texts.resetSubmit : texts.signUpSubmit} />
      </Form>
    ),
  });
}

type SignUpByLink = { action: string; email: string; problem?: string | undefined };

/** Sets the password of an account that is created with it. */
export function signUpByLinkPage(page: PageContext, { action, email, problem }: SignUpByLink): string {
  const { mailLinks: texts, signIn, signUp } = page.messages;
  return cardPage(page, {
    title: texts.signUpTitle,
    lead: texts.signUpWith(email),
    class: 'narrow',
    current: 'signIn',
    scripts: ['showTyped.js'],
    children: (
      <Form page={page} action={action}>
        <input type="hidden" name="email" autocomplete="username" value={email} />
        <PasswordField page={page} name="password" isNew label={signIn.password} problem={problem} />
        <ShowTyped page={page} />
        <SubmitButton text={signUp.submit} />
      </Form>
    ),
  });
}
