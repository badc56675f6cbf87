import {
  type AccountSummary,
  type InstallationSummary,
  maybeChatUserOf,
  type PasswordLinkPurpose,
  type SignedIn,
} from '../../../domain/index.ts';
import { AccountArea } from '../../components/accountArea.tsx';
import { ErrorMessage, SuccessMessage } from '../../components/alerts.tsx';
import { ActionButton } from '../../components/form.tsx';
import { renderPage } from '../../components/layout.tsx';
import { List } from '../../components/list.tsx';
import { Time } from '../../components/time.tsx';
import type { PageContext } from '../../pageContext.ts';
import { accountLabel } from '../chatLabels.ts';
import { InstallationsSection } from './installations.tsx';

export type AdminPage = {
  accounts: AccountSummary[];
  installations: InstallationSummary[];
  /** The names of chat users, under the names of the accounts that are created for them. */
  names: Map<string, string>;
  signedIn: SignedIn;
  success?: string | undefined;
  problem?: string | undefined;
  /** A link that was just created, for the admin to hand over. */
  passwordLink?: { email: string; link: string; purpose: PasswordLinkPurpose };
};

/** The actions of an admin on an account. */
export const adminActions = ['subscribe', 'unsubscribe', 'disable', 'enable'] as const;

/** The accounts of this server, and the workspaces with its Slack app. */
export function adminPage(page: PageContext, admin: AdminPage): string {
  const { messages } = page;
  const { accounts, signedIn, names, success, problem } = admin;
  const labelOf = ({ email }: AccountSummary) => accountLabel(messages, email, names.get(email));
  return renderPage(page, {
    title: messages.admin.title,
    current: 'admin',
    isWide: true,
    children: (
      <AccountArea page={page} current="admin">
        <div class="card">
          <h1>{messages.admin.title}</h1>
          <p class="muted">{messages.admin.lead}</p>
          <SuccessMessage text={success} />
          <ErrorMessage text={problem} />
          {admin.passwordLink === undefined ? null : <PasswordLink page={page} {...admin.passwordLink} />}
          <List
            emptyText={messages.admin.none}
            items={accounts.map((account) => ({
              title: <bdi>{labelOf(account)}</bdi>,
              details: [
                ...(labelOf(account) === account.email ? [] : [account.email]),
                [
                  account.isAdmin ? messages.admin.isAdmin : '',
                  account.subscribed ? messages.admin.subscribed : '',
                  account.disabledAt === null ? '' : messages.admin.disabled,
                  account.signedUp ? messages.admin.signedUp : '',
                  account.hasPassword || maybeChatUserOf(account.email) ? '' : messages.admin.noPassword,
                ]
                  .filter((state) => state !== '')
                  .join(' · '),
                <>
                  {messages.admin.created}: <Time messages={messages} at={account.createdAt} />
                </>,
              ],
              actions: [...actionsFor(account, signedIn), ...passwordActionsFor(account)].map((action) => (
                <ActionButton
                  page={page}
                  action={`/admin/${action}`}
                  id={account.email}
                  text={messages.admin[action]}
                  label={messages.admin.actionOn(messages.admin[action], labelOf(account))}
                  {...(action === 'disable' && {
                    confirmation: { hint: messages.admin.disableHint, text: messages.admin.disable },
                  })}
                />
              )),
            }))}
          />
          {admin.installations.length === 0 ? null : <InstallationsSection page={page} {...admin} />}
        </div>
      </AccountArea>
    ),
  });
}

function PasswordLink({
  page,
  email,
  link,
  purpose,
}: { page: PageContext } & NonNullable<AdminPage['passwordLink']>) {
  const { passwordLink, passwordLinkHint } = page.messages.admin;
  return (
    <section role="status">
      <p>{passwordLink(email)}</p>
      <p>
        <code>{link}</code>
      </p>
      <p class="hint">{passwordLinkHint[purpose]}</p>
    </section>
  );
}

/** Accounts that chats created have no password. */
const passwordActionsFor = ({ email, disabledAt }: AccountSummary) =>
  maybeChatUserOf(email) === undefined && disabledAt === null ? (['password-link'] as const) : [];

function actionsFor({ email, subscribed, disabledAt }: AccountSummary, signedIn: SignedIn) {
  const isOwn = email === signedIn.email;
  return adminActions.filter(
    (action) =>
      ({
        subscribe: !subscribed,
        unsubscribe: subscribed,
        disable: disabledAt === null && !isOwn,
        enable: disabledAt !== null,
      })[action],
  );
}
