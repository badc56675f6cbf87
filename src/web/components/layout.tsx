import type { ComponentChildren } from 'preact';
import { render } from 'preact-render-to-string';
import { locales, messagesOf } from '../../locales/locales.ts';
import { assetPath, inlined } from '../assets.ts';
import type { PageContext } from '../pages/pageContext.ts';
import { Logo } from './logo.tsx';

/** Pages that strangers open show in one round trip, so styles and scripts stand in them; the others load files that browsers keep. */
const inlineStyles = inlined('base.css', 'retrieval.css');
const scripts = {
  step: inlined('confirm.js'),
  shown: inlined('copy.js', 'secret.js'),
  gone: inlined('copy.js'),
} as const;

type NavItem = 'make' | 'pushes' | 'account' | 'admin' | 'signIn';

type LayoutProps = {
  title: string;
  /** A page for whoever was sent a link: it needs nothing but itself, and says the same to every link previewer. */
  selfContained?: { script?: keyof typeof scripts };
  /** Nothing on the page leads away from it. */
  withoutLinks?: boolean;
  /** Files of `public/` that a page of ours runs, as modules. */
  scripts?: readonly string[];
  /** Which entry of the navigation this page is. */
  current?: NavItem;
  children: ComponentChildren;
};

/** Renders a whole page. Preact escapes whatever text it is given, so a page cannot forget to. */
export function renderPage(
  page: PageContext,
  { title, selfContained, withoutLinks = false, scripts: modules = [], current, children }: LayoutProps,
): string {
  const { locale, nonce, messages } = page;
  const html = (
    <html lang={locale} dir={messages.direction}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{selfContained ? title : `${title} · hushpush`}</title>
        {selfContained && <LinkPreviewTags {...page} />}
        <meta name="robots" content="noindex, nofollow, noarchive" />
        <meta name="theme-color" content="#f4f0e7" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#161512" media="(prefers-color-scheme: dark)" />
        <link rel="icon" href={page.path(assetPath('icon.svg'))} type="image/svg+xml" />
        <Inline tag="script" nonce={nonce} text="document.documentElement.classList.add('js')" />
        {selfContained ? (
          <Inline tag="style" nonce={nonce} text={inlineStyles} />
        ) : (
          ['base.css', 'app.css'].map((sheet) => (
            <link rel="stylesheet" href={page.path(assetPath(sheet))} nonce={nonce} />
          ))
        )}
      </head>
      <body>
        {withoutLinks || (
          <a class="unseen" href="#main">
            {messages.layout.toContent}
          </a>
        )}
        <header class="top">
          {withoutLinks ? (
            <span class="brand">
              <Logo /> hushpush
            </span>
          ) : (
            <a class="brand" href={page.path('/')}>
              <Logo /> hushpush
            </a>
          )}
          {selfContained ? null : <Navigation page={page} current={current} />}
        </header>
        <main id="main">{children}</main>
        <footer class="foot">
          <p>
            {messages.layout.about}{' '}
            {selfContained ? null : <a href={page.path('/docs')}>{messages.layout.docs}</a>}
          </p>
          {page.localeQuery && !withoutLinks && <Languages {...page} localeQuery={page.localeQuery} />}
        </footer>
        {(selfContained ? [] : ['times.js', ...modules]).map((name) => (
          <script type="module" src={page.path(assetPath(name))} nonce={nonce} />
        ))}
        {selfContained?.script && (
          <Inline tag="script" nonce={nonce} type="module" text={scripts[selfContained.script]} />
        )}
      </body>
    </html>
  );
  return `<!doctype html>${render(html)}`;
}

function Navigation({ page, current }: { page: PageContext; current: NavItem | undefined }) {
  const { messages, signedIn, path } = page;
  const items: [NavItem, string, string][] =
    signedIn === null
      ? [
          ['make', '/', messages.layout.newPush],
          ['signIn', '/sign-in', messages.layout.signIn],
        ]
      : [
          ['make', '/', messages.layout.newPush],
          ['pushes', '/pushes', messages.layout.pushes],
          ['account', '/account', messages.layout.account],
          ...(signedIn.isAdmin
            ? [['admin', '/admin', messages.layout.admin] as [NavItem, string, string]]
            : []),
        ];
  return (
    <nav class="nav" aria-label={messages.layout.nav}>
      {items.map(([item, to, text]) => (
        <a href={path(to)} {...(item === current ? { 'aria-current': 'page' as const } : {})}>
          {text}
        </a>
      ))}
    </nav>
  );
}

/** What chats draw of a link (The Open Graph protocol, ogp.me): the same for every push, and no address of it. */
function LinkPreviewTags({ messages, baseUrl }: PageContext) {
  const image = `${baseUrl}${assetPath('share.png')}`;
  return (
    <>
      <meta name="description" content={messages.linkPreview.description} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="hushpush" />
      <meta property="og:title" content={messages.linkPreview.title} />
      <meta property="og:description" content={messages.linkPreview.description} />
      <meta property="og:image" content={image} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}

function Languages({
  locale,
  messages,
  localeQuery,
}: PageContext & { localeQuery: NonNullable<PageContext['localeQuery']> }) {
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
              <a lang={other} hreflang={other} rel="nofollow" href={localeQuery(other)}>
                {messagesOf(other).language}
              </a>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}

type InlineProps = { tag: 'script' | 'style'; nonce: string; type?: string; text: string };

/** A text of our own, which must not be escaped: nothing that anybody sent may come in here. */
function Inline({ tag: Tag, text, ...attributes }: InlineProps) {
  return <Tag {...attributes} dangerouslySetInnerHTML={{ __html: text }} />;
}
