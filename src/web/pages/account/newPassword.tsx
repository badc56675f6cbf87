import type { PasswordLinkPurpose } from '../../../domain/index.ts';
import { Checkbox } from '../../components/choices.tsx';
import { Form } from '../../components/form.tsx';
import { renderPage } from '../../components/layout.tsx';
import { NewPasswordField } from '../../components/newPasswordField.tsx';
import type { PageContext } from '../../pageContext.ts';

type NewPasswordPage = {
  purpose: PasswordLinkPurpose;
  /** The path of the link. */
  action: string;
  email: string;
  problems: Record<string, string>;
};

/** Sets the password of an account, by a link. */
export function newPasswordPage(
  page: PageContext,
  { purpose, action, email, problems }: NewPasswordPage,
): string {
  const { newPassword, account } = page.messages;
  return renderPage(page, {
    title: newPassword.title,
    current: 'signIn',
    children: (
      <div class="card narrow">
        <h1>{newPassword.title}</h1>
        <p class="muted">{newPassword.lead(email)}</p>
        <Form page={page} action={action}>
          <input type="hidden" name="email" autocomplete="username" value={email} />
          <NewPasswordField
            page={page}
            name="next"
            label={account.next}
            autofocus
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
