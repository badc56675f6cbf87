import { setFlagsFromString } from 'node:v8';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Context } from 'koa';
import type { ClientInfo } from '../../src/domain/index.ts';
import { createClientReader } from '../../src/http/client.ts';

/** The client of a request from `peer`. */
function clientOf(peer: string, headers: Record<string, string>, trustedProxies: string[]): ClientInfo {
  const req = { headers, socket: { remoteAddress: peer, destroyed: false } };
  return createClientReader(trustedProxies)({ req, state: {} } as unknown as Context);
}

/** The address of a request from `peer`. */
function addressOf(peer: string, forwardedFor: string | undefined, trustedProxies: string[]): string {
  const headers: Record<string, string> =
    forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  return clientOf(peer, headers, trustedProxies).ip;
}

describe('The address of a client', () => {
  const trusted = ['10.0.0.0/8', 'fd00::/8'];
  const proxy = fc.constantFrom('10.0.0.1', '10.255.0.9', 'fd00::7');
  const stranger = fc.oneof(fc.ipV4(), fc.ipV6()).filter((ip) => !/^(?:10\.|fd|::|0*:)/i.test(ip));
  const forged = fc.array(
    fc.oneof(stranger, proxy, fc.constantFrom('unknown', '', '::::', '999.1.1.1', '"', '_x', '[::1]:80')),
    { maxLength: 6 },
  );

  it('is the one that the outermost trusted proxy saw, whatever stands before it', () => {
    fc.assert(
      fc.property(
        forged,
        stranger,
        fc.array(proxy, { maxLength: 3 }),
        proxy,
        (before, client, proxies, peer) => {
          const header = [...before, client, ...proxies].join(', ');
          expect(addressOf(peer, header, trusted)).to.equal(client);
        },
      ),
    );
  });

  it('is that of the peer if it is no trusted proxy', () => {
    fc.assert(
      fc.property(forged, stranger, (claimed, peer) => {
        expect(addressOf(peer, claimed.join(','), trusted)).to.equal(peer);
        expect(addressOf(peer, undefined, trusted)).to.equal(peer);
      }),
    );
  });

  it('is that of a trusted peer whose header is no address', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme-ascii' }).map((text) => `${text}x`),
        proxy,
        (text, peer) => {
          fc.pre(!text.includes(','));
          expect(addressOf(peer, text, trusted)).to.equal(peer);
        },
      ),
    );
  });
});

describe('A client', () => {
  /** With a getter of its own, an object has slow properties. */
  it('has no accessors of its own, which V8 would keep in the old generation, and its request with them', () => {
    setFlagsFromString('--allow-natives-syntax');
    const isFast = new Function('object', 'return %HasFastProperties(object)');
    setFlagsFromString('--no-allow-natives-syntax');
    const clients = ['192.0.2.1', '192.0.2.2'].map((peer) => clientOf(peer, {}, []));
    expect(clients.map((client) => isFast(client))).to.deep.equal([true, true]);
  });
});
