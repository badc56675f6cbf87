import { expect } from 'chai';
import { type Granted, hasSecondFactor, readClaims } from '../../../src/domain/accounts/sso/claims.ts';
import { DomainError, type ProviderRules } from '../../../src/domain/index.ts';

const noRules: ProviderRules = {
  trustsEmail: false,
  allowedDomains: [],
  allowedGroups: [],
  groupsClaim: 'groups',
  adminGroups: [],
  subscribedGroups: [],
  acrValues: [],
  linksSlack: false,
};
const issuer = 'https://id.example.com';
const email = 'alice@example.com';

/** What claims grant, or the code of the refusal. */
function read(
  rules: Partial<ProviderRules>,
  claims: Record<string, unknown>,
  from = issuer,
): Granted | string {
  try {
    return readClaims({ label: 'Okta', rules: { ...noRules, ...rules } }, from, claims);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return String(error.messageCode);
  }
}

describe('The claims of a provider', () => {
  it('give an address only if it is one, in the form in which addresses are compared', () => {
    expect(read({}, { email: ' Alice@Example.COM ' })).to.include({ email });
    for (const given of [
      undefined,
      'slack:T1:U1',
      'alice',
      '',
      7,
      ['a@b.de'],
      'a\n@b.de',
      `${'a'.repeat(250)}@b.de`,
    ])
      expect(read({}, { email: given }), String(given)).to.include({ email: undefined });
  });

  it('prove an address by email_verified, or by xms_edov of Entra, and by nothing else', () => {
    const isVerified = (claims: object) => (read({}, { email, ...claims }) as Granted).isEmailVerified;
    for (const claims of [
      { email_verified: true },
      { email_verified: 'true' },
      { xms_edov: true },
      { xms_edov: '1' },
    ])
      expect(isVerified(claims), JSON.stringify(claims)).to.equal(true);
    for (const claims of [
      {},
      { email_verified: false },
      { email_verified: 'false' },
      { email_verified: 'yes' },
      { xms_edov: 0 },
    ])
      expect(isVerified(claims), JSON.stringify(claims)).to.equal(false);
  });

  it('let in proved addresses of allowed domains alone', () => {
    const rules = { allowedDomains: ['example.com'] };
    expect(read(rules, { email, email_verified: true })).to.include({ email });
    expect(read(rules, { email })).to.equal('providerEmailUnproved');
    expect(read(rules, { email_verified: true })).to.equal('providerWithoutEmail');
    for (const other of ['a@example.com.evil.test', 'a@evil-example.com', 'a@sub.example.com', 'a@com'])
      expect(read(rules, { email: other, email_verified: true }), other).to.not.be.an('object');
  });

  it('name the domain of Google by the organisation, since anybody’s account there may have any address', () => {
    const rules = { allowedDomains: ['example.com'] };
    const google = 'https://accounts.google.com';
    expect(read(rules, { email, email_verified: true }, google)).to.equal('providerDomain');
    expect(read(rules, { email, email_verified: true, hd: 'example.com' }, google)).to.include({ email });
    expect(read(rules, { email, email_verified: true, hd: 'other.test' }, google)).to.equal('providerDomain');
  });

  it('name groups in a list, as one text, or at a path', () => {
    const rules = { allowedGroups: ['staff'] };
    expect(read(rules, { email, groups: ['x', 'staff'] })).to.include({ email });
    expect(read(rules, { email, groups: 'staff' })).to.include({ email });
    const at = (groupsClaim: string, claims: object) => read({ ...rules, groupsClaim }, { email, ...claims });
    expect(at('realm_access.roles', { realm_access: { roles: ['staff'] } })).to.include({ email });
    expect(at('https://a.test/groups', { 'https://a.test/groups': ['staff'] })).to.include({ email });
    expect(at('constructor.name', {})).to.equal('providerWithoutGroups');
    for (const groups of [[], ['STAFF'], ['staffers'], [['staff']], [{ staff: true }], true])
      expect(read(rules, { email, groups }), JSON.stringify(groups)).to.equal('providerGroup');
  });

  it('grant rights by groups only where a setting says so; nobody has them who is in none', () => {
    expect(read({}, { email, groups: ['admins'] })).to.include({ isAdmin: undefined, subscribed: undefined });
    const rules = { adminGroups: ['admins'], subscribedGroups: ['files'] };
    expect(read(rules, { email, groups: ['admins'] })).to.include({ isAdmin: true, subscribed: false });
    expect(read(rules, { email })).to.include({ isAdmin: false, subscribed: false });
  });

  it('are refused, not taken for none, when Entra leaves out groups that are too many', () => {
    for (const overage of [{ _claim_names: { groups: 'src1' } }, { hasgroups: true }, { hasgroups: 'true' }])
      expect(read({ adminGroups: ['admins'] }, { email, ...overage })).to.equal('providerGroupsOverage');
    expect(read({}, { email, hasgroups: true })).to.include({ email });
  });

  it('say that several factors were asked for in words of the provider, only where the settings list them', () => {
    const ofAcme = { acrValues: ['urn:acme:strong', 'level2'] };
    for (const claims of [{ acr: 'urn:acme:strong' }, { amr: ['pwd', 'level2'] }, { amr: 'level2' }]) {
      expect(hasSecondFactor(ofAcme, claims), JSON.stringify(claims)).to.equal(true);
      expect(hasSecondFactor({ acrValues: [] }, claims), JSON.stringify(claims)).to.equal(false);
    }
    for (const claims of [
      {},
      { acr: 'urn:acme:strong2' },
      { acr: ['x'] },
      { amr: [null] },
      { acr: undefined },
    ])
      expect(hasSecondFactor(ofAcme, claims), JSON.stringify(claims)).to.equal(false);
    expect(hasSecondFactor(ofAcme, { amr: ['mfa'] }), 'beside those that are known').to.equal(true);
  });
});
