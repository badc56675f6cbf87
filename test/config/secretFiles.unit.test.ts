import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readConfig } from '../../src/config.ts';
import { ConfigError } from '../../src/errors.ts';

describe('Secret settings', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'hushpush-'));
  });

  after(() => rmSync(folder, { recursive: true }));

  function write(text: string): string {
    const path = join(folder, `secret-${Math.random()}`);
    writeFileSync(path, text);
    return path;
  }

  function mistakes(environment: Record<string, string>, file?: Record<string, string>): string[] {
    try {
      readConfig(environment, file && { path: '/srv/.env', settings: file });
    } catch (error) {
      if (error instanceof ConfigError) return error.message.split('\n').slice(1);
      throw error;
    }
    return [];
  }

  const secrets = {
    DATABASE_URL: 'mysql://hushpush:hunter2@db/hushpush',
    PEPPER: 'cGVwcGVy',
    MASTER_KEYS: '1:a2V5',
    METRICS_TOKEN: 'abcdefghijklmnop',
    SLACK_SIGNING_SECRET: 'signing',
    SLACK_CLIENT_SECRET: 'client',
    SLACK_APP_TOKEN: 'xapp-1',
    SLACK_BOT_TOKEN: 'xoxb-1',
    DISCORD_TOKEN: 'discord',
    OIDC_CLIENT_SECRET: 'oidc',
    OIDC_OKTA_CLIENT_SECRET: 'okta',
  };

  it('can each be read from a file that NAME_FILE names, without the line break at its end', () => {
    const { MASTER_KEYS, ...others } = secrets;
    const plain = {
      ...{ SLACK_CLIENT_ID: 'i', DISCORD_APPLICATION_ID: '12345678901234567', MASTER_KEYS },
      ...{ OIDC_ISSUER: 'https://id.test', OIDC_CLIENT_ID: 'x' },
      ...{ OIDC_OKTA_ISSUER: 'https://okta.test', OIDC_OKTA_CLIENT_ID: 'x' },
    };
    const files = Object.entries(others).map(([name, value]) => [`${name}_FILE`, write(`${value}\n`)]);
    expect(readConfig({ ...plain, ...Object.fromEntries(files) })).to.deep.equal(
      readConfig({ ...plain, ...others }),
    );
    expect(readConfig({}, { path: '.env', settings: { PEPPER_FILE: write('p') } }).PEPPER).to.equal('p');
  });

  it('stop everything if their file cannot be read, is empty or has several lines', () => {
    const missing = join(folder, 'missing');
    expect(mistakes({ METRICS_TOKEN_FILE: missing })).to.deep.equal([
      `  METRICS_TOKEN_FILE names ${missing}, which cannot be read (ENOENT)`,
    ]);
    expect(mistakes({ PEPPER_FILE: folder })).to.deep.equal([
      `  PEPPER_FILE names ${folder}, which cannot be read (EISDIR)`,
    ]);
    const empty = write(' \n');
    expect(mistakes({ PEPPER_FILE: empty })).to.deep.equal([`  PEPPER_FILE names ${empty}, which is empty`]);
    const long = write('hunter2\nhunter3\n');
    expect(mistakes({ PEPPER_FILE: long })).to.deep.equal([
      `  PEPPER_FILE names ${long}, which has more than one line`,
    ]);
  });

  it('come from one place: the setting or its file', () => {
    const environment = { PEPPER_FILE: write('one') };
    const problem = '  PEPPER and PEPPER_FILE are both set';
    expect(mistakes({ ...environment, PEPPER: 'two' })).to.deep.equal([problem]);
    expect(mistakes(environment, { PEPPER: 'two' })).to.deep.equal([problem]);
  });

  it('are judged like others, and never quoted', () => {
    expect(mistakes({ METRICS_TOKEN_FILE: write('hunter2') })).to.deep.equal([
      '  METRICS_TOKEN must have at least 16 characters, letters, digits and -._~+/ alone',
    ]);
  });

  it('are known by the names of their files', () => {
    expect(mistakes({ PEPER_FILE: '/p' })).to.deep.equal([
      '  PEPER_FILE is not a setting; did you mean PEPPER_FILE? If not, leave it empty for hushpush',
    ]);
    expect(mistakes({}, { BASE_URL_FILE: '/p' })[0]).to.contain(
      'BASE_URL_FILE in /srv/.env is not a setting',
    );
  });
});
