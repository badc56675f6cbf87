import type { PushState } from '../../domain/index.ts';
import { type Locale, locales, messagesOf } from '../../locales/locales.ts';
import type { PageContext } from '../pageContext.ts';
import { themes } from '../theme.ts';

/** The pages that the main navigation can mark as current. */
export type NavItem = 'newPush' | 'pushes' | 'account' | 'admin' | 'signIn';

type Links = readonly { name: string; path: string; text: string }[];

type NavigationProps = { page: PageContext; current: NavItem | undefined };

/** The main navigation, signed in or not. */
export function Navigation({ page, current }: NavigationProps) {
  const { newPush, signIn, pushes, account, admin, nav } = page.messages.layout;
  const ofAccount = [
    { name: 'pushes', path: '/pushes', text: pushes },
    { name: 'account', path: '/account', text: account },
  ];
  const links = [
    { name: 'newPush', path: '/', text: newPush },
    ...(page.signedIn === null ? [{ name: 'signIn', path: '/sign-in', text: signIn }] : ofAccount),
    ...(page.signedIn?.isAdmin ? [{ name: 'admin', path: '/admin', text: admin }] : []),
  ];
  return <LinkNav page={page} class="nav" label={nav} links={links} current={current} />;
}

type SectionNavProps = { page: PageContext; label: string; links: Links; current: string };

/** The navigation between the sections of one part of the site. */
export const SectionNav = (props: SectionNavProps) => <LinkNav class="nav section-nav" {...props} />;

type LinkNavProps = Omit<SectionNavProps, 'current'> & { class: string; current: string | undefined };

const LinkNav = ({ page, label, links, current, ...nav }: LinkNavProps) => (
  <nav {...nav} aria-label={label}>
    {links.map(({ name, path, text }) => (
      <a href={page.path(path)} aria-current={name === current ? 'page' : undefined}>
        {text}
      </a>
    ))}
  </nav>
);

type ChoicesProps = { page: PageContext; queryWith: NonNullable<PageContext['queryWith']> };

/** Links to the same page in the other languages. */
export function Languages({ page: { locale, messages }, queryWith }: ChoicesProps) {
  const choices = locales.map((lang) => ({
    ...{ lang, text: messagesOf(lang).language, isCurrent: lang === locale },
    href: queryWith({ locale: lang }),
  }));
  return <Choices label={messages.layout.languages} choices={choices} />;
}

/** Links to the same page in the other themes. */
export function Themes({ page: { theme, messages }, queryWith }: ChoicesProps) {
  const { label, ...names } = messages.themes;
  const choices = themes.map((other) => ({
    ...{ text: names[other], isCurrent: other === theme },
    href: queryWith({ theme: other }),
  }));
  return <Choices label={label} choices={choices} />;
}

type Choice = { text: string; isCurrent: boolean; href: string; lang?: Locale };

function Choices({ label, choices }: { label: string; choices: Choice[] }) {
  return (
    <nav aria-label={label}>
      <ul>
        {choices.map(({ text, isCurrent, href, lang }) => (
          <li>
            {isCurrent ? (
              <span lang={lang} aria-current="true">
                {text}
              </span>
            ) : (
              <a lang={lang} hreflang={lang} rel="nofollow" href={href}>
                {text}
              </a>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}

type PushSectionsProps = { page: PageContext; current: PushState | 'requests' };

/** The navigation between active pushes, expired pushes and requests. */
export function PushSections({ page, current }: PushSectionsProps) {
  const { states, stateNav, requests } = page.messages.pushes;
  return (
    <SectionNav
      page={page}
      label={stateNav}
      current={current}
      links={[
        { name: 'active', path: '/pushes', text: states.active },
        { name: 'expired', path: '/pushes?state=expired', text: states.expired },
        ...(page.chats.length > 0 ? [{ name: 'requests', path: '/requests', text: requests }] : []),
      ]}
    />
  );
}
