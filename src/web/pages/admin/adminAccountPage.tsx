import {
  type AccountAct,
  type AccountSummary,
  maybeChatUserOf,
  type PasswordLinkPurpose,
  type SignedIn,
} from '../../../domain/index.ts';
import { accountPage } from '../../components/accountArea.tsx';
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
  /** Whether it has a second factor. */
  hasFactor: boolean;
  success?: string | undefined;
  problem?: string | undefined;
  /** A link that was just created, for the admin to hand over. */
  passwordLink?: { link: string; purpose: PasswordLinkPurpose };
};

/** What admins can change of an account. */
export const adminActions = ['subscribe', 'unsubscribe', 'enable', 'disable', 'remove-factors'] as const;
type AdminAction = (typeof adminActions)[number];

/** The path of an account's page for admins. */
export const adminAccountPath = ({ id }: Pick<AccountSummary, 'id'>) =>
  `/admin/accounts/${id.toString('hex')}`;

/** An account as admins see it, and what they can do with it, the most dangerous last. */
export function adminAccountPage(page: PageContext, details: AdminAccountPage): string {
  const { messages } = page;
  const { admin } = messages;
  const { account, label, signedIn, acts, hasFactor, success, problem, passwordLink } = details;
  const path = adminAccountPath(account);
  const isOwn = account.id.equals(signedIn.id);
  const isCreatedByChat = maybeChatUserOf(account.email) !== undefined; // and so has no password
  const action = (name: AdminAction | 'password-link') => (
    <Form page={page} action={`${path}/${name}`}>
      <SubmitButton class="secondary" text={admin.actions[name]} />
    </Form>
  );
  return accountPage(page, {
    section: 'accounts',
    back: { path: '/admin', text: admin.title },
    title: label,
    heading: <bdi>{label}</bdi>,
    ...{ success, problem },
    scripts: ['copy.js'],
    children: (
      <>
        {passwordLink && (
          <OneTimeValue
            page={page}
            label={admin.passwordLink(account.email)}
            value={passwordLink.link}
            copyText={messages.pushCreated.copyLink}
          >
            {admin.passwordLinkHint[passwordLink.purpose]}
          </OneTimeValue>
        )}
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
        <section>
          <h2>{admin.files}</h2>
          <p>{admin.filesHint}</p>
          {action(account.subscribed ? 'unsubscribe' : 'subscribe')}
        </section>
        {isCreatedByChat || account.disabledAt !== null || (
          <section>
            <h2>{admin.password}</h2>
            <p>{admin.passwordHint}</p>
            {action('password-link')}
          </section>
        )}
        {hasFactor && !isOwn && (
          <section>
            <h2>{messages.factors.title}</h2>
            <p>{admin.factorsHint}</p>
            <ButtonLink
              class="danger"
              href={page.path(`${path}/remove-factors`)}
              text={admin.actions['remove-factors']}
            />
          </section>
        )}
        <section>
          <h2>{admin.access}</h2>
          {isOwn ? (
            <p>{admin.own}</p>
          ) : account.disabledAt === null ? (
            <ButtonLink class="danger" href={page.path(`${path}/disable`)} text={admin.actions.disable} />
          ) : (
            action('enable')
          )}
        </section>
        <Acts page={page} acts={acts} />
      </>
    ),
  });
}

function Acts({ page, acts }: { page: PageContext; acts: AccountAct[] }) {
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
