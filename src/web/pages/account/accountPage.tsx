import type { ComponentChildren } from 'preact';
import { renderPage } from '../../components/layout.tsx';
import { SectionNav } from '../../components/navigation.tsx';
import type { PageContext } from '../../pageContext.ts';

type AccountPage = {
  section: 'general' | 'chats' | 'tokens' | 'webhooks' | 'sessions';
  lead?: string;
  scripts?: readonly string[];
  children: ComponentChildren;
};

/** A page of the account, below the navigation between its sections. */
export function accountPage(
  page: PageContext,
  { section, lead, scripts = [], children }: AccountPage,
): string {
  const { account, chats, tokens, webhooks, sessions } = page.messages;
  const links = [
    { name: 'general', path: '/account', text: account.general, title: account.title },
    { name: 'chats', path: '/account/chats', text: chats.title },
    { name: 'tokens', path: '/account/tokens', text: tokens.title },
    { name: 'webhooks', path: '/account/webhooks', text: webhooks.title },
    { name: 'sessions', path: '/account/sessions', text: sessions.title },
  ];
  const link = links.find(({ name }) => name === section);
  const title = link?.title ?? link?.text ?? account.title;
  return renderPage(page, {
    title,
    current: 'account',
    scripts,
    children: (
      <>
        <SectionNav page={page} label={account.sections} links={links} current={section} />
        <div class="card">
          <h1>{title}</h1>
          {lead === undefined ? null : <p class="muted">{lead}</p>}
          {children}
        </div>
      </>
    ),
  });
}
