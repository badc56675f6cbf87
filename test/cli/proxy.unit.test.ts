import { expect } from 'chai';
import { proxyOf } from '../../src/cli/client/proxy.ts';

const proxies = { http: 'http://plain.test:8080', https: 'proxy.test:3128' };

const hostFor = (address: string, no?: string) => proxyOf(new URL(address), { ...proxies, no })?.url.host;

describe('The proxy of a command', () => {
  it('is HTTPS_PROXY for https and HTTP_PROXY for http, and one is not used for the other', () => {
    expect(hostFor('https://push.example.com')).to.equal('proxy.test:3128');
    expect(hostFor('http://push.example.com')).to.equal('plain.test:8080');
    expect(proxyOf(new URL('https://push.example.com'), { http: proxies.http })).to.equal(undefined);
    expect(proxyOf(new URL('https://push.example.com'), { https: '' })).to.equal(undefined);
  });

  for (const [no, address] of [
    ['push.example.com', 'https://push.example.com'],
    ['PUSH.example.com', 'https://push.example.com'],
    ['example.com', 'https://push.example.com'],
    ['.example.com', 'https://push.example.com'],
    ['*.example.com', 'https://push.example.com'],
    ['one.test, push.example.com', 'https://push.example.com'],
    ['one.test push.example.com', 'https://push.example.com'],
    ['push.example.com:443', 'https://push.example.com'],
    ['push.example.com:8443', 'https://push.example.com:8443'],
    ['192.0.2.7', 'https://192.0.2.7'],
    ['2001:db8::1', 'https://[2001:db8::1]'],
    ['[2001:db8::1]:443', 'https://[2001:db8::1]'],
    ['*', 'https://push.example.com'],
  ] as const) {
    it(`is not asked where NO_PROXY is ${no}, for ${address}`, () => {
      expect(hostFor(address, no)).to.equal(undefined);
    });
  }

  for (const [no, address] of [
    ['', 'https://push.example.com'],
    ['ample.com', 'https://push.example.com'],
    ['push.example.com', 'https://push.example.com.test'],
    ['push.example.com:8443', 'https://push.example.com'],
    ['other.test', 'https://push.example.com'],
  ] as const) {
    it(`is asked where NO_PROXY is ${no || 'empty'}, for ${address}`, () => {
      expect(hostFor(address, no)).to.equal('proxy.test:3128');
    });
  }

  it('is never asked for this machine, which it would take for itself', () => {
    for (const host of ['localhost', 'push.localhost', '127.0.0.1', '127.8.9.10', '[::1]'])
      expect(hostFor(`http://${host}:5100`), host).to.equal(undefined);
    expect(hostFor('http://127.example.com')).to.equal('plain.test:8080');
  });

  it('gets the name and the password of its address, and they are nowhere else', () => {
    const target = new URL('https://push.example.com');
    const found = proxyOf(target, { https: 'http://me:p%40ss@proxy.test:3128' });
    expect(found?.credentials).to.equal(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
    expect(found?.url.href).to.equal('http://proxy.test:3128/');
    expect(proxyOf(target, { https: 'http://token@proxy.test' })?.credentials).to.equal(
      `Basic ${Buffer.from('token:').toString('base64')}`,
    );
  });

  it('is refused by the name of its setting, never by its value, if it is no HTTP proxy', () => {
    for (const https of ['socks5://me:tulip@proxy.test', 'http://me:tulip@', '://tulip'])
      expect(() => proxyOf(new URL('https://push.example.com'), { https }))
        .to.throw(/^HTTPS_PROXY must be the address of an HTTP proxy/)
        .with.property('message')
        .that.does.not.contain('tulip');
  });
});
