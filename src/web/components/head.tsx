import { assetPath } from '../assets.ts';
import type { PageContext } from '../pageContext.ts';

/** The colour that browsers give their bars: the first one that applies. */
export function ThemeColor({ theme }: Pick<PageContext, 'theme'>) {
  const media = theme === 'system' ? '(prefers-color-scheme: dark)' : undefined;
  return (
    <>
      {theme === 'light' || <meta name="theme-color" content="#161512" media={media} />}
      {theme === 'dark' || <meta name="theme-color" content="#f4f0e7" />}
    </>
  );
}

/** What chats show of a link (The Open Graph protocol, ogp.me). Equal for all pushes, and without the address. */
export function LinkPreviewTags({ messages, baseUrl }: PageContext) {
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

type InlineProps = { tag: 'script' | 'style'; nonce: string; type?: string; text: string };

/** Unescaped text: only for files of this service, never for anything that a user sent. */
export function Inline({ tag: Tag, text, ...attributes }: InlineProps) {
  return <Tag {...attributes} dangerouslySetInnerHTML={{ __html: text }} />;
}
