import type { PasswordLinkPurpose } from '../../../domain/index.ts';
import { Checkbox } from '../../components/choices.tsx';
import { TextField } from '../../components/fields.tsx';
import { Form } from '../../components/form.tsx';
import { renderPage } from '../../components/layout.tsx';
import type { PageContext } from '../../pageContext.ts';

type NewPasswordPage = {
  purpose: PasswordLinkPurpose;
  /** The path of the link. */
  action: string;
  email: string;
  problems: Record<string, string>;
};

/** Sets the password of an account, for whoever has the link. */
export function newPasswordPage(
  page: PageContext,
  { purpose, action, email, problems }: NewPasswordPage,
): string {
  const { newPassword, account, signUp } = page.messages;
  return renderPage(page, {
    title: newPassword.title,
    current: 'signIn',
    children: (
      <div class="card narrow">
        <h1>{newPassword.title}</h1>
        <p class="muted">{newPassword.lead(email)}</p>
        <Form page={page} action={action}>
          <input type="hidden" name="email" autocomplete="username" value={email} />
          <TextField
            name="next"
            label={account.next}
            type="password"
            autocomplete="new-password"
            minLength={12}
            required
            autofocus
            hint={signUp.passwordHint}
            problem={problems.password}
          />
          {purpose === 'reset' ? (
            <Checkbox name="revokeTokens" label={newPassword.revokeTokens} checked />
          ) : null}
          <button type="submit">{newPassword.submit}</button>
        </Form>
      </div>
    ),
  });
}
