import type { Factors } from '../../../domain/index.ts';
import { cardPage } from '../../components/cardPage.tsx';
import { TextField } from '../../components/fields.tsx';
import { Form, SubmitButton } from '../../components/form.tsx';
import type { PageContext } from '../../pageContext.ts';

type SecondFactorPage = { factors: Factors; next: string | undefined; problem?: string | undefined };

/** The second step of signing in, with what the account has. */
export function secondFactorPage(page: PageContext, { factors, next, problem }: SecondFactorPage): string {
  const { secondFactor } = page.messages;
  return cardPage(page, {
    title: secondFactor.title,
    problem,
    class: 'narrow',
    current: 'signIn',
    children: (
      <>
        {factors.app === undefined ? null : (
          <Form page={page} action="/second-factor" fields={{ next }}>
            <CodeField page={page} autofocus />
            <SubmitButton text={secondFactor.submit} />
          </Form>
        )}
        <details>
          <summary>{secondFactor.recoveryTitle}</summary>
          <Form page={page} action="/second-factor" fields={{ next }}>
            <RecoveryField page={page} name="recoveryCode" />
            <SubmitButton class="secondary" text={secondFactor.submit} />
          </Form>
        </details>
      </>
    ),
  });
}

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
