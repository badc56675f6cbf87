import type { ConnectedProvider, ProofWays } from '../../../domain/index.ts';
import { cardPage } from '../../components/cardPage.tsx';
import { PasswordField } from '../../components/fields.tsx';
import { Form, SubmitButton } from '../../components/form.tsx';
import { PasskeyForm, passkeyScripts } from '../../components/passkeyForm.tsx';
import { ProviderButtons } from '../../components/providerButtons.tsx';
import type { Fields } from '../../forms.ts';
import type { PageContext } from '../../pageContext.ts';
import { CodeField, RecoveryField, recoveryTitle } from './secondFactor.tsx';

type StepUpPage = {
  ways: ProofWays;
  /** What a browser asks for a passkey of the account by. */
  passkeyOptions: object;
  /** Those that sign the account in. */
  providers: ConnectedProvider[];
  email: string;
  /** The form that waits: where it goes, and what was entered. */
  action: string;
  fields: Fields;
  /** The page with that form. */
  formPage: string;
  problem: string | undefined;
};

/** Asks who is there, and then goes on with the form that was sent: nothing that was entered is lost. */
export function stepUpPage(
  page: PageContext,
  { ways, passkeyOptions, providers, email, problem, formPage, ...form }: StepUpPage,
): string {
  const { stepUp, passkeys } = page.messages;
  const isAsked = ways.password || ways.recovery;
  return cardPage(page, {
    title: stepUp.title,
    lead: isAsked ? stepUp.lead : providers.length > 0 ? stepUp.atProvider : stepUp.elsewhere,
    problem,
    class: 'narrow',
    current: 'account',
    scripts: ways.passkey ? passkeyScripts : [],
    children: (
      <>
        {ways.password ? (
          <Form page={page} {...form}>
            <input type="hidden" autocomplete="username" value={email} />
            <PasswordField
              page={page}
              name="stepUpPassword"
              label={page.messages.signIn.password}
              autofocus
            />
            <SubmitButton text={stepUp.submit} />
          </Form>
        ) : null}
        {ways.passkey ? (
          <PasskeyForm page={page} {...form} name="stepUpPasskey" options={passkeyOptions}>
            <SubmitButton text={passkeys.use} />
          </PasskeyForm>
        ) : null}
        {ways.code ? (
          <Form page={page} {...form}>
            <CodeField page={page} name="stepUpCode" autofocus={!ways.passkey} />
            <SubmitButton text={stepUp.submit} />
          </Form>
        ) : null}
        {ways.recovery ? (
          <details>
            <summary>{recoveryTitle(page, !ways.code || ways.passkey)}</summary>
            <Form page={page} {...form}>
              <RecoveryField page={page} name="stepUpRecovery" />
              <SubmitButton class="secondary" text={stepUp.submit} />
            </Form>
          </details>
        ) : null}
        {ways.recovery ? null : (
          <Providers page={page} providers={providers} next={formPage} isOther={ways.password} />
        )}
        {isAsked || providers.length > 0 ? null : (
          <Form page={page} action="/sign-out">
            <SubmitButton class="secondary" text={page.messages.layout.signOut} />
          </Form>
        )}
      </>
    ),
  });
}

type ProvidersProps = {
  page: PageContext;
  providers: ConnectedProvider[];
  next: string;
  /** Whether there is another way. */
  isOther: boolean;
};

/** Each asks who is there, although it knows, and leads back to the page of the form. */
function Providers({ page, providers, next, isOther }: ProvidersProps) {
  const { stepUp } = page.messages;
  if (providers.length === 0) return null;
  return (
    <>
      {isOther && <p class="muted">{stepUp.orAtProvider}</p>}
      <ProviderButtons page={page} providers={providers} query={{ fresh: 'yes', next }} />
    </>
  );
}
