import { type AccountSummary, pageSize } from '../../../domain/index.ts';
import { accountPage } from '../../components/accountArea.tsx';
import { Checkbox } from '../../components/choices.tsx';
import { TextField } from '../../components/fields.tsx';
import { Form, SubmitButton } from '../../components/form.tsx';
import { Pagination, type Paging } from '../../components/list.tsx';
import { Time } from '../../components/time.tsx';
import type { PageContext } from '../../pageContext.ts';
import { accountLabel } from '../chatLabels.ts';
import { adminAccountPath } from './adminAccountPage.tsx';
import { StateChips } from './stateChips.tsx';

type AdminPage = Paging & {
  accounts: AccountSummary[];
  /** The names of chat users, under the names of the accounts that are created for them. */
  names: Map<string, string>;
  search: string;
  total: number;
  /** Whether an invitation can be mailed. */
  sendsMail: boolean;
  /** An address that could not be invited, and why not. */
  refused?: { email: string; problem: string };
};

/** The accounts of this server, with a search and pages. */
export function adminPage(page: PageContext, list: AdminPage): string {
  const { admin, pushes } = page.messages;
  const { search, total, refused, sendsMail } = list;
  return accountPage(page, {
    section: 'accounts',
    count: admin.total(total),
    lead: admin.lead,
    children: (
      <>
        <details open={refused !== undefined}>
          <summary>{admin.invite}</summary>
          <Form page={page} action="/admin/invite">
            <TextField
              name="email"
              label={admin.inviteEmail}
              hint={admin.inviteHint}
              type="email"
              required
              autocomplete="off"
              value={refused?.email}
              problem={refused?.problem}
            >
              <SubmitButton text={admin.invite} />
            </TextField>
            {sendsMail && <Checkbox name="mail" label={admin.inviteByMail} checked />}
          </Form>
        </details>
        <Search page={page} search={search} />
        {total === 0 ? (
          <p class="muted">{search === '' ? admin.none : admin.noneFound}</p>
        ) : (
          <AccountTable page={page} {...list} />
        )}
        <Pagination
          page={page}
          {...list}
          lastPage={Math.ceil(total / pageSize)}
          texts={[pushes.previous, pushes.next]}
          pathOf={(number) =>
            `/admin?${new URLSearchParams({ ...(search !== '' && { search }), page: String(number) })}`
          }
        />
      </>
    ),
  });
}

function Search({ page: { messages, path }, search }: { page: PageContext; search: string }) {
  const { admin } = messages;
  return (
    <form class="field" action={path('/admin')}>
      <label for="search">{admin.search}</label>
      <div class="row search">
        <input id="search" name="search" type="search" value={search} />
        <SubmitButton class="secondary" text={admin.searchSubmit} />
        {search === '' ? null : <a href={path('/admin')}>{admin.clear}</a>}
      </div>
    </form>
  );
}

function AccountTable({ page, accounts, names }: { page: PageContext } & AdminPage) {
  const { messages, path } = page;
  const { columns, open } = messages.admin;
  return (
    <table class="push-table">
      <thead>
        <tr>
          <th scope="col">{columns.account}</th>
          <th scope="col">{columns.state}</th>
          <th scope="col">{columns.created}</th>
        </tr>
      </thead>
      <tbody>
        {accounts.map((account) => {
          const label = accountLabel(messages, account.email, names.get(account.email));
          return (
            <tr>
              <th scope="row">
                <a href={path(adminAccountPath(account))} aria-label={open(label)}>
                  <bdi>{label}</bdi>
                </a>
                {label === account.email ? null : <p class="hint">{account.email}</p>}
              </th>
              <td>
                <StateChips messages={messages} account={account} />
              </td>
              <td class="small" data-label={columns.created}>
                <Time messages={messages} at={account.createdAt} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
