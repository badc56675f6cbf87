import { expect } from 'chai';
import { readConfig } from '../../src/config.ts';
import { ConfigError } from '../../src/errors.ts';

const oidc = { OIDC_ISSUER: 'https://id.example.com/realm', OIDC_CLIENT_ID: 'one', OIDC_CLIENT_SECRET: 's1' };
const okta = {
  OIDC_OKTA_ISSUER: 'https://okta.example.com',
  OIDC_OKTA_CLIENT_ID: 'two',
  OIDC_OKTA_ALLOWED_GROUPS: 'staff, it people',
};
const corp = { OIDC_MY_CORP_ISSUER: 'https://corp.example.com', OIDC_MY_CORP_CLIENT_ID: 'three' };

function mistakes(environment: Record<string, string>, file?: Record<string, string>): string[] {
  try {
    readConfig(environment, file && { path: '/srv/.env', settings: file });
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n').slice(1);
    throw error;
  }
  return [];
}

describe('The settings of identity providers', () => {
  it('make one provider without a name, and any number with names', () => {
    expect(readConfig({}).identityProviders).to.deep.equal([]);
    const { identityProviders } = readConfig({ ...oidc, ...okta, ...corp, OIDC_MY_CORP_LABEL: 'Acme Corp' });
    expect(identityProviders.map(({ name, label, clientId }) => [name, label, clientId])).to.deep.equal([
      ['oidc', 'id.example.com', 'one'],
      ['okta', 'Okta', 'two'],
      ['my-corp', 'Acme Corp', 'three'],
    ]);
    expect(identityProviders.map(({ clientSecret }) => clientSecret)).to.deep.equal([
      's1',
      undefined,
      undefined,
    ]);
    expect(identityProviders[1]?.rules).to.deep.include({
      allowedGroups: ['staff', 'it people'],
      trustsEmail: false,
      groupsClaim: 'groups',
    });
  });

  it('stop everything if they are incomplete, wrong or misspelt', () => {
    expect(mistakes({ OIDC_CLIENT_ID: 'x' })).to.deep.equal([
      '  OIDC_ISSUER must be set when another setting of that provider is',
    ]);
    expect(mistakes({ OIDC_OKTA_ISSUER: 'http://okta.example.com' })).to.deep.equal([
      '  OIDC_OKTA_ISSUER must be an https address: anybody on the way could sign in as anybody otherwise',
      '  OIDC_OKTA_CLIENT_ID must be set when another setting of that provider is',
    ]);
    expect(mistakes({}, { ...okta, OIDC_OKTA_CLIENTID: 'x' })).to.deep.equal([
      '  OIDC_OKTA_CLIENTID in /srv/.env is not a setting; did you mean OIDC_OKTA_CLIENT_ID?',
    ]);
    expect(mistakes({ OIDC_OIDC_ISSUER: 'https://id.test', OIDC_OIDC_CLIENT_ID: 'x' })).to.deep.equal([
      '  OIDC_OIDC_ISSUER must have another name than OIDC',
    ]);
  });

  it('let Slack alone say who somebody is in Slack', () => {
    const linksSlack = (settings: Record<string, string>) =>
      readConfig({ OIDC_CLIENT_ID: 'x', ...settings }).identityProviders[0]?.rules.linksSlack;
    expect(linksSlack({ OIDC_ISSUER: 'https://slack.com' })).to.equal(true);
    expect(linksSlack({ OIDC_ISSUER: 'https://slack-gov.com/' })).to.equal(true);
    expect(linksSlack({ OIDC_ISSUER: 'https://slack.com', OIDC_LINK_SLACK: 'off' })).to.equal(false);
    for (const issuer of ['https://slack.com.evil.example', 'https://evil.example/https://slack.com']) {
      expect(linksSlack({ OIDC_ISSUER: issuer })).to.equal(false);
      expect(mistakes({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'x', OIDC_LINK_SLACK: 'on' })).to.deep.equal([
        '  OIDC_LINK_SLACK must be off: only https://slack.com says who somebody is in Slack',
      ]);
    }
  });

  it('must name one where passwords sign nobody in', () => {
    expect(mistakes({ PASSWORD_SIGN_IN: 'off' })).to.deep.equal([
      '  PASSWORD_SIGN_IN must be on where no identity provider is set: nobody could sign in',
    ]);
    expect(mistakes({ ...okta, PASSWORD_SIGN_IN: 'off' })).to.deep.equal([]);
  });
});
