import { cardPage, ErrorMessage } from '../../components/cardPage.tsx';
import { ShowTyped } from '../../components/choices.tsx';
import { EmailField, PasswordField } from '../../components/fields.tsx';
import { Form, SubmitButton } from '../../components/form.tsx';
import { PasskeyForm, passkeyScripts } from '../../components/passkeyForm.tsx';
import { ProviderButtons } from '../../components/providerButtons.tsx';
import type { PageContext } from '../../pageContext.ts';

/** What the form is shown with. */
export type SignInForm = {
  email?: string | undefined;
  next?: string | undefined;
  problem?: string;
  /** Whether a form was sent after its session had ended. */
  hasEnded?: boolean;
};

type SignInPage = SignInForm & {
  allowsSignUp: boolean;
  allowsPasswords: boolean;
  /** Whether a mail can bring a link for a new password. */
  sendsMail: boolean;
  /** The identity providers that sign people in. */
  providers: { name: string; label: string }[];
  /** What a browser asks for a passkey by that signs in alone, where one does. */
  passkeyOptions: object | undefined;
};

/** Signs in by an identity provider, with an e-mail address and a password, or with a passkey. */
export function signInPage(
  page: PageContext,
  {
    next,
    problem,
    hasEnded = false,
    allowsSignUp,
    allowsPasswords,
    sendsMail,
    providers,
    ...form
  }: SignInPage,
): string {
  const { signIn } = page.messages;
  return cardPage(page, {
    title: signIn.title,
    welcome: 'narrow',
    class: 'narrow',
    current: 'signIn',
    scripts: form.passkeyOptions === undefined ? ['showTyped.js'] : ['showTyped.js', ...passkeyScripts],
    children: (
      <>
        {hasEnded && <p class="warning">{signIn.ended}</p>}
        <ErrorMessage text={problem} />
        {providers.length > 0 && <ProviderButtons page={page} providers={providers} query={{ next }} />}
        {providers.length > 0 && allowsPasswords && <p class="muted">{page.messages.singleSignOn.or}</p>}
        {allowsPasswords && <PasswordForm page={page} next={next} {...form} />}
        {allowsPasswords && sendsMail && (
          <p class="form-footer">
            <a href={page.path('/reset')}>{page.messages.mailLinks.forgot}</a>
          </p>
        )}
        {allowsSignUp && (
          <p class="form-footer">
            {signIn.noAccount} <a href={pathWithNext(page, '/sign-up', next)}>{signIn.toSignUp}</a>
          </p>
        )}
      </>
    ),
  });
}

type PasswordFormProps = { page: PageContext } & Pick<SignInPage, 'email' | 'next' | 'passkeyOptions'>;

/** Signs in with an e-mail address and a password, or with a passkey. */
function PasswordForm({ page, email, next, passkeyOptions }: PasswordFormProps) {
  const { signIn, passkeys } = page.messages;
  return (
    <>
      <Form page={page} action="/sign-in" fields={{ next }}>
        <EmailField
          page={page}
          value={email}
          {...(passkeyOptions && { autocomplete: 'username webauthn' })}
        />
        <PasswordField page={page} name="password" label={signIn.password} />
        <ShowTyped page={page} />
        <SubmitButton text={signIn.submit} />
      </Form>
      {passkeyOptions && (
        <PasskeyForm
          page={page}
          action="/passkeys/sign-in"
          fields={{ next }}
          options={passkeyOptions}
          isOffered
        >
          <SubmitButton class="secondary" text={passkeys.use} />
        </PasskeyForm>
      )}
    </>
  );
}

type SignUpPage = {
  email?: string | undefined;
  next?: string | undefined;
  problem?: string | undefined;
  problems?: Record<string, string>;
};

/** Creates an account. */
export function signUpPage(page: PageContext, { email, next, problem, problems = {} }: SignUpPage): string {
  const { signIn, signUp } = page.messages;
  return cardPage(page, {
    title: signUp.title,
    lead: signUp.lead,
    problem,
    class: 'narrow',
    current: 'signIn',
    scripts: ['showTyped.js'],
    children: (
      <>
        <Form page={page} action="/sign-up" fields={{ next }}>
          <EmailField page={page} value={email} problem={problems.email} />
          <PasswordField
            page={page}
            name="password"
            isNew
            label={signIn.password}
            problem={problems.password}
          />
          <ShowTyped page={page} />
          <SubmitButton text={signUp.submit} />
        </Form>
        <p class="form-footer">
          {signUp.hasAccount} <a href={pathWithNext(page, '/sign-in', next)}>{signIn.title}</a>
        </p>
      </>
    ),
  });
}

/** The path of a sign-in page that leads on to `next`. */
export function pathWithNext({ path }: PageContext, target: string, next: string | undefined): string {
  return path(next === undefined ? target : `${target}?next=${encodeURIComponent(next)}`);
}
