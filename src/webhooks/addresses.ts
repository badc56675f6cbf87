import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { isPrivateHost, isPublicAddress } from '../domain/index.ts';
import { NoResponseError } from './noResponse.ts';

type Address = { address: string; family: number };

/** Gives all addresses of a host name, as the system's resolver does. */
export type Lookup = (hostname: string) => Promise<Address[]>;

export const lookupAll: Lookup = (hostname) => systemLookup(hostname, { all: true, verbatim: true });

/** The addresses that a URL's host stands for. Refuses them all when one of them is not public, unless private ones are allowed. */
export async function addressesOf(
  hostname: string,
  { lookup, allowPrivate }: { lookup: Lookup; allowPrivate: boolean },
): Promise<Address[]> {
  if (!allowPrivate && isPrivateHost(hostname)) throw notPublic();
  const host = hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(host) === 0 ? await lookup(host) : [{ address: host, family: isIP(host) }];
  if (addresses.length === 0) throw new NoResponseError('the host name has no address');
  if (!allowPrivate && !addresses.every(({ address }) => isPublicAddress(address))) throw notPublic();
  return addresses;
}

/** Keeps a connection to addresses that were judged before: asked again, the name might lead elsewhere. */
export function pinnedTo(addresses: Address[]): LookupFunction {
  return (_hostname, { all }, done) => {
    const [first] = addresses;
    process.nextTick(() => (all ? done(null, addresses) : done(null, first?.address ?? '', first?.family)));
  };
}

/** Does not say which address it is: the names of a private network are not for those who register webhooks. */
function notPublic(): NoResponseError {
  return new NoResponseError('the address of the host is not public');
}
