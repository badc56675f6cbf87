import { maybeChatUserOf, type SignedIn } from '../../../domain/index.ts';
import { locales, messagesOf } from '../../../locales/locales.ts';
import { accountPage } from '../../components/accountArea.tsx';
import { Select } from '../../components/choices.tsx';
import { PasswordField, TextField } from '../../components/fields.tsx';
import { Form, SubmitButton } from '../../components/form.tsx';
import type { PageContext } from '../../pageContext.ts';
import { EmailAddress } from './mailLinks.tsx';

type ProfilePage = {
  signedIn: SignedIn;
  hasPassword: boolean;
  accountName: string;
  /** Whether the address was confirmed; undefined where there is no mail, or no address. */
  isVerified?: boolean | undefined;
  success?: string | undefined;
  problems?: Record<string, string>;
};
type SectionProps = ProfilePage & { page: PageContext; problems: Record<string, string> };

/** Whose account it is, its language, and its end. */
export function profilePage(page: PageContext, profile: ProfilePage): string {
  const section = { page, problems: {}, ...profile };
  return accountPage(page, {
    section: 'profile',
    lead: page.messages.account.signedInAs(profile.accountName),
    success: profile.success,
    children: (
      <>
        <Form page={page} action="/sign-out" class="field">
          <SubmitButton class="secondary" text={page.messages.layout.signOut} />
        </Form>
        {profile.isVerified !== undefined && (
          <EmailAddress
            page={page}
            email={profile.signedIn.email}
            isVerified={profile.isVerified}
            problem={section.problems.email}
          />
        )}
        <Language {...section} />
        <DeleteAccount {...section} />
      </>
    ),
  });
}

function Language({ page, signedIn }: SectionProps) {
  const { account } = page.messages;
  const options = locales.map((value) => ({ value, text: messagesOf(value).language }));
  return (
    <section>
      <h2>{account.language}</h2>
      <Form page={page} action="/account/language">
        <Select
          name="language"
          label={account.showIn(page.look.name)}
          value={signedIn.locale ?? ''}
          options={[{ value: '', text: account.languageOfBrowser }, ...options]}
        />
        <SubmitButton class="secondary" text={account.save} />
      </Form>
    </section>
  );
}

function DeleteAccount({ page, signedIn, hasPassword, problems }: SectionProps) {
  const { account } = page.messages;
  return (
    <section>
      <h2>{account.deleteTitle}</h2>
      <p>{account.deleteHint}</p>
      <Form page={page} action="/account/delete">
        <TextField
          name="confirm"
          label={
            maybeChatUserOf(signedIn.email) === undefined
              ? account.deleteConfirm
              : account.deleteConfirmName(signedIn.email)
          }
          autocomplete="off"
          required
          problem={problems.confirm}
        />
        {hasPassword ? (
          <PasswordField
            page={page}
            name="password"
            label={account.deletePassword}
            problem={problems.current}
          />
        ) : null}
        <SubmitButton class="danger" text={account.delete} />
      </Form>
    </section>
  );
}
