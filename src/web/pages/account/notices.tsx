import type { Domain, NoticePreferences } from '../../../domain/index.ts';
import { accountPage } from '../../components/accountArea.tsx';
import { Form, SubmitButton } from '../../components/form.tsx';
import { MailFields, NoticeFields } from '../../components/noticeFields.tsx';
import { Time } from '../../components/time.tsx';
import type { PageContext } from '../../pageContext.ts';

type MailChoice = NonNullable<Awaited<ReturnType<Domain['mailLinks']['mailChoiceOf']>>>;

type NoticesPage = {
  preferences: NoticePreferences;
  /** Undefined where there is no mail, or no address. */
  byMail: MailChoice | 'unconfirmed' | undefined;
  success: string | undefined;
};

/** What the account is notified of, and what of that comes by mail. */
export function noticesPage(page: PageContext, { preferences, byMail, success }: NoticesPage): string {
  const { account } = page.messages;
  return accountPage(page, {
    section: 'notices',
    success,
    children: (
      <Form page={page} action="/account/notices">
        <NoticeFields page={page} preferences={preferences} label={account.noticesLead} />
        {byMail === 'unconfirmed' && (
          <p class="hint">
            {account.mailUnconfirmed} <a href={page.path('/account')}>{account.profile}</a>
          </p>
        )}
        {byMail !== undefined && byMail !== 'unconfirmed' && <ByMail page={page} choice={byMail} />}
        <SubmitButton class="secondary" text={account.save} />
      </Form>
    ),
  });
}

function ByMail({ page, choice }: { page: PageContext; choice: MailChoice }) {
  const { messages } = page;
  const { mailLead, mailHint, mailRefused } = messages.account;
  const { address, kinds, refusal } = choice;
  return (
    <>
      <MailFields page={page} label={mailLead(address)} hint={mailHint} kinds={kinds} />
      {refusal && (
        <p class="error">
          {mailRefused} <bdi>{refusal.refusal}</bdi> (<Time messages={messages} at={refusal.refusedAt} />)
        </p>
      )}
    </>
  );
}
