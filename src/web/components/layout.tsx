import type { ComponentChildren } from 'preact';
import { render } from 'preact-render-to-string';
import { assetPath, inlined } from '../assets.ts';
import type { PageContext } from '../pageContext.ts';
import { styleFor } from '../theme.ts';
import { Logo } from './logo.tsx';
import { FooterLinks, OwnLogo, OwnSentence, shareImageOf, stylesOf, Welcome } from './look.tsx';
import { Languages, type NavItem, Navigation, Themes } from './navigation.tsx';

/** Pages that recipients open render in one round trip, so they contain their styles and scripts, and no others. */
const selfContainedPages = {
  confirm: { styles: 'step.css', script: 'confirm.js' },
  confirmAddress: { styles: 'step.css', script: 'confirm.js' },
  confirmEncrypted: { styles: 'step.css', script: 'confirmEncrypted.js' },
  secret: { styles: 'secret.css', script: 'secret.js' },
  encryptedSecret: { styles: 'secret.css', script: 'encryptedSecret.js' },
  gone: { styles: 'gone.css', script: 'gone.js' },
  locked: { styles: 'gone.css', script: 'locked.js' },
  message: { styles: 'message.css', script: undefined },
  answer: { styles: 'answer.css', script: 'answer.js' },
  receipt: { styles: 'answer.css', script: undefined },
  answerFiles: { styles: 'answer.css', script: 'answerFiles.js' },
  answerSealed: { styles: 'answer.css', script: 'answerSealed.js' },
  answerSealedFiles: { styles: 'answer.css', script: 'answerSealedFiles.js' },
} as const;

/**
 * A page is painted when all of it was read, so that nothing moves when its rest arrives (HTML Standard, link type "expect").
 * The page of a secret, which may be long, is painted as it arrives.
 */
const paintedWhole = { rel: 'expect', href: '#footer', blocking: 'render' };

type LinkPreview = { title: string; description: string };

export type LayoutProps = {
  title: string;
  /** A page for recipients: it loads nothing else, and link previewers get the same tags for every push. */
  selfContained?: keyof typeof selfContainedPages;
  /** What link previewers get of it, if not what they get of a push. */
  linkPreview?: LinkPreview | undefined;
  /** Leaves out every link, for a page that its reader must not lose by accident. */
  withoutLinks?: boolean;
  /** Scripts in `public/` that the page loads. */
  scripts?: readonly string[];
  /** Shows what the operator says to people who come, as wide as the card below it. */
  welcome?: 'wide' | 'narrow' | undefined;
  current?: NavItem;
  /** Uses the width of large screens, for tables and pages with a side navigation. */
  isWide?: boolean;
  children: ComponentChildren;
};

/** Renders a whole page. Preact escapes every text. */
export function renderPage(page: PageContext, layout: LayoutProps): string {
  const { title, selfContained, withoutLinks = false, scripts = [], current, isWide, children } = layout;
  const { locale, theme, nonce, messages, look } = page;
  const ownStyles = stylesOf(look, theme);
  const inline = selfContained && selfContainedPages[selfContained];
  const html = (
    <html lang={locale} dir={messages.direction}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{selfContained ? title : `${title} · ${look.name}`}</title>
        {selfContained && selfContained !== 'confirmAddress' && <LinkPreviewTags page={page} {...layout} />}
        <meta name="robots" content="noindex, nofollow, noarchive" />
        <ThemeColor {...page} />
        <Icon page={page} />
        {withoutLinks ? <meta name="google" content="notranslate" /> : <link {...paintedWhole} />}
        <Inline tag="script" nonce={nonce} text={inlined('start.js')} />
        {inline ? (
          <Inline tag="style" nonce={nonce} text={inlined(styleFor(theme, inline.styles))} />
        ) : (
          <link rel="stylesheet" href={page.path(assetPath(styleFor(theme, 'pages.css')))} nonce={nonce} />
        )}
        {ownStyles && <Inline tag="style" nonce={nonce} text={ownStyles} />}
      </head>
      <body class={isWide ? 'wide' : undefined}>
        {withoutLinks || (
          <a class="visually-hidden" href="#main">
            {messages.layout.toContent}
          </a>
        )}
        <header class="site-header">
          <Brand page={page} href={withoutLinks ? undefined : page.path('/')} />
          {selfContained ? null : <Navigation page={page} current={current} />}
        </header>
        <main id="main">
          {layout.welcome && <Welcome page={page} isNarrow={layout.welcome === 'narrow'} />}
          {children}
        </main>
        <Footer page={page} {...layout} />
        {(selfContained ? [] : ['times.js', ...scripts]).map((name) => (
          <script type="module" src={page.path(assetPath(name))} nonce={nonce} />
        ))}
        {inline?.script && <Inline tag="script" nonce={nonce} type="module" text={inlined(inline.script)} />}
      </body>
    </html>
  );
  return `<!doctype html>${render(html)}`;
}

/** What stands in the tab of a browser. */
function Icon({ page: { look, path } }: { page: PageContext }) {
  const { path: address, type } = look.icon ?? { path: assetPath('icon.svg'), type: 'image/svg+xml' };
  return <link rel="icon" href={path(address)} type={type} />;
}

/** The foot of a page: what this is, and ways to other pages, languages and themes, unless the page must not be lost. */
function Footer({ page, selfContained, withoutLinks }: LayoutProps & { page: PageContext }) {
  const { messages, look, queryWith } = page;
  return (
    <footer class="site-footer" id="footer">
      <p>
        {look.footer ? <OwnSentence page={page} text={look.footer} /> : messages.layout.about}{' '}
        {selfContained ? null : (
          <>
            <a href={page.path('/docs')}>{messages.layout.docs}</a>{' '}
            <a href={page.path('/support')}>{messages.support.title}</a>{' '}
          </>
        )}
        {withoutLinks ? null : <a href={page.path('/privacy')}>{messages.privacy.title}</a>}
        {withoutLinks || <FooterLinks page={page} />}
      </p>
      {queryWith && !withoutLinks && (
        <>
          {selfContained ? null : <Themes page={page} queryWith={queryWith} />}
          <Languages page={page} queryWith={queryWith} />
        </>
      )}
    </footer>
  );
}

/** The name of the service, with a link to an address. */
function Brand({ page, href }: { page: PageContext; href: string | undefined }) {
  const { look } = page;
  const Tag = href === undefined ? 'span' : 'a';
  return (
    <Tag class="brand" href={href}>
      {look.logo ? <OwnLogo page={page} logo={look.logo} /> : <Logo />} {look.nameInLogo ? null : look.name}
    </Tag>
  );
}

/** The colour that browsers give their bars: the first one that applies. */
function ThemeColor({ theme, look: { palettes } }: Pick<PageContext, 'theme' | 'look'>) {
  const media = theme === 'system' ? '(prefers-color-scheme: dark)' : undefined;
  return (
    <>
      {theme === 'light' || <meta name="theme-color" content={palettes.dark.background} media={media} />}
      {theme === 'dark' || <meta name="theme-color" content={palettes.light.background} />}
    </>
  );
}

/** What chats show of a link (The Open Graph protocol, ogp.me). Equal for all pushes, and for all requests; without the address. */
function LinkPreviewTags({ page, linkPreview }: Pick<LayoutProps, 'linkPreview'> & { page: PageContext }) {
  const { locale, messages, baseUrl, look } = page;
  const ofPush = { ...messages.linkPreview, ...(look.shareTitle && { title: look.shareTitle[locale].text }) };
  const { title, description } = linkPreview ?? ofPush;
  const image = shareImageOf(look);
  return (
    <>
      <meta name="description" content={description} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={look.name} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      {image && (
        <>
          <meta property="og:image" content={`${baseUrl}${image.path}`} />
          <meta property="og:image:width" content={String(image.width)} />
          <meta property="og:image:height" content={String(image.height)} />
          <meta name="twitter:card" content="summary_large_image" />
        </>
      )}
    </>
  );
}

type InlineProps = { tag: 'script' | 'style'; nonce: string; type?: string; text: string };

/** Unescaped text: only for files of this service, never for anything that a user sent. */
function Inline({ tag: Tag, text, ...attributes }: InlineProps) {
  return <Tag {...attributes} dangerouslySetInnerHTML={{ __html: text }} />;
}
