import ipaddr from 'ipaddr.js';

const { isValid, parse } = ipaddr;

/** The network within which an attacker can change addresses for free: /24 for IPv4, /64 for IPv6. */
export function networkKey(ip: string): string {
  return prefixOf(ip, 3);
}

/** One client: an IPv4 address, or an IPv6 /64, which is what one subscriber gets. */
export function clientKey(ip: string): string {
  return prefixOf(ip, 4);
}

function prefixOf(ip: string, ipv4Bytes: number): string {
  if (!isValid(ip)) return ip;
  const address = parse(ip);
  return address
    .toByteArray()
    .slice(0, address.kind() === 'ipv4' ? ipv4Bytes : 8)
    .join('.');
}
