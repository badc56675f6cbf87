import {
  type ConnectedProvider,
  maybeChatUserOf,
  type NoticePreferences,
  type SignedIn,
} from '../../../domain/index.ts';
import { locales, messagesOf } from '../../../locales/locales.ts';
import { accountPage } from '../../components/accountArea.tsx';
import { SuccessMessage } from '../../components/alerts.tsx';
import { Select } from '../../components/choices.tsx';
import { PasswordField, TextField } from '../../components/fields.tsx';
import { Form, SubmitButton } from '../../components/form.tsx';
import { NoticeFields } from '../../components/noticeFields.tsx';
import type { PageContext } from '../../pageContext.ts';
import { ChatAccount, Password } from './password.tsx';
import { ConnectedProviders } from './singleSignOn.tsx';

type GeneralPage = {
  signedIn: SignedIn;
  preferences: NoticePreferences;
  hasPassword: boolean;
  allowsPasswords: boolean;
  providers: ConnectedProvider[];
  /** How many API tokens the account has. */
  tokens: number;
  accountName: string;
  success?: string | undefined;
  problems?: Record<string, string>;
};
type SectionProps = GeneralPage & { page: PageContext; problems: Record<string, string> };

/** The general settings of the account. */
export function generalPage(page: PageContext, general: GeneralPage): string {
  const section = { page, problems: {}, ...general };
  return accountPage(page, {
    section: 'general',
    lead: page.messages.account.signedInAs(general.accountName),
    scripts: ['showTyped.js'],
    children: (
      <>
        <SuccessMessage text={general.success} />
        <Form page={page} action="/sign-out" class="field">
          <SubmitButton class="secondary" text={page.messages.layout.signOut} />
        </Form>
        <Language {...section} />
        <NoticeDefaults {...section} />
        <PasswordSection {...section} />
        {general.providers.length === 0 ? null : (
          <ConnectedProviders page={page} providers={general.providers} />
        )}
        <DeleteAccount {...section} />
      </>
    ),
  });
}

function PasswordSection(section: SectionProps) {
  const chatUser = maybeChatUserOf(section.signedIn.email);
  if (chatUser !== undefined) return <ChatAccount {...section} platform={chatUser.platform} />;
  return section.allowsPasswords ? <Password {...section} /> : null;
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
          label={account.showIn}
          value={signedIn.locale ?? ''}
          options={[{ value: '', text: account.languageOfBrowser }, ...options]}
        />
        <SubmitButton class="secondary" text={account.save} />
      </Form>
    </section>
  );
}

function NoticeDefaults({ page, preferences }: SectionProps) {
  const { account } = page.messages;
  return (
    <section>
      <h2>{account.noticesTitle}</h2>
      <Form page={page} action="/account/notices">
        <NoticeFields page={page} preferences={preferences} label={account.noticesLead} />
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
            problem={problems.deletion}
          />
        ) : null}
        <SubmitButton class="danger" text={account.delete} />
      </Form>
    </section>
  );
}
