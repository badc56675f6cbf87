import type { NoticePreferences } from '../../../domain/index.ts';
import { accountPage } from '../../components/accountArea.tsx';
import { Form, SubmitButton } from '../../components/form.tsx';
import { NoticeFields } from '../../components/noticeFields.tsx';
import type { PageContext } from '../../pageContext.ts';

type NoticesPage = { preferences: NoticePreferences; success: string | undefined };

/** What the account is notified of. */
export function noticesPage(page: PageContext, { preferences, success }: NoticesPage): string {
  const { account } = page.messages;
  return accountPage(page, {
    section: 'notices',
    success,
    children: (
      <Form page={page} action="/account/notices">
        <NoticeFields page={page} preferences={preferences} label={account.noticesLead} />
        <SubmitButton class="secondary" text={account.save} />
      </Form>
    ),
  });
}
