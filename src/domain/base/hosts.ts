import ipaddr from 'ipaddr.js';

const { isValid, parse, IPv6 } = ipaddr;

/** IANA has allocated all public IPv6 addresses within 2000::/3 (RFC 4291, section 2.4). */
const internet6 = IPv6.parse('2000::');
const internet6Bits = 3;

/**
 * Whether an address belongs to the public Internet. Addresses of this machine, private networks, metadata services
 * and all other special ranges (RFC 6890) do not. Neither do addresses that embed an IPv4 address: mapped, NAT64,
 * 6to4, Teredo.
 */
export function isPublicAddress(address: string): boolean {
  if (!isValid(address)) return false;
  const parsed = parse(address);
  return (
    parsed.range() === 'unicast' && (!(parsed instanceof IPv6) || parsed.match(internet6, internet6Bits))
  );
}

/**
 * Whether a URL's host is private by itself, without a DNS lookup: a private address, or a name of this machine (RFC
 * 6761, section 6.3).
 */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$|\.+$/g, '').toLowerCase();
  return isValid(host) ? !isPublicAddress(host) : /^(.*\.)?localhost$/.test(host);
}
