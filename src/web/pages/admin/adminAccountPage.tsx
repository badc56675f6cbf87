import type { ComponentChildren } from 'preact';
import {
  type AccountAct,
  type AccountSummary,
  maybeChatUserOf,
  type PasswordLinkPurpose,
  type SignedIn,
} from '../../../domain/index.ts';
import { accountPage } from '../../components/accountArea.tsx';
import { ErrorMessage, SuccessMessage } from '../../components/alerts.tsx';
import { OneTimeValue } from '../../components/copy.tsx';
import { ButtonLink, Form, SubmitButton } from '../../components/form.tsx';
import { List } from '../../components/list.tsx';
import { Time } from '../../components/time.tsx';
import type { PageContext } from '../../pageContext.ts';
import { StateChips } from './stateChips.tsx';

type AdminAccountPage = {
  account: AccountSummary;
  /** What the account is called: its address, or the chat user it was created for. */
  label: string;
  signedIn: SignedIn;
  acts: AccountAct[];
  success?: string | undefined;
  problem?: string | undefined;
  /** A link that was just created, for the admin to hand over. */
  passwordLink?: { link: string; purpose: PasswordLinkPurpose };
};
type SectionProps = AdminAccountPage & { page: PageContext };

/** What admins can change of an account. */
export const adminActions = ['subscribe', 'unsubscribe', 'enable', 'disable'] as const;
export type AdminAction = (typeof adminActions)[number];

/** The path of an account's page for admins. */
export const adminAccountPath = ({ id }: Pick<AccountSummary, 'id'>) =>
  `/admin/accounts/${id.toString('hex')}`;

/** An account as admins see it, and what they can do with it, the most dangerous last. */
export function adminAccountPage(page: PageContext, details: AdminAccountPage): string {
  const { messages } = page;
  const { admin } = messages;
  const { account, label, success, problem } = details;
  return accountPage(page, {
    section: 'accounts',
    back: { path: '/admin', text: admin.title },
    title: label,
    heading: <bdi>{label}</bdi>,
    scripts: ['copy.js'],
    children: (
      <>
        <SuccessMessage text={success} />
        <ErrorMessage text={problem} />
        <PasswordLink page={page} {...details} />
        <dl class="summary-list">
          <dt>{admin.columns.account}</dt>
          <dd>{account.email}</dd>
          <dt>{admin.columns.created}</dt>
          <dd>
            <Time messages={messages} at={account.createdAt} />
          </dd>
          <dt>{admin.columns.state}</dt>
          <dd>
            <StateChips messages={messages} account={account} />
          </dd>
        </dl>
        <Files page={page} {...details} />
        <Password page={page} {...details} />
        <Access page={page} {...details} />
        <Acts page={page} {...details} />
      </>
    ),
  });
}

function PasswordLink({ page, account, passwordLink }: SectionProps) {
  if (passwordLink === undefined) return null;
  const { admin } = page.messages;
  const { link, purpose } = passwordLink;
  return (
    <OneTimeValue
      page={page}
      label={admin.passwordLink(account.email)}
      value={link}
      copyText={page.messages.pushCreated.copyLink}
    >
      {admin.passwordLinkHint[purpose]}
    </OneTimeValue>
  );
}

function Files({ page, account }: SectionProps) {
  const { files, filesHint } = page.messages.admin;
  return (
    <section>
      <h2>{files}</h2>
      <p>{filesHint}</p>
      <Action page={page} account={account} action={account.subscribed ? 'unsubscribe' : 'subscribe'} />
    </section>
  );
}

/** Accounts that chats created have no password. */
function Password({ page, account }: SectionProps) {
  if (maybeChatUserOf(account.email) !== undefined || account.disabledAt !== null) return null;
  const { password, passwordHint } = page.messages.admin;
  return (
    <section>
      <h2>{password}</h2>
      <p>{passwordHint}</p>
      <Action page={page} account={account} action="password-link" />
    </section>
  );
}

function Access({ page, account, signedIn }: SectionProps) {
  const { access, own, actions } = page.messages.admin;
  const isOwn = account.id.equals(signedIn.id);
  return (
    <section>
      <h2>{access}</h2>
      {isOwn ? (
        <p>{own}</p>
      ) : account.disabledAt === null ? (
        <ButtonLink
          class="danger"
          href={page.path(`${adminAccountPath(account)}/disable`)}
          text={actions.disable}
        />
      ) : (
        <Action page={page} account={account} action="enable" />
      )}
    </section>
  );
}

function Acts({ page, acts }: SectionProps) {
  const { admin, chat } = page.messages;
  return (
    <section>
      <h2>{admin.acts}</h2>
      <List
        emptyText={admin.noActs}
        items={acts.map(({ kind, detail, actor, createdAt }) => ({
          title: `${chat.links.acts.kinds[kind]}${detail === null ? '' : ` (${detail})`}`,
          details: [
            <>
              {actor ?? admin.operator} · <Time messages={page.messages} at={createdAt} />
            </>,
          ],
        }))}
      />
    </section>
  );
}

type ActionProps = { page: PageContext; account: AccountSummary; action: AdminAction | 'password-link' };

function Action({ page, account, action }: ActionProps): ComponentChildren {
  return (
    <Form page={page} action={`${adminAccountPath(account)}/${action}`}>
      <SubmitButton class="secondary" text={page.messages.admin.actions[action]} />
    </Form>
  );
}
