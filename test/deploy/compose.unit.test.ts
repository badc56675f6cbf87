import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import ipaddr from 'ipaddr.js';
import { parse } from 'yaml';

const folder = join(import.meta.dirname, '..', '..', 'deploy', 'compose');

type Service = {
  networks?: string[] | Record<string, { ipv4_address?: string } | null>;
  environment?: Record<string, string>;
};
type Compose = {
  services: Record<string, Service>;
  networks: Record<string, { ipam?: { config: { subnet: string; ip_range?: string }[] } } | null>;
};

const { services, networks }: Compose = parse(readFileSync(join(folder, 'mysql.yaml'), 'utf8'));

/** The addresses that services have of their own, by network. */
const fixed = Object.values(services).flatMap(({ networks: joined = {} }) =>
  Array.isArray(joined)
    ? []
    : Object.entries(joined).flatMap(([network, settings]) =>
        settings?.ipv4_address === undefined ? [] : [{ network, address: settings.ipv4_address }],
      ),
);

const isIn = (address: string, range: string) => ipaddr.parse(address).match(ipaddr.parseCIDR(range));

describe('The Compose file with Caddy', () => {
  it('gives no address twice: those of their own are outside of what others get', () => {
    expect(fixed).to.not.have.length(0);
    expect(new Set(fixed.map(({ address }) => address)).size).to.equal(fixed.length);
    const clashes = fixed.filter(({ network, address }) => {
      const [{ subnet, ip_range: given = subnet } = { subnet: '0.0.0.0/0' }] =
        networks[network]?.ipam?.config ?? [];
      return !isIn(address, subnet) || isIn(address, given);
    });
    expect(clashes).to.deep.equal([]);
  });

  it('trusts the address of Caddy, and no other', () => {
    const caddy = services.caddy?.networks as Record<string, { ipv4_address?: string }>;
    expect(services.hushpush?.environment?.TRUSTED_PROXIES).to.equal(caddy.front?.ipv4_address);
  });
});
