import { maybeUrl } from './client/url.ts';

/** RFC 5321, sections 4.5.3.1.1 to 4.5.3.1.3; the address without its angle brackets. */
const [localMax, domainMax, addressMax] = [64, 253, 254];

/** A text that is longer is no address, whatever its domain is in Punycode; nor does anybody list so many at once. */
const [textMax, listMax] = [1_000, 1_000];

/** A Dot-string (RFC 5321, section 4.1.2). Quoted ones, and those of SMTPUTF8, many servers refuse. */
const localPart = /^[a-z\d!#$%&'*+/=?^_`{|}~-]+(\.[a-z\d!#$%&'*+/=?^_`{|}~-]+)*$/i;
const hostname = /^([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/;
/** What a parser of addresses of the web would read in another way, and what is no letter, digit or hyphen of ASCII. */
const notInDomains = /[\p{Cc}\p{Z}\x21-\x2c\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]/u;

/**
 * An e-mail address as it is stored and as mail servers take it: the domain in lower case and, where it is
 * internationalized, in Punycode. Undefined for everything else, such as names beside the address or several addresses.
 */
export function maybeMailAddress(text: string): string | undefined {
  if (text.length > textMax) return undefined;
  const [local = '', domain = '', ...rest] = text.trim().split('@');
  if (rest.length > 0 || local.length > localMax || !localPart.test(local)) return undefined;
  const host = maybeDomain(domain);
  if (host === undefined || local.length + 1 + host.length > addressMax) return undefined;
  return `${local}@${host}`;
}

function maybeDomain(domain: string): string | undefined {
  if (domain.length > domainMax || notInDomains.test(domain)) return undefined;
  const host = maybeUrl(`http://${domain}`)?.hostname ?? '';
  return host.length <= domainMax && hostname.test(host) ? host : undefined;
}

/** E-mail addresses as people list them: what stands between spaces, commas and line breaks. Of very many, the first thousand. */
export const addressesIn = (text: string): string[] =>
  text.split(/[\s,;]+/, listMax).filter((each) => each !== '');

/** A sender: an address, or `Name <address>` (RFC 5322, section 3.4). */
export type MailSender = { name: string | undefined; address: string };

/** Undefined for what is no sender, such as a text with line breaks. */
export function maybeMailSender(text: string): MailSender | undefined {
  const [, quoted, plain, bracketed] = /^\s*(?:"([^"\\]*)"|([^"<>@]*?))\s*<([^<>]*)>\s*$/.exec(text) ?? [];
  const name = (quoted ?? plain ?? '').trim();
  const address = maybeMailAddress(bracketed ?? text);
  if (address === undefined || /\p{Cc}/u.test(text) || name.length > 100) return undefined;
  return { name: name === '' ? undefined : name, address };
}
