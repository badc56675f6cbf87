import { maybeChatUserOf, type SignedIn } from '../../../domain/index.ts';
import { Checkbox } from '../../components/choices.tsx';
import { TextField } from '../../components/fields.tsx';
import { Form } from '../../components/form.tsx';
import { NewPasswordField } from '../../components/newPasswordField.tsx';
import type { PageContext } from '../../pageContext.ts';
import { chats } from '../chatLabels.ts';

type PasswordProps = {
  page: PageContext;
  signedIn: SignedIn;
  hasPassword: boolean;
  tokens: number;
  problems: Record<string, string>;
};

/** Changes the password, or sets the first one. */
export function Password({ page, signedIn, hasPassword, tokens, problems }: PasswordProps) {
  const { account } = page.messages;
  return (
    <section>
      <h2>{account.passwordTitle}</h2>
      <Form page={page} action="/account/password">
        <input type="hidden" name="email" autocomplete="username" value={signedIn.email} />
        {hasPassword ? (
          <TextField
            name="current"
            label={account.current}
            type="password"
            autocomplete="current-password"
            required
            problem={problems.current}
          />
        ) : null}
        <NewPasswordField page={page} name="next" label={account.next} problem={problems.password} />
        {tokens === 0 ? null : <Checkbox name="revokeTokens" label={account.revokeTokens(tokens)} checked />}
        <button type="submit" class="secondary">
          {account.change}
        </button>
      </Form>
    </section>
  );
}

type ChatAccountProps = { page: PageContext; signedIn: SignedIn; accountName: string };

/** Explains an account that a chat created: without an e-mail address nobody can sign in to it. */
export function ChatAccount({ page, signedIn, accountName }: ChatAccountProps) {
  const { chatAccountTitle, chatAccount } = page.messages.account;
  const { platform = 'slack' } = maybeChatUserOf(signedIn.email) ?? {};
  return (
    <section>
      <h2>{chatAccountTitle}</h2>
      <p>{chatAccount(accountName, chats[platform].connectCommand)}</p>
    </section>
  );
}
