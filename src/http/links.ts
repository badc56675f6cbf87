import type { PasswordLinkPurpose } from '../domain/index.ts';

type HasUrlToken = { urlToken: string };

/** Every address in a response begins with the configured base URL, never with what a request claims. */
export type Links = ReturnType<typeof createLinks>;

export function createLinks(baseUrl: string) {
  const { pathname, protocol, hostname } = new URL(baseUrl);
  const prefix = pathname.replace(/\/$/, '');
  return {
    baseUrl,
    /** Whether browsers take it for a secure context (W3C Secure Contexts, 3.1). */
    isSecure: protocol === 'https:' || /^(.+\.)?localhost$|^127(\.\d+){3}$|^\[::1\]$/.test(hostname),
    /** The path of BASE_URL, without a slash at the end; empty where it has none. */
    prefix,
    /** A path of the service as a page links to it. */
    path: (path: string) => `${prefix}${path}`,
    /** The same for a Location header, which holds ASCII only. What is percent-encoded already stays as it is. */
    location: (path: string) =>
      `${prefix}${path}`.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent),
    page: ({ urlToken }: HasUrlToken) => `${baseUrl}/p/${urlToken}`,
    /** The page by which anybody answers a request. */
    request: (token: string) => `${baseUrl}/a/${token}`,
    /** The page of a link that works once. */
    oneTime: (purpose: 'compose' | 'connect' | 'export' | PasswordLinkPurpose, token: string) =>
      `${baseUrl}/${purpose}/${token}`,
    /** What an identity provider sends browsers back to, and what it must know beforehand. */
    ofProvider: (name: string) => ({
      redirectUri: `${baseUrl}/sign-in/${name}/callback`,
      signedOutUri: `${baseUrl}/sign-in`,
    }),
    /** What the creator of an anonymous push keeps to themselves. */
    status: (token: string) => `${baseUrl}/status/${token}`,
    json: ({ urlToken }: HasUrlToken) => `${baseUrl}/p/${urlToken}.json`,
    download: (download: string) => `${baseUrl}/download/${download}`,
  };
}
