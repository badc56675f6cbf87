import type { ComponentChildren } from 'preact';
import type { PageContext } from '../pageContext.ts';
import { Area } from './navigation.tsx';

export type AccountSection =
  | 'general'
  | 'chats'
  | 'tokens'
  | 'webhooks'
  | 'sessions'
  | 'admin'
  | 'workspaces';

type AccountAreaProps = { page: PageContext; current: AccountSection; children: ComponentChildren };

/** The pages of an account, and for admins those of all accounts. */
export function AccountArea({ page, current, children }: AccountAreaProps) {
  const { account, chats, tokens, webhooks, sessions, admin } = page.messages;
  return (
    <Area
      page={page}
      label={account.sections}
      current={current}
      links={[
        { name: 'general', path: '/account', text: account.general },
        { name: 'chats', path: '/account/chats', text: chats.title },
        { name: 'tokens', path: '/account/tokens', text: tokens.title },
        { name: 'webhooks', path: '/account/webhooks', text: webhooks.title },
        { name: 'sessions', path: '/account/sessions', text: sessions.title },
        ...(page.signedIn?.isAdmin
          ? [
              { name: 'admin', path: '/admin', text: admin.title },
              { name: 'workspaces', path: '/admin/installations', text: admin.workspaces },
            ]
          : []),
      ]}
    >
      {children}
    </Area>
  );
}
