import ipaddr from 'ipaddr.js';

const { isValid, parse, IPv6 } = ipaddr;

/** All that IANA has given to the Internet of version 6 lies in 2000::/3 (RFC 4291, section 2.4). */
const internet6 = IPv6.parse('2000::');
const internet6Bits = 3;

/**
 * Whether an address is one of the public Internet. Those of this machine, of private networks, of metadata services and
 * of every other special range (RFC 6890) are not, nor are those that wrap an IPv4 address: mapped, NAT64, 6to4, Teredo.
 */
export function isPublicAddress(address: string): boolean {
  if (!isValid(address)) return false;
  const parsed = parse(address);
  return (
    parsed.range() === 'unicast' && (!(parsed instanceof IPv6) || parsed.match(internet6, internet6Bits))
  );
}

/**
 * Whether the host of a URL is by itself, without asking for its address, none of the public Internet: such an address, or
 * a name of this machine (RFC 6761, section 6.3).
 */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$|\.+$/g, '').toLowerCase();
  return isValid(host) ? !isPublicAddress(host) : /^(.*\.)?localhost$/.test(host);
}
