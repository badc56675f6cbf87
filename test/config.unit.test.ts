import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { maskedSetting, secretNames } from '../src/config/secretFiles.ts';
import { activeChats, type Config, publicUrl, readConfig, settingNames } from '../src/config.ts';
import { ConfigError } from '../src/errors.ts';

const minute = 60;
const day = 86_400;

const connections: Values = { good: [['1', 1]], bad: ['0', '-1', 'many'] };
const flags = {
  good: [
    ...['true', 'on', 'yes', '1'].map((word) => [word, true]),
    ...['false', 'off', 'no', '0'].map((word) => [word, false]),
  ],
  bad: ['maybe', 'TRUE', '2'],
};
const days = { good: [['7', 7]], bad: ['0', '3651', '1.5', 'week', '-1'] };
const views = { good: [['5', 5]], bad: ['0', '101', 'many'] };
const minimum = { good: [['1', 1]], bad: ['0', 'none'] };
const rate = {
  good: [
    ['5/10m', { points: 5, seconds: 10 * minute }],
    ['1/1s', { points: 1, seconds: 1 }],
    ['3/2h', { points: 3, seconds: 120 * minute }],
  ],
  bad: ['5', '0/1m', '5/0m', '5/1w', '5/10m,6/1d', '-5/1m', 'off'],
};
const rates = {
  good: [
    ['5/10m', [{ points: 5, seconds: 10 * minute }]],
    [
      '20/1m, 300/1d',
      [
        { points: 20, seconds: minute },
        { points: 300, seconds: day },
      ],
    ],
  ],
  bad: ['5', ',', '20/1m,', '0/1m', '20/1m 300/1d', 'off'],
};
const port = {
  good: [
    ['0', 0],
    ['65535', 65_535],
  ],
  bad: ['-1', '65536', '80.5', 'http'],
};
const mebibytes = {
  good: [
    ['1', 1],
    ['65536', 65_536],
  ],
  bad: ['0', '65537', '1.5', '1GiB'],
};
const endpoint = {
  good: [['http://127.0.0.1:9000', 'http://127.0.0.1:9000']],
  bad: ['minio:9000', 's3://x', 'ftp://x'],
};
const text = { good: [['tulip', 'tulip']], bad: [] };

const slack = { SLACK_SIGNING_SECRET: 's', SLACK_CLIENT_ID: 'i', SLACK_CLIENT_SECRET: 'c' };

const oidc = { OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'hushpush' };
const listed = { good: [['a, b c', ['a', 'b c']]], bad: [], needs: oidc };

const discord = { DISCORD_TOKEN: 't', DISCORD_APPLICATION_ID: '12345678901234567' };
const mattermost = {
  MATTERMOST_URL: 'https://chat.example.com',
  MATTERMOST_TOKEN: 't',
  MATTERMOST_COMMAND_TOKENS: 'c',
};

const mail = { SMTP_URL: 'smtps://mail.example.com', MAIL_FROM: 'hushpush@example.com' };

type Values = { good: unknown[][]; bad: string[]; needs?: Record<string, string> };

/** For each setting what it may say, with what is made of that, what it may not say, and what must be set beside it. */
const values: Record<string, Values> = {
  DATABASE_URL: {
    good: [
      ['sqlite:/var/lib/hushpush.db', 'sqlite:/var/lib/hushpush.db'],
      ['sqlite:here.db', `sqlite:${join(process.cwd(), 'here.db')}`],
      [
        'mysql://user:p%40ss@db.example.com:3307/hushpush',
        'mysql://user:p%40ss@db.example.com:3307/hushpush',
      ],
      ['mariadb://[::1]/hushpush?ssl=true', 'mariadb://[::1]/hushpush?ssl=true'],
    ],
    bad: [
      'sqlite:',
      'postgres://h/db',
      'mysql://h',
      'mysql://h/',
      'mysql://h:99999/db',
      'mysql://u:100%@h/db',
    ],
  },
  DATABASE_POOL: {
    good: [
      ['1', 1],
      ['500', 500],
    ],
    bad: ['0', '501', '2.5', 'x'],
  },
  BASE_URL: {
    good: [
      ['https://push.example.com', 'https://push.example.com'],
      ['http://localhost:5100/', 'http://localhost:5100'],
      ['https://example.com/push//', 'https://example.com/push'],
    ],
    bad: [
      'push.example.com',
      'ftp://push.example.com',
      'https:push.example.com',
      'http://',
      'https://x/?y',
      'https://x/#y',
    ],
  },
  HOST: { good: [['0.0.0.0', '0.0.0.0']], bad: [] },
  OPERATOR_NAME: { good: [['Acme Ltd', 'Acme Ltd']], bad: ['x'.repeat(101)] },
  OPERATOR_CONTACT: {
    good: [
      ['help@acme.example', 'help@acme.example'],
      ['https://acme.example/help', 'https://acme.example/help'],
    ],
    bad: ['acme.example', 'javascript:alert(1)', 'mailto:help@acme.example'],
  },
  PORT: { ...port, needs: { BASE_URL: 'https://push.test' } },
  WEB_PROCESSES: {
    good: [
      ['2', 2],
      ['auto', availableParallelism()],
    ],
    bad: ['0', '100', '1.5', 'all'],
  },
  MAX_CONNECTIONS: connections,
  MAX_CONNECTIONS_PER_CLIENT: connections,
  MASTER_KEYS: { ...text },
  MASTER_KEYS_FILE: { ...text },
  GEOIP_DATABASE: { ...text },
  LOOK_DIR: { ...text },
  PEPPER: { ...text },
  TRUSTED_PROXIES: {
    good: [
      ['10.0.0.0/8, 127.0.0.1', ['10.0.0.0/8', '127.0.0.1']],
      ['::1 fd00::/8', ['::1', 'fd00::/8']],
    ],
    bad: ['proxy', '10.0.0.0/33', '0.0.0.0/0', '10.0.0.1;10.0.0.2'],
  },
  ALLOW_ANONYMOUS: flags,
  ALLOW_SIGN_UP: flags,
  ALLOW_ENCRYPTED: flags,
  PASSWORD_SIGN_IN: { ...flags, needs: oidc },
  OIDC_ISSUER: {
    good: [
      ['https://id.example.com/realms/acme', 'https://id.example.com/realms/acme'],
      ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
      ['https://login.microsoftonline.com/8a0c/v2.0', 'https://login.microsoftonline.com/8a0c/v2.0'],
    ],
    bad: [
      'id.example.com',
      'http://id.example.com',
      'https://id.example.com/?tenant=1',
      'https://login.microsoftonline.com/common/v2.0',
      'https://login.microsoftonline.com/organizations/v2.0',
      'https://login.microsoftonline.com/{tenantid}/v2.0',
    ],
    needs: oidc,
  },
  OIDC_CLIENT_ID: { ...text, needs: oidc },
  OIDC_CLIENT_SECRET: { ...text, needs: oidc },
  OIDC_LABEL: { good: [['Acme', 'Acme']], bad: ['x'.repeat(41)], needs: oidc },
  OIDC_SCOPES: { good: [['openid email', 'openid email']], bad: ['email'], needs: oidc },
  OIDC_ALLOWED_DOMAINS: {
    good: [['Example.com, @example.org', ['example.com', 'example.org']]],
    bad: ['example', 'https://example.com', 'a@example.com'],
    needs: oidc,
  },
  OIDC_ALLOWED_GROUPS: listed,
  OIDC_GROUPS_CLAIM: { ...text, needs: oidc },
  OIDC_ADMIN_GROUPS: listed,
  OIDC_SUBSCRIBED_GROUPS: listed,
  OIDC_TRUST_EMAIL: { ...flags, needs: oidc },
  OIDC_ACR_VALUES: listed,
  OIDC_LINK_SLACK: { ...flags, needs: { ...oidc, OIDC_ISSUER: 'https://slack.com' } },
  ALLOWED_ORIGINS: {
    good: [
      ['https://a.test, http://b.test:8080', ['https://a.test', 'http://b.test:8080']],
      ['*', ['*']],
    ],
    bad: ['a.test', 'https://a.test/', 'https://a.test/path', 'https://*.a.test/'],
  },
  DEFAULT_EXPIRE_AFTER_DAYS: days,
  DEFAULT_EXPIRE_AFTER_VIEWS: views,
  DEFAULT_DELETABLE_BY_VIEWER: flags,
  DEFAULT_RETRIEVAL_STEP: flags,
  FORM_EXPIRE_AFTER_VIEWS: views,
  FORM_ENCRYPTED: flags,
  MIN_EXPIRE_AFTER_DAYS: minimum,
  MAX_EXPIRE_AFTER_DAYS: days,
  MIN_EXPIRE_AFTER_VIEWS: minimum,
  MAX_EXPIRE_AFTER_VIEWS: views,
  RETENTION_DAYS: {
    good: [
      ['0', 0],
      ['3650', 3_650],
    ],
    bad: ['-1', '3651', '1.5', 'ever'],
  },
  SMTP_URL: {
    good: [
      [
        'smtps://me%40example.com:p%40ss%3A@mail.example.com',
        {
          ...{ host: 'mail.example.com', port: 465, tls: 'implicit' },
          credentials: { user: 'me@example.com', password: 'p@ss:' },
        },
      ],
      [
        'smtp://mail.example.com',
        { host: 'mail.example.com', port: 587, tls: 'required', credentials: undefined },
      ],
      ['smtp://[::1]:25/', { host: '::1', port: 25, tls: 'off', credentials: undefined }],
      ['smtp://127.0.0.1:25', { host: '127.0.0.1', port: 25, tls: 'off', credentials: undefined }],
      ['smtp://10.0.0.1:25', { host: '10.0.0.1', port: 25, tls: 'required', credentials: undefined }],
    ],
    bad: [
      'mail.example.com',
      'http://mail.example.com',
      'smtp:mail.example.com',
      'smtp://mail.exam\nple.com',
      'smtp://',
      'smtp://me@mail.example.com',
      'smtp://:secret@mail.example.com',
      'smtp://me:100%@mail.example.com',
      'smtp://me:a%0d%0aRSET@mail.example.com',
      'smtp://mail.example.com:0',
      'smtp://mail.example.com:65536',
      'smtp://mail.example.com/path',
      'smtp://mail.example.com?tls=no',
      'smtp://mail.example.com#x',
      'smtp://mail .example.com',
    ],
    needs: mail,
  },
  MAIL_FROM: {
    good: [
      ['hushpush@example.com', { name: undefined, address: 'hushpush@example.com' }],
      ['Acme <Secrets@Example.com>', { name: 'Acme', address: 'Secrets@example.com' }],
      ['"Acme, Ltd." <a@b.example>', { name: 'Acme, Ltd.', address: 'a@b.example' }],
      ['<a@bücher.example>', { name: undefined, address: 'a@xn--bcher-kva.example' }],
    ],
    bad: [
      'hushpush',
      'hushpush at example.com',
      'a@b@c',
      'a@b@c.example',
      '@example.com',
      'a@',
      'a@localhost',
      'a@[127.0.0.1]',
      'a@b.example\r\nBcc: c@d.example',
      'Ann\r\nX-Spam: no <a@b.example>',
      'a@b.example, c@d.example',
      'Ann <a@b.example> <c@d.example>',
      `${'x'.repeat(65)}@example.com`,
    ],
    needs: mail,
  },
  MAIL_ALLOWED_DOMAINS: {
    good: [['Example.com, bücher.example', ['example.com', 'xn--bcher-kva.example']]],
    bad: ['@example.com', 'bob@example.com', 'localhost', '*.example.com'],
  },
  MAIL_RATE: {
    good: [
      ['1', 1],
      ['100000', 100_000],
    ],
    bad: ['0', '100001', '5/1m', 'fast'],
  },
  JOBS: flags,
  METRICS_TOKEN: {
    good: [['sixteen-or-more~', 'sixteen-or-more~']],
    bad: ['too-short', 'sixteen or more characters', '=sixteen-or-more='],
  },
  WORKER_PORT: port,
  FILES: { good: ['everyone', 'subscribed', 'off'].map((word) => [word, word]), bad: ['all', 'true'] },
  FILES_DIR: { ...text },
  FILES_URL: {
    good: [
      ['s3://my.bucket-1', { bucket: 'my.bucket-1', prefix: '' }],
      ['s3://bucket/', { bucket: 'bucket', prefix: '' }],
      ['s3://bucket/a/b', { bucket: 'bucket', prefix: 'a/b/' }],
      ['s3://bucket/a/', { bucket: 'bucket', prefix: 'a/' }],
    ],
    bad: [
      's3://',
      's3://B/x',
      'bucket/prefix',
      'https://bucket.s3.amazonaws.com',
      's3://bucket/a?b',
      '/srv/files',
    ],
  },
  AWS_ENDPOINT_URL: endpoint,
  AWS_ENDPOINT_URL_S3: endpoint,
  MAX_FILES: {
    good: [
      ['1', 1],
      ['50', 50],
    ],
    bad: ['0', '51', 'many'],
  },
  MAX_FILE_MIB: mebibytes,
  MAX_UPLOAD_MIB: mebibytes,
  MAX_UPLOAD_SECONDS: {
    good: [
      ['10', 10],
      ['86400', 86_400],
    ],
    bad: ['9', '86401', '2m'],
  },
  PRIVATE_ISSUERS: {
    good: [
      ['https://kubernetes.default.svc', ['https://kubernetes.default.svc']],
      ['https://10.0.0.1/a, http://127.0.0.1:8080', ['https://10.0.0.1/a', 'http://127.0.0.1:8080']],
    ],
    bad: ['http://kubernetes.default.svc', 'kubernetes', 'https://a.test?x', 'https://me@a.test', '*'],
  },
  WEBHOOK_ALLOW_PRIVATE: flags,
  EGRESS_PROXY: {
    good: ['http://proxy.test:3128', 'https://me:p%40ss@proxy.test'].map((url) => [url, url]),
    bad: ['proxy.test:3128', 'socks5://proxy.test:1080', 'ftp://proxy.test'],
  },
  EGRESS_NO_PROXY: {
    good: [
      ['files.internal, *.Example.org .a.test', ['files.internal', 'example.org', 'a.test']],
      ['[2001:db8::1],10.0.0.1', ['[2001:db8::1]', '10.0.0.1']],
    ],
    bad: ['10.0.0.0/8', '*', 'http://a.test', 'a.test:443'],
  },
  STOP_DELAY_SECONDS: {
    good: [
      ['0', 0],
      ['300', 300],
    ],
    bad: ['-1', '301', '5s'],
  },
  SLACK_FILES: flags,
  SLACK_USER_GROUPS: flags,
  SLACK_MODE: {
    good: [
      ['http', 'http'],
      ['socket', 'socket'],
    ],
    bad: ['HTTP', 'websocket'],
  },
  SLACK_SIGNING_SECRET: { ...text, needs: slack },
  SIGN_UP: {
    good: [
      ['open', 'open'],
      ['verified', 'verified'],
    ],
    bad: ['off', 'mail'],
    needs: mail,
  },
  SECOND_FACTOR: {
    good: [
      ['optional', 'optional'],
      ['admins', 'admins'],
      ['everyone', 'everyone'],
    ],
    bad: ['on', 'required'],
  },
  SLASH_TEXT: {
    good: [
      ['allow', 'allow'],
      ['refuse', 'refuse'],
    ],
    bad: ['off', 'Refuse'],
  },
  SLACK_CLIENT_ID: { ...text, needs: slack },
  SLACK_CLIENT_SECRET: { ...text, needs: slack },
  SLACK_APP_TOKEN: { good: [['xapp-1', 'xapp-1']], bad: ['xoxb-1', 'token'], needs: slack },
  SLACK_BOT_TOKEN: { good: [['xoxb-1', 'xoxb-1']], bad: ['xapp-1', 'xoxp-1'], needs: slack },
  SLACK_API_URL: {
    good: [['http://127.0.0.1:1/api/', 'http://127.0.0.1:1/api/']],
    bad: ['slack.com', 'ftp://slack.com'],
  },
  SLACK_AUTHORIZE_URL: { good: [['https://slack.test/a', 'https://slack.test/a']], bad: ['slack.test'] },
  DISCORD_MODE: {
    good: [['gateway', 'gateway']],
    bad: ['socket', 'HTTP'],
  },
  DISCORD_TOKEN: { good: [['a.b.c', 'a.b.c']], bad: ['a b'], needs: discord },
  DISCORD_APPLICATION_ID: {
    good: [['12345678901234567890', '12345678901234567890']],
    bad: ['1234', 'application'],
    needs: discord,
  },
  DISCORD_PUBLIC_KEY: { good: [['0a'.repeat(32), '0a'.repeat(32)]], bad: ['0a', 'key'], needs: discord },
  DISCORD_API_URL: {
    good: [['http://127.0.0.1:1/api', 'http://127.0.0.1:1/api']],
    bad: ['discord.com', 'ftp://discord.com'],
  },
  MATTERMOST_URL: {
    good: [['https://chat.example.com/sub/', 'https://chat.example.com/sub']],
    bad: ['chat.example.com', 'ftp://chat.example.com'],
    needs: mattermost,
  },
  MATTERMOST_TOKEN: { good: [['abc', 'abc']], bad: ['a b'], needs: mattermost },
  MATTERMOST_COMMAND_TOKENS: { good: [['a, b', 'a, b']], bad: ['a b', 'a,,b'], needs: mattermost },
  RATE_LIMITS: flags,
  LIMIT_REQUESTS: rates,
  LIMIT_AUTHENTICATED_REQUESTS: rates,
  LIMIT_ACCOUNT_REQUESTS: rates,
  LIMIT_TOKEN_REQUESTS: rates,
  LIMIT_ANONYMOUS_CREATE: rates,
  LIMIT_ACCOUNT_CREATE: rates,
  LIMIT_COMMANDS: rates,
  LIMIT_UNKNOWN_TOKENS: rate,
  LIMIT_PASSPHRASE_BY_CLIENT: rate,
  LIMIT_PASSPHRASE_BY_PUSH: rate,
  LIMIT_SIGN_UP: rates,
  LIMIT_ASK_AGAIN: rates,
  LIMIT_ASKED_MAIL: rates,
  LIMIT_MAIL_BY_ADDRESS: rates,
  LIMIT_MAIL_BY_ACCOUNT: rates,
  LIMIT_ANSWERS: rates,
  LIMIT_ANSWERS_BY_LINK: rates,
  LIMIT_ANSWERS_BY_ACCOUNT: rates,
  LIMIT_FAILED_SIGN_INS: rate,
  LIMIT_SIGN_IN_BY_CLIENT: rate,
  LIMIT_SIGN_IN_BY_ACCOUNT: rate,
  LOG_LEVEL: {
    good: ['debug', 'info', 'warn', 'error', 'silent'].map((level) => [level, level]),
    bad: ['loud'],
  },
};

const secrets = { MASTER_KEYS: '1:c2VjcmV0IG9uZQ==', PEPPER: 'c2VjcmV0IHR3bw==' };

/** What the settings are refused with, a line for each mistake. */
function mistakes(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n').slice(1);
  }
  return [];
}

describe('The settings', () => {
  for (const name of settingNames) {
    it(`accept valid values of ${name}, and no others`, () => {
      const { good, bad, needs = {} } = values[name] ?? { good: [], bad: [] };
      expect(good).to.not.be.empty;
      for (const [said, meant] of good) {
        const config = readConfig({ PEPPER: 'p', ...needs, [name]: String(said) });
        expect(config[name as keyof Config], `${name}=${said}`).to.deep.equal(meant);
      }
      for (const said of bad) {
        const found = mistakes({ ...needs, [name]: said });
        expect(found, `${name}=${said}`).to.have.length(1);
        expect(found[0]).to.match(new RegExp(`^  ${name} must `));
      }
    });
  }

  it('are all optional', () => {
    expect(readConfig({})).to.include({ HOST: '127.0.0.1', PORT: 5_100, RATE_LIMITS: true });
  });

  it('count as unset when they are empty or blank', () => {
    const empty = Object.fromEntries(settingNames.map((name) => [name, '']));
    expect(readConfig(empty)).to.deep.equal(readConfig({}));
    expect(readConfig({ PORT: ' ', LOG_LEVEL: ' ' })).to.deep.equal(readConfig({}));
  });

  it('are refused in one message that names every invalid one', () => {
    const found = mistakes({
      PORT: 'http',
      RATE_LIMITS: 'maybe',
      DATABASE_URL: 'postgres://h/db',
      LIMIT_REQUESTS: '5',
      DEFAULT_EXPIRE_AFTER_DAYS: '100',
      MAX_EXPIRE_AFTER_VIEWS: '3',
      MASTER_KEYS: '1:x',
    });
    expect(found.map((line) => line.trim().split(' ')[0])).to.have.members([
      'PORT',
      'RATE_LIMITS',
      'DATABASE_URL',
      'LIMIT_REQUESTS',
      'DEFAULT_EXPIRE_AFTER_DAYS',
      'DEFAULT_EXPIRE_AFTER_VIEWS',
      'PEPPER',
    ]);
  });

  it('must be consistent: defaults lie between minimum and maximum, and master keys come with a pepper', () => {
    expect(mistakes({ MIN_EXPIRE_AFTER_DAYS: '9' })).to.deep.equal([
      '  DEFAULT_EXPIRE_AFTER_DAYS must be within MIN_EXPIRE_AFTER_DAYS and MAX_EXPIRE_AFTER_DAYS, which are 9 and 90',
    ]);
    expect(mistakes({ MIN_EXPIRE_AFTER_VIEWS: '4', MAX_EXPIRE_AFTER_VIEWS: '3' })).to.have.length(1);
    expect(mistakes({ MIN_EXPIRE_AFTER_VIEWS: '3' })).to.be.empty; // the form never suggests fewer
    expect(mistakes({ MAX_EXPIRE_AFTER_VIEWS: '5', FORM_EXPIRE_AFTER_VIEWS: '6' })).to.deep.equal([
      '  FORM_EXPIRE_AFTER_VIEWS must be at most MAX_EXPIRE_AFTER_VIEWS, which is 5',
    ]);
    expect(
      mistakes({ MIN_EXPIRE_AFTER_DAYS: '9', MAX_EXPIRE_AFTER_DAYS: '9', DEFAULT_EXPIRE_AFTER_DAYS: '9' }),
    ).to.be.empty;
    expect(mistakes({ MASTER_KEYS: '1:x' })).to.deep.equal(['  PEPPER must be set when MASTER_KEYS is']);
    expect(mistakes({ PEPPER: 'x' })).to.be.empty;
  });

  it('must have the address of links if a free port is to be selected, which links would not know', () => {
    expect(mistakes({ PORT: '0' })).to.deep.equal([
      '  BASE_URL must be set when PORT is 0, because links cannot name a port that is selected later',
    ]);
    expect(mistakes({ PORT: '0', WEB_PROCESSES: 'none' })).to.have.length(2);
    expect(mistakes({ PORT: '0', BASE_URL: 'https://push.test' })).to.be.empty;
  });

  it('must include a mail server and a sender, or none of both, and a mail server where addresses are verified', () => {
    expect(mistakes({ SIGN_UP: 'verified' })).to.deep.equal([
      '  SMTP_URL must be set when SIGN_UP is verified',
    ]);
    expect(mistakes({ SMTP_URL: mail.SMTP_URL })).to.deep.equal(['  MAIL_FROM must be set when SMTP_URL is']);
    expect(mistakes({ MAIL_FROM: mail.MAIL_FROM })).to.deep.equal([
      '  SMTP_URL must be set when MAIL_FROM is',
    ]);
    expect(mistakes({ ...mail, SIGN_UP: 'verified' })).to.be.empty;
  });

  it('must include all that the mode of Discord needs, or none of Discord’s', () => {
    const missing = (environment: Record<string, string>) =>
      mistakes(environment).map((line) => line.trim().split(' ')[0]);
    expect(missing({ DISCORD_TOKEN: 't' })).to.eql(['DISCORD_APPLICATION_ID']);
    expect(missing({ DISCORD_PUBLIC_KEY: '0a'.repeat(32) })).to.eql(Object.keys(discord));
    expect(missing({ ...discord, DISCORD_MODE: 'http' })).to.eql(['DISCORD_PUBLIC_KEY']);
    expect(missing(discord)).to.eql([]);
    expect(activeChats(readConfig({ DISCORD_MODE: 'http' }))).to.eql([]);
    expect(activeChats(readConfig(discord))[0]).to.include({ platform: 'discord', receives: 'socket' });
  });

  it('must include all that Mattermost needs, or none of it', () => {
    const missing = (environment: Record<string, string>) =>
      mistakes(environment).map((line) => line.trim().split(' ')[0]);
    expect(missing({ MATTERMOST_TOKEN: 't' })).to.eql(['MATTERMOST_URL', 'MATTERMOST_COMMAND_TOKENS']);
    expect(missing(mattermost)).to.eql([]);
  });

  it('must include all that the mode of Slack needs, or none of Slack’s', () => {
    const app = { SLACK_CLIENT_ID: 'i', SLACK_CLIENT_SECRET: 'c' };
    const missing = (environment: Record<string, string>) =>
      mistakes(environment).map((line) => line.trim().split(' ')[0]);
    expect(missing({ SLACK_CLIENT_ID: 'i' })).to.eql(['SLACK_SIGNING_SECRET', 'SLACK_CLIENT_SECRET']);
    expect(missing({ SLACK_BOT_TOKEN: 'xoxb-1' })).to.eql(['SLACK_SIGNING_SECRET']);
    expect(missing({ SLACK_MODE: 'socket', ...app })).to.eql(['SLACK_APP_TOKEN']);
    expect(missing({ SLACK_MODE: 'socket', SLACK_APP_TOKEN: 'xapp-1' })).to.eql(Object.keys(app));
    expect(missing({ SLACK_MODE: 'socket', SLACK_APP_TOKEN: 'xapp-1', SLACK_BOT_TOKEN: 'xoxb-1' })).to.eql(
      [],
    );
    expect(activeChats(readConfig({ SLACK_MODE: 'socket' }))).to.eql([]);
    expect(activeChats(readConfig(slack))[0]).to.include({ platform: 'slack', receives: 'http' });
  });

  it('are secrets where their names say so, and then are masked and may come from files', () => {
    const named = settingNames.filter((name) => /_(TOKEN|SECRET)$/.test(name));
    expect(secretNames).to.include.members(named);
    for (const name of named) expect(maskedSetting(name, 'tulip')).to.not.include('tulip');
  });

  it('are never quoted in an error message', () => {
    const shown = mistakes({
      ...secrets,
      PEPPER: '',
      DATABASE_URL: 'mysql://root:tulip@h:99999/db',
      BASE_URL: 'tulip://tulip',
      LIMIT_REQUESTS: 'tulip',
    }).join();
    expect(shown).to.contain('DATABASE_URL').and.contain('BASE_URL');
    expect(shown).to.not.match(/tulip|c2VjcmV0/);
  });

  it('determine the public URL, with brackets around IPv6 addresses', () => {
    expect(publicUrl(readConfig({}))).to.equal('http://127.0.0.1:5100');
    expect(publicUrl(readConfig({ HOST: '::1', PORT: '80' }))).to.equal('http://[::1]:80');
    expect(publicUrl(readConfig({ BASE_URL: 'https://push.example.com/' }))).to.equal(
      'https://push.example.com',
    );
  });
});

describe('.env.example', () => {
  const lines = readFileSync(new URL('../.env.example', import.meta.url), 'utf8').split('\n');
  const settings = lines.map((line) => /^#([A-Z0-9_]+)=(.*)$/.exec(line)).filter((match) => match !== null);
  const example = Object.fromEntries(settings.map(([, name, value]) => [name, value ?? '']));

  it('lists every setting once, and nothing else', () => {
    expect(settings.map(([, name]) => name)).to.have.members([...settingNames]);
  });

  it('sets nothing unless a line is uncommented', () => {
    expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).to.be.empty;
  });

  it('shows the defaults', () => {
    expect(readConfig(example)).to.deep.equal(readConfig({}));
    const unset = settingNames.filter((name) => example[name] === '');
    expect(unset).to.have.members([
      'BASE_URL',
      'MASTER_KEYS',
      'PEPPER',
      'MASTER_KEYS_FILE',
      'TRUSTED_PROXIES',
      'GEOIP_DATABASE',
      'OPERATOR_NAME',
      'OPERATOR_CONTACT',
      'LOOK_DIR',
      'OIDC_ISSUER',
      'OIDC_CLIENT_ID',
      'OIDC_CLIENT_SECRET',
      'OIDC_LABEL',
      'OIDC_ALLOWED_DOMAINS',
      'OIDC_ALLOWED_GROUPS',
      'OIDC_ADMIN_GROUPS',
      'OIDC_SUBSCRIBED_GROUPS',
      'OIDC_ACR_VALUES',
      'OIDC_LINK_SLACK',
      'ALLOWED_ORIGINS',
      'FILES_DIR',
      'FILES_URL',
      'AWS_ENDPOINT_URL',
      'AWS_ENDPOINT_URL_S3',
      'PRIVATE_ISSUERS',
      'EGRESS_PROXY',
      'EGRESS_NO_PROXY',
      'SLACK_SIGNING_SECRET',
      'SLACK_CLIENT_ID',
      'SLACK_CLIENT_SECRET',
      'SLACK_APP_TOKEN',
      'SLACK_BOT_TOKEN',
      'DISCORD_TOKEN',
      'DISCORD_APPLICATION_ID',
      'DISCORD_PUBLIC_KEY',
      'MATTERMOST_URL',
      'MATTERMOST_TOKEN',
      'MATTERMOST_COMMAND_TOKENS',
      'SMTP_URL',
      'MAIL_FROM',
      'MAIL_ALLOWED_DOMAINS',
      'METRICS_TOKEN',
      'WORKER_PORT',
    ]);
  });

  it('explains every setting', () => {
    for (const [index, line] of lines.entries()) {
      if (!/^#[A-Z0-9_]+=/.test(line)) continue;
      const block = lines.slice(lines.lastIndexOf('', index) + 1, index);
      expect(
        block.filter((above) => above.startsWith('# ')),
        line,
      ).to.not.be.empty;
    }
  });
});
