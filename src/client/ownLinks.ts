import { ConnectionError } from './errors.ts';
import { isTokenText, parsePushLink } from './links.ts';
import { maybeUrl } from './url.ts';
import type { AttachedFile, ListEntry, NamedRecipient, PushObject } from './wire.ts';

type Linked = Pick<PushObject | ListEntry, 'url_token' | 'html_url' | 'json_url'> & {
  recipients?: NamedRecipient[];
  files?: AttachedFile[];
};

/**
 * The addresses in the answers of one server. Links are built from the address that was asked and the url token, so that no
 * answer can lead anybody elsewhere.
 */
export function createOwnLinks(base: URL) {
  function isOwn(address: string): boolean {
    const url = maybeUrl(address, base);
    return url !== undefined && isSameServer(url, base);
  }

  function requireOwn(address: unknown): void {
    if (typeof address !== 'string' || isOwn(address)) return;
    const origin = maybeUrl(address)?.origin ?? 'another address';
    throw new ConnectionError('foreign', `${base.host} answers with links to ${origin} instead of its own.`);
  }

  /** Password Pusher has the retrieval step at an address of its own. */
  function linkTo(urlToken: string, given: unknown): string {
    const step = typeof given === 'string' && /\/p\/[\w-]+\/r$/.test(given) ? '/r' : '';
    return `${base.href}p/${urlToken}${step}`;
  }

  function withOwnLinks<T extends Linked>(push: T): T {
    const { url_token = null, html_url, recipients, files } = push;
    if (url_token !== null && !isTokenText(url_token))
      throw new ConnectionError('foreign', `${base.href} does not answer as Password Pusher does.`);
    return {
      ...push,
      html_url: url_token && linkTo(url_token, html_url),
      json_url: url_token && `${linkTo(url_token, undefined)}.json`,
      ...(recipients && { recipients: recipients.map(withOwnLink) }),
      ...(files && {
        files: files.map((file) => ({ ...file, url: file.url && isOwn(file.url) ? file.url : null })),
      }),
    };
  }

  function withOwnLink(recipient: NamedRecipient): NamedRecipient {
    const urlToken = recipient.html_url && parsePushLink(recipient.html_url)?.urlToken;
    return { ...recipient, html_url: urlToken ? linkTo(urlToken, undefined) : null };
  }

  /** As `withOwnLinks`; throws if the answer has an address of another server. */
  function requireOwnLinks<T extends Linked>(push: T): T {
    const { html_url, json_url, recipients = [], files = [] } = push;
    for (const address of [html_url, json_url, ...recipients.map((one) => one.html_url)]) requireOwn(address);
    for (const { url } of files) requireOwn(url);
    return withOwnLinks(push);
  }

  return { linkTo, requireOwn, withOwnLinks, requireOwnLinks };
}

const isLoopback = ({ hostname }: URL) => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);

/** This machine has several names. */
function isSameServer(one: URL, other: URL): boolean {
  if (one.username !== '' || one.password !== '') return false;
  if (one.origin === other.origin) return true;
  return isLoopback(one) && isLoopback(other) && one.protocol === other.protocol && one.port === other.port;
}
