import type { PageContext } from '../pageContext.ts';
import { type CardPage, cardPage } from './cardPage.tsx';
import { SectionNav } from './navigation.tsx';

/** The pages of an account, and those of an admin for all accounts. */
const paths = {
  profile: '/account',
  security: '/account/security',
  tokens: '/account/tokens',
  notices: '/account/notices',
  webhooks: '/account/webhooks',
  chats: '/account/chats',
  accounts: '/admin',
  workspaces: '/admin/installations',
  look: '/admin/look',
};
type Section = keyof typeof paths;

type AccountPage = Omit<CardPage, 'title' | 'current' | 'isWide' | 'nav'> & {
  section: Section;
  title?: string;
};

/** A page of the account or of an admin, beside the navigation between its sections. */
export function accountPage(page: PageContext, { section, ...card }: AccountPage): string {
  const { account, chats, tokens, webhooks, admin, layout } = page.messages;
  const isAdmin = ['accounts', 'workspaces', 'look'].includes(section);
  const names = isAdmin
    ? {
        accounts: admin.title,
        workspaces: admin.workspaces,
        ...(page.look.version !== '' && { look: admin.look.title }),
      }
    : {
        profile: account.profile,
        security: account.security,
        tokens: tokens.title,
        notices: account.noticesTitle,
        webhooks: webhooks.title,
        ...(page.chats.length > 0 && { chats: chats.title }),
      };
  const links = Object.entries(names).map(([name, text]) => ({ name, text, path: paths[name as Section] }));
  const label = isAdmin ? layout.admin : account.sections;
  return cardPage(page, {
    title: links.find(({ name }) => name === section)?.text ?? chats.title,
    current: isAdmin ? 'admin' : 'account',
    isWide: true,
    nav: <SectionNav page={page} label={label} current={section} links={links} />,
    ...card,
  });
}
