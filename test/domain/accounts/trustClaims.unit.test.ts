import { expect } from 'chai';
import {
  claimThatDiffers,
  parseClaims,
  problemOfClaims,
  writeClaims,
} from '../../../src/domain/accounts/trust/claims.ts';

const github = 'https://token.actions.githubusercontent.com';
const cluster = 'https://kubernetes.example.com';
const codeOf = (claims: Record<string, string>, issuer = github) => problemOfClaims(claims, issuer)?.code;

describe('The claims of a trust rule', () => {
  it('name more than the issuer', () => {
    for (const claims of [{}, { iss: github }, { aud: 'hushpush' }, { exp: '1', iat: '1', jti: 'x' }])
      expect(codeOf(claims), JSON.stringify(claims)).to.equal('issuerAlone');
    expect(codeOf({ repository: 'acme/app' })).to.equal(undefined);
  });

  it('say whose the tokens are, where anybody gets tokens of the issuer', () => {
    for (const issuer of [github, `${github}/`, 'https://gitlab.com'])
      expect(codeOf({ ref: 'refs/heads/main', environment: 'production' }, issuer)).to.equal('sharedIssuer');
    expect(codeOf({ ref: 'refs/heads/main', repository_owner: 'acme' })).to.equal(undefined);
    expect(codeOf({ project_path: 'acme/app', ref: 'main' }, 'https://gitlab.com')).to.equal(undefined);
    expect(codeOf({ ref: 'main' }, cluster)).to.equal(undefined);
  });

  it('have no prefix that fits more than it seems to', () => {
    const wide = [
      'repo:acme/app*',
      'repo:acme*',
      'repo:*',
      '*',
      ':*',
      '/*',
      'repo:/*',
      'repo::*',
      'repo:acme/app-*',
    ];
    for (const sub of wide) expect(codeOf({ sub }), sub).to.equal('widePrefix');
    for (const repository of ['acme/app*', 'acme*', '*', '/*'])
      expect(codeOf({ repository }), repository).to.equal('widePrefix');
    for (const sub of ['repo:acme/*', 'repo:acme/app:*', 'repo:acme/app:ref:refs/heads/*', 'repo:acme/app'])
      expect(codeOf({ sub }), sub).to.equal(undefined);
    expect(codeOf({ repository: 'acme/*' })).to.equal(undefined);
    expect(codeOf({ sub: 'system:serviceaccount:*' }, cluster)).to.equal(undefined);
    expect(codeOf({ sub: 'system:*' }, cluster)).to.equal('widePrefix');
  });

  it('are at most ten, and short', () => {
    const many = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`claim${index}`, 'x']));
    expect(codeOf(many, cluster)).to.equal('maxCount');
    expect(codeOf({ sub: 'x'.repeat(256) }, cluster)).to.equal('maxLength');
    expect(codeOf({ ['x'.repeat(101)]: 'x' }, cluster)).to.equal('maxLength');
  });

  it('are read from lines, and written so', () => {
    const claims = { repository: 'acme/app', sub: 'a=b' };
    expect(parseClaims(' repository =acme/app \n\n sub= a=b')).to.deep.equal(claims);
    expect(parseClaims(writeClaims(claims))).to.deep.equal(claims);
    expect(parseClaims(claims)).to.equal(claims);
    expect(parseClaims('nonsense')).to.deep.equal({ nonsense: undefined });
    expect(parseClaims('__proto__ = x')).to.deep.equal(Object.fromEntries([['__proto__', 'x']]));
  });

  it('match exactly, or as the prefix that they are, and name the first that does not', () => {
    const token = { sub: 'repo:acme/app:ref:refs/heads/main', repository: 'acme/app', run: 7, ok: true };
    const same = (claims: Record<string, string>) => claimThatDiffers(claims, token);
    expect(same({ repository: 'acme/app', sub: 'repo:acme/app:*', run: '7', ok: 'true' })).to.equal(
      undefined,
    );
    for (const repository of ['acme/ap', 'acme/app-evil', 'ACME/app', 'acme/app ', ''])
      expect(same({ repository }), repository).to.equal('repository');
    expect(same({ sub: 'repo:acme/app-evil:*' })).to.equal('sub');
    expect(same({ sub: 'repo:acme/app:*', missing: 'x' })).to.equal('missing');
    expect(same({ toString: 'x', constructor: 'x' })).to.equal('toString');
    expect(claimThatDiffers({ groups: 'a' }, { groups: ['a'] })).to.equal('groups');
  });
});
