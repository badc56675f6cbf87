import type { PasswordLinkPurpose, SignedIn } from '../../../domain/index.ts';
import { connectCommandOf, type Platform } from '../../../platforms.ts';
import { cardPage } from '../../components/cardPage.tsx';
import { Checkbox, ShowTyped } from '../../components/choices.tsx';
import { PasswordField } from '../../components/fields.tsx';
import { Form, SubmitButton } from '../../components/form.tsx';
import type { PageContext } from '../../pageContext.ts';

type PasswordProps = {
  page: PageContext;
  signedIn: SignedIn;
  hasPassword: boolean;
  tokens: number;
  hasRules: boolean;
  problems: Record<string, string>;
};

/** Changes the password, or sets the first one. */
export function Password({ page, signedIn, hasPassword, tokens, hasRules, problems }: PasswordProps) {
  const { account } = page.messages;
  return (
    <section>
      <h2>{account.passwordTitle}</h2>
      <Form page={page} action="/account/password">
        <input type="hidden" name="email" autocomplete="username" value={signedIn.email} />
        {hasPassword ? (
          <PasswordField page={page} name="current" label={account.current} problem={problems.current} />
        ) : null}
        <PasswordField page={page} name="next" isNew label={account.next} problem={problems.password} />
        <ShowTyped page={page} />
        {tokens === 0 && !hasRules ? null : (
          <Checkbox
            name="revokeTokens"
            label={hasRules ? account.revokeRules : account.revokeTokens(tokens)}
            checked
          />
        )}
        <SubmitButton class="secondary" text={account.change} />
      </Form>
    </section>
  );
}

type ChatAccountProps = { page: PageContext; platform: Platform; accountName: string };

/** Explains an account that a chat created: without an e-mail address nobody can sign in to it. */
export function ChatAccount({ page, platform, accountName }: ChatAccountProps) {
  const { chatAccountTitle, chatAccount } = page.messages.account;
  return (
    <section>
      <h2>{chatAccountTitle}</h2>
      <p>{chatAccount(accountName, connectCommandOf(platform))}</p>
    </section>
  );
}

type NewPasswordPage = {
  purpose: PasswordLinkPurpose;
  /** The path of the link. */
  action: string;
  email: string;
  problems: Record<string, string>;
};

/** Sets the password of an account, by a link. */
export function newPasswordPage(page: PageContext, link: NewPasswordPage): string {
  const { purpose, action, email, problems } = link;
  const { newPassword, account } = page.messages;
  return cardPage(page, {
    title: newPassword.title,
    lead: newPassword.lead(email),
    class: 'narrow',
    current: 'signIn',
    scripts: ['showTyped.js'],
    children: (
      <Form page={page} action={action}>
        <input type="hidden" name="email" autocomplete="username" value={email} />
        <PasswordField
          page={page}
          name="next"
          isNew
          label={account.next}
          autofocus
          problem={problems.password}
        />
        <ShowTyped page={page} />
        {purpose === 'reset' && <Checkbox name="revokeTokens" label={newPassword.revokeTokens} checked />}
        <SubmitButton text={newPassword.submit} />
      </Form>
    ),
  });
}
