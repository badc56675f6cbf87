import { locales, messagesOf } from '../../locales/locales.ts';
import type { PageContext } from '../pageContext.ts';
import { themes } from '../theme.ts';

/** The pages that the main navigation can mark as current. */
export type NavItem = 'newPush' | 'pushes' | 'account' | 'admin' | 'signIn';

type Link<Name extends string> = { name: Name; path: string; text: string };

type NavigationProps = { page: PageContext; current: NavItem | undefined };

/** The main navigation, signed in or not. */
export function Navigation({ page, current }: NavigationProps) {
  const { signedIn } = page;
  const { newPush, signIn, pushes, account, admin, nav } = page.messages.layout;
  const links: Link<NavItem>[] = [{ name: 'newPush', path: '/', text: newPush }];
  if (signedIn === null) links.push({ name: 'signIn', path: '/sign-in', text: signIn });
  else
    links.push(
      { name: 'pushes', path: '/pushes', text: pushes },
      { name: 'account', path: '/account', text: account },
    );
  if (signedIn?.isAdmin) links.push({ name: 'admin', path: '/admin', text: admin });
  return (
    <nav class="nav" aria-label={nav}>
      <Links page={page} links={links} current={current} />
    </nav>
  );
}

type SectionNavProps = {
  page: PageContext;
  label: string;
  links: readonly Link<string>[];
  current: string;
};

/** The navigation between the sections of one part of the site. */
export function SectionNav({ page, label, links, current }: SectionNavProps) {
  return (
    <nav class="nav section-nav" aria-label={label}>
      <Links page={page} links={links} current={current} />
    </nav>
  );
}

type LinksProps = { page: PageContext; links: readonly Link<string>[]; current: string | undefined };

function Links({ page, links, current }: LinksProps) {
  return links.map(({ name, path, text }) => (
    <a href={page.path(path)} {...(name === current ? { 'aria-current': 'page' as const } : {})}>
      {text}
    </a>
  ));
}

type ChoicesProps = { page: PageContext; queryWith: NonNullable<PageContext['queryWith']> };

/** Links to the same page in the other languages. */
export function Languages({ page: { locale, messages }, queryWith }: ChoicesProps) {
  return (
    <nav aria-label={messages.layout.languages}>
      <ul>
        {locales.map((other) => (
          <li>
            {other === locale ? (
              <span lang={other} aria-current="true">
                {messagesOf(other).language}
              </span>
            ) : (
              <a lang={other} hreflang={other} rel="nofollow" href={queryWith({ locale: other })}>
                {messagesOf(other).language}
              </a>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Links to the same page in the other themes. */
export function Themes({ page: { theme, messages }, queryWith }: ChoicesProps) {
  const { label, ...names } = messages.themes;
  return (
    <nav aria-label={label}>
      <ul>
        {themes.map((other) => (
          <li>
            {other === theme ? (
              <span aria-current="true">{names[other]}</span>
            ) : (
              <a rel="nofollow" href={queryWith({ theme: other })}>
                {names[other]}
              </a>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}
