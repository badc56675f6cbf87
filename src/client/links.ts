import { maybeUrl } from './url.ts';

/** Where a link leads: the server, and the url token of the push. */
export type LinkParts = { server: string; urlToken: string };

const tokenPattern = /^[A-Za-z0-9_-]{1,255}$/;
const linkPath = /^(.*?)(?:\/[a-z]{2}(?:-[A-Za-z]{2})?)?\/[pfr]\/([A-Za-z0-9_-]+)(?:\/r|\.json)?\/?$/;
/** A link with more than itself, or in capitals. */
const mistypedPath = /^(.*)\/([pfr])\/(.+)$/i;

/** As url tokens of hushpush are: 26 digits of Crockford's base 32, which reads `o` as 0, and `i` and `l` as 1. */
const ownToken = /(?<![0-9a-z])[0-9a-tv-z]{26}(?![0-9a-z])/i;
const encoded = /%(?:25)*[0-9a-f]{2}/gi;
/** What programs that wrap lines put into a link. */
const gaps = /[\s\u00ad\u200b-\u200d\u2060\ufeff]+/g;

export const isTokenText = (value: unknown) => typeof value === 'string' && tokenPattern.test(value);

/**
 * The url token of a hushpush in a text, such as the end of a link: in any case, with whatever punctuation or markup was
 * copied with it. Undefined if there is none, or one that was cut off or has more digits.
 */
export function findUrlToken(text: string): string | undefined {
  const plain = text.replace(encoded, ' ');
  const [found] = ownToken.exec(plain) ?? ownToken.exec(plain.replace(gaps, '')) ?? [];
  return found?.toLowerCase().replaceAll('o', '0').replace(/[il]/g, '1');
}

/**
 * Reads a link to a push, with or without a path before it, a language in it, or `.json` after it. What was copied with a
 * link is left out: punctuation, spaces, markup.
 */
export function parsePushLink(text: string): LinkParts | undefined {
  const [link = ''] = /(?<![a-z])https?:[^">]*/i.exec(text) ?? [];
  const url = maybeUrl(link);
  if (url === undefined) return undefined;
  const { origin, pathname } = url;
  const [, path, urlToken] = linkPath.exec(pathname) ?? [];
  if (urlToken !== undefined) return { server: origin + path, urlToken: findUrlToken(urlToken) ?? urlToken };
  return parseMistyped(origin, pathname);
}

function parseMistyped(origin: string, pathname: string): LinkParts | undefined {
  const [, path = '', prefix = '', end = ''] = mistypedPath.exec(pathname) ?? [];
  const [word] = /[A-Za-z0-9_-]+/.exec(end.replace(encoded, ' ')) ?? [];
  const urlToken = findUrlToken(end) ?? word;
  if (urlToken === undefined) return undefined;
  const isInCapitals = prefix !== prefix.toLowerCase();
  return { server: origin + (isInCapitals ? path.toLowerCase() : path), urlToken };
}

/**
 * The url token of a link or a token, or the SHA-256 of one. Anything else is refused: in a path, it could call for something
 * other than was meant.
 */
export function urlTokenOf(linkOrToken: string): string {
  const urlToken = parsePushLink(linkOrToken)?.urlToken ?? findUrlToken(linkOrToken) ?? linkOrToken;
  if (!isTokenText(urlToken)) throw new TypeError('That is neither a link to a push nor its url token.');
  return urlToken;
}

/** What to say where there is no push of this name: a link that was cut off can be told by its form. */
export const missingPush = (linkOrToken: string): string | undefined =>
  /^(?:\w{26}|\w{64})$/.test(urlTokenOf(linkOrToken))
    ? undefined
    : 'There is no such push. A link of hushpush has 26 characters after /p/: this one may be cut off. Copy all of it.';
