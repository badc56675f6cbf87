/** Where a link leads: the server, and the url token of the push. */
export type LinkParts = { server: string; urlToken: string };

const tokenPattern = /^[A-Za-z0-9_-]{1,255}$/;

export const isTokenText = (value: unknown) => typeof value === 'string' && tokenPattern.test(value);
const linkPath = /^(.*?)(?:\/[a-z]{2}(?:-[A-Za-z]{2})?)?\/[pfr]\/([A-Za-z0-9_-]+)(?:\/r|\.json)?\/?$/;

/** Reads a link to a push, with or without a path before it, a language in it, or `.json` after it. */
export function parsePushLink(link: string): LinkParts | undefined {
  if (!/^https?:/i.test(link) || !URL.canParse(link)) return undefined;
  const { origin, pathname } = new URL(link);
  const [, path, urlToken] = linkPath.exec(pathname) ?? [];
  return urlToken === undefined ? undefined : { server: origin + path, urlToken };
}

/**
 * The url token of a link or a token, or the SHA-256 of one. Anything else is refused: in a path, it could call for something
 * other than was meant.
 */
export function urlTokenOf(linkOrToken: string): string {
  const urlToken = parsePushLink(linkOrToken)?.urlToken ?? linkOrToken;
  if (!isTokenText(urlToken)) throw new TypeError('That is neither a link to a push nor its url token.');
  return urlToken;
}
