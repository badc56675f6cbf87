import type { ComponentChildren } from 'preact';
import type { PageContext } from '../pageContext.ts';
import { renderPage } from './layout.tsx';
import { Area } from './navigation.tsx';

type AccountSection = 'general' | 'chats' | 'tokens' | 'webhooks' | 'sessions' | 'admin' | 'workspaces';

type AccountAreaProps = { page: PageContext; current: AccountSection; children: ComponentChildren };

/** The pages of an account, or those of an admin for all accounts, beside the navigation between them. */
export function AccountArea({ page, current, children }: AccountAreaProps) {
  const { account, chats, tokens, webhooks, sessions, admin, layout } = page.messages;
  const isAdmin = current === 'admin' || current === 'workspaces';
  return (
    <Area
      page={page}
      label={isAdmin ? layout.admin : account.sections}
      current={current}
      links={
        isAdmin
          ? [
              { name: 'admin', path: '/admin', text: admin.title },
              { name: 'workspaces', path: '/admin/installations', text: admin.workspaces },
            ]
          : [
              { name: 'general', path: '/account', text: account.general },
              { name: 'chats', path: '/account/chats', text: chats.title },
              { name: 'tokens', path: '/account/tokens', text: tokens.title },
              { name: 'webhooks', path: '/account/webhooks', text: webhooks.title },
              { name: 'sessions', path: '/account/sessions', text: sessions.title },
            ]
      }
    >
      {children}
    </Area>
  );
}

type AccountPage = {
  section: Exclude<AccountSection, 'admin' | 'workspaces'>;
  lead?: string;
  scripts?: readonly string[];
  children: ComponentChildren;
};

/** A page of the account, beside the navigation between its sections. */
export function accountPage(
  page: PageContext,
  { section, lead, scripts = [], children }: AccountPage,
): string {
  const { account, chats, tokens, webhooks, sessions } = page.messages;
  const { title } = { general: account, chats, tokens, webhooks, sessions }[section];
  return renderPage(page, {
    title,
    current: 'account',
    scripts,
    isWide: true,
    children: (
      <AccountArea page={page} current={section}>
        <div class="card">
          <h1>{title}</h1>
          {lead === undefined ? null : <p class="muted">{lead}</p>}
          {children}
        </div>
      </AccountArea>
    ),
  });
}
