import type { ComponentChildren } from 'preact';
import { render } from 'preact-render-to-string';
import { assetPath, inlined } from '../assets.ts';
import { locales, wordsOf } from '../locales/locales.ts';
import { Mark } from './logo.tsx';
import type { Frame } from './pageContext.ts';

/** Pages that strangers open show in one round trip, so styles and scripts stand in them; the others load files that browsers keep. */
const inlineStyles = inlined('base.css', 'retrieval.css');
const scripts = {
  step: inlined('confirm.js'),
  shown: inlined('copy.js', 'secret.js'),
  gone: inlined('copy.js'),
} as const;

type Place = 'make' | 'pushes' | 'account' | 'admin' | 'signIn';

type Layout = {
  title: string;
  /** A page for whoever was sent a link: it needs nothing but itself, and says the same to every link previewer. */
  shared?: { script?: keyof typeof scripts };
  /** Nothing on the page leads away from it. */
  keepsReader?: boolean;
  /** Files of `public/` that a page of ours runs, as modules. */
  scripts?: readonly string[];
  /** Which entry of the navigation this page is. */
  here?: Place;
  children: ComponentChildren;
};

/** Renders a whole page. Preact escapes whatever text it is given, so a page cannot forget to. */
export function renderPage(
  frame: Frame,
  { title, shared, keepsReader = false, scripts: loaded = [], here, children }: Layout,
): string {
  const { locale, nonce, words } = frame;
  const page = (
    <html lang={locale} dir={words.direction}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{shared ? title : `${title} · hushpush`}</title>
        {shared && <ShareCard {...frame} />}
        <meta name="robots" content="noindex, nofollow, noarchive" />
        <meta name="theme-color" content="#f4f0e7" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#161512" media="(prefers-color-scheme: dark)" />
        <link rel="icon" href={frame.path(assetPath('icon.svg'))} type="image/svg+xml" />
        <Inline tag="script" nonce={nonce} text="document.documentElement.classList.add('js')" />
        {shared ? (
          <Inline tag="style" nonce={nonce} text={inlineStyles} />
        ) : (
          ['base.css', 'app.css'].map((sheet) => (
            <link rel="stylesheet" href={frame.path(assetPath(sheet))} nonce={nonce} />
          ))
        )}
      </head>
      <body>
        {keepsReader || (
          <a class="unseen" href="#main">
            {words.frame.toContent}
          </a>
        )}
        <header class="top">
          {keepsReader ? (
            <span class="brand">
              <Mark /> hushpush
            </span>
          ) : (
            <a class="brand" href={frame.path('/')}>
              <Mark /> hushpush
            </a>
          )}
          {shared ? null : <Navigation frame={frame} here={here} />}
        </header>
        <main id="main">{children}</main>
        <footer class="foot">
          <p>
            {words.frame.about} {shared ? null : <a href={frame.path('/docs')}>{words.frame.docs}</a>}
          </p>
          {frame.queryIn && !keepsReader && <Languages {...frame} queryIn={frame.queryIn} />}
        </footer>
        {(shared ? [] : ['times.js', ...loaded]).map((name) => (
          <script type="module" src={frame.path(assetPath(name))} nonce={nonce} />
        ))}
        {shared?.script && <Inline tag="script" nonce={nonce} type="module" text={scripts[shared.script]} />}
      </body>
    </html>
  );
  return `<!doctype html>${render(page)}`;
}

function Navigation({ frame, here }: { frame: Frame; here: Place | undefined }) {
  const { words, person, path } = frame;
  const places: [Place, string, string][] =
    person === null
      ? [
          ['make', '/', words.frame.make],
          ['signIn', '/sign-in', words.frame.signIn],
        ]
      : [
          ['make', '/', words.frame.make],
          ['pushes', '/pushes', words.frame.pushes],
          ['account', '/account', words.frame.account],
          ...(person.isAdmin ? [['admin', '/admin', words.frame.admin] as [Place, string, string]] : []),
        ];
  return (
    <nav class="nav" aria-label={words.frame.nav}>
      {places.map(([place, to, text]) => (
        <a href={path(to)} {...(place === here ? { 'aria-current': 'page' as const } : {})}>
          {text}
        </a>
      ))}
    </nav>
  );
}

/** What chats draw of a link (The Open Graph protocol, ogp.me): the same for every push, and no address of it. */
function ShareCard({ words, baseUrl }: Frame) {
  const image = `${baseUrl}${assetPath('share.png')}`;
  return (
    <>
      <meta name="description" content={words.share.description} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="hushpush" />
      <meta property="og:title" content={words.share.title} />
      <meta property="og:description" content={words.share.description} />
      <meta property="og:image" content={image} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}

function Languages({ locale, words, queryIn }: Frame & { queryIn: NonNullable<Frame['queryIn']> }) {
  return (
    <nav aria-label={words.frame.languages}>
      <ul>
        {locales.map((other) => (
          <li>
            {other === locale ? (
              <span lang={other} aria-current="true">
                {wordsOf(other).language}
              </span>
            ) : (
              <a lang={other} hreflang={other} rel="nofollow" href={queryIn(other)}>
                {wordsOf(other).language}
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
