import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { isPrivateHost, isPublicAddress } from '../domain/index.ts';
import { NoResponseError, NotPublicError } from './noResponse.ts';

export type Address = { address: string; family: number };

/** Resolves a host name to all its addresses. */
export type Lookup = (hostname: string) => Promise<Address[]>;

export const lookupAll: Lookup = (hostname) => systemLookup(hostname, { all: true, verbatim: true });

/** The addresses of a URL's host. Unless private ones are allowed, throws when any of them is not public. */
export async function addressesOf(
  hostname: string,
  { lookup, allowPrivate }: { lookup: Lookup; allowPrivate: boolean },
): Promise<Address[]> {
  if (!allowPrivate && isPrivateHost(hostname)) throw new NotPublicError();
  const host = hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(host) === 0 ? await lookup(host) : [{ address: host, family: isIP(host) }];
  if (addresses.length === 0) throw new NoResponseError('the host name has no address');
  if (!allowPrivate && !addresses.every(({ address }) => isPublicAddress(address)))
    throw new NotPublicError();
  return addresses;
}

/** Connects to addresses that were checked before: resolved again, the name might lead elsewhere (DNS rebinding). */
export function pinnedTo(addresses: Address[]): LookupFunction {
  return (_hostname, { all }, done) => {
    const [first] = addresses;
    process.nextTick(() => (all ? done(null, addresses) : done(null, first?.address ?? '', first?.family)));
  };
}
