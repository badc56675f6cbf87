import type { Factors } from '../../../domain/index.ts';
import { cardPage } from '../../components/cardPage.tsx';
import { TextField } from '../../components/fields.tsx';
import { Form, SubmitButton } from '../../components/form.tsx';
import { PasskeyForm, passkeyScripts } from '../../components/passkeyForm.tsx';
import type { PageContext } from '../../pageContext.ts';

type SecondFactorPage = {
  factors: Factors;
  /** What a browser asks for a passkey of the account by. */
  passkeyOptions: object;
  next: string | undefined;
  problem?: string | undefined;
};

/** The second step of signing in, with what the account has. */
export function secondFactorPage(
  page: PageContext,
  { factors: { app, passkeys }, passkeyOptions, next, problem }: SecondFactorPage,
): string {
  const { secondFactor } = page.messages;
  const hasPasskey = passkeys.some(({ otherHost }) => otherHost === null);
  return cardPage(page, {
    title: secondFactor.title,
    problem,
    class: 'narrow',
    current: 'signIn',
    scripts: hasPasskey ? passkeyScripts : [],
    children: (
      <>
        {hasPasskey && (
          <PasskeyForm page={page} action="/second-factor" fields={{ next }} options={passkeyOptions}>
            <SubmitButton text={page.messages.passkeys.use} />
          </PasskeyForm>
        )}
        {app === undefined ? null : (
          <Form page={page} action="/second-factor" fields={{ next }}>
            <CodeField page={page} autofocus={!hasPasskey} />
            <SubmitButton text={secondFactor.submit} />
          </Form>
        )}
        <details>
          <summary>{recoveryTitle(page, passkeys.length > 0)}</summary>
          <Form page={page} action="/second-factor" fields={{ next }}>
            <RecoveryField page={page} name="recoveryCode" />
            <SubmitButton class="secondary" text={secondFactor.submit} />
          </Form>
        </details>
      </>
    ),
  });
}

/** What opens the field for a recovery code. */
export const recoveryTitle = ({ messages: { secondFactor } }: PageContext, hasPasskeys: boolean): string =>
  hasPasskeys ? secondFactor.recoveryTitleAny : secondFactor.recoveryTitle;

type CodeFieldProps = { page: PageContext; name?: string; autofocus?: boolean; problem?: string | undefined };

/** A field for the code of an authenticator app, which phones and browsers fill in. */
export const CodeField = ({ page, ...field }: CodeFieldProps) => (
  <TextField
    name="code"
    label={page.messages.secondFactor.code}
    hint={page.messages.secondFactor.codeHint}
    autocomplete="one-time-code"
    inputMode="numeric"
    maxLength={20}
    required
    {...field}
  />
);

/** A field for a recovery code, which is typed from paper. */
export const RecoveryField = ({ page, name }: { page: PageContext; name: string }) => (
  <TextField
    name={name}
    label={page.messages.secondFactor.recovery}
    hint={page.messages.secondFactor.recoveryHint}
    autocomplete="off"
    autocapitalize="none"
    spellcheck={false}
    maxLength={100}
    required
  />
);
