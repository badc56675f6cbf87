import type { ComponentChildren } from 'preact';
import { AccountArea, type AccountSection } from '../../components/accountArea.tsx';
import { renderPage } from '../../components/layout.tsx';
import type { PageContext } from '../../pageContext.ts';

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
