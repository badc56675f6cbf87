import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, mkdir } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkSettings } from '../../src/config/checks.ts';
import { readDotEnv } from '../../src/config/dotEnv.ts';
import { readConfig } from '../../src/config.ts';
import { ConfigError } from '../../src/errors.ts';
import { createKeyFile } from '../../src/runtime/keyFile.ts';
import { createAgendaBackend } from '../../src/scheduler/backend/backend.ts';
import { type Discord, startDiscord } from '../../tools/standins/discord/discord.ts';
import { type Slack, startSlack } from '../../tools/standins/slack/slack.ts';
import { environmentOf as discordEnvironment } from '../bots/discord/stage.ts';
import { builtMain } from '../harness/build.ts';
import { type Folder, openFolder } from '../harness/cli.ts';
import { onMariadb } from '../harness/database.ts';
import { findProgram } from '../harness/debian.ts';
import { examined } from '../harness/doctor.ts';
import { newSharedSettings } from '../harness/process.ts';
import { startService, type TestService } from '../harness/service.ts';

type Settings = Record<string, string>;

/** What start and doctor refuse the settings with, line by line. */
function refusal(read: () => unknown): string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n').map((line) => line.trim());
    throw error;
  }
  return [];
}

const slack = { SLACK_SIGNING_SECRET: 's', SLACK_BOT_TOKEN: 'xoxb-1' };
const https = { BASE_URL: 'https://push.example.com', TRUSTED_PROXIES: '127.0.0.1' };
const mysql = 'mysql://hush:tulip@127.0.0.1:1/pushes';

/** Planted mistake, settings, and what start and doctor refuse them with. */
const refused: [fault: string, settings: Settings, line: RegExp][] = [
  ['a port that does not exist', { PORT: '99999' }, /^PORT must be /],
  ['a misspelt name', { BASEURL: 'x' }, /^BASEURL is not a setting; did you mean BASE_URL\?/],
  ['another misspelt name', { ALOW_ANONYMOUS: 'false' }, /did you mean ALLOW_ANONYMOUS\?/],
  ['half of Slack', { SLACK_CLIENT_ID: 'i' }, /^SLACK_SIGNING_SECRET must be set/],
  ['half of Discord', { DISCORD_TOKEN: 't' }, /^DISCORD_APPLICATION_ID must be set/],
  [
    'everybody as a proxy',
    { TRUSTED_PROXIES: '0.0.0.0/0' },
    /^TRUSTED_PROXIES must not list all addresses: /,
  ],
  ['everybody as a proxy, on IPv6', { TRUSTED_PROXIES: '10.0.0.1,::/0' }, /must not list all addresses: /],
  ['a bucket with too short a name', { FILES_URL: 's3://b' }, /^FILES_URL .*at least 3 characters/],
  ['a default out of bounds', { DEFAULT_EXPIRE_AFTER_DAYS: '100' }, /must be within MIN_/],
];

/** Planted mistake, settings, and the code of what doctor finds and start logs. */
const warned: [fault: string, settings: Settings, code: string][] = [
  ['a public address without TLS', { BASE_URL: 'http://push.example.com' }, 'notHttps'],
  ['an address of the network without TLS', { HOST: '192.0.2.1' }, 'notHttps'],
  ['no trusted proxies', { BASE_URL: 'https://push.example.com', HOST: '0.0.0.0' }, 'proxiesMissing'],
  ['links to all addresses', { HOST: '0.0.0.0' }, 'linksOnlyHere'],
  ['links to this machine', { HOST: '0.0.0.0', BASE_URL: 'http://localhost:5100' }, 'linksOnlyHere'],
  ['the key file of another database', { DATABASE_URL: mysql }, 'keyFileByDefault'],
  ['Slack over loopback', slack, 'chatNeedsHttps'],
  ['many processes on SQLite', { WEB_PROCESSES: '8' }, 'processesOnSqlite'],
  ['files that no upload may hold', { MAX_FILE_MIB: '500', MAX_UPLOAD_MIB: '100' }, 'fileAboveUpload'],
  [
    'a gateway that knows no proxy',
    {
      EGRESS_PROXY: 'http://proxy.test:3128',
      DISCORD_TOKEN: 't',
      DISCORD_APPLICATION_ID: '12345678901234567',
    },
    'gatewayIsDirect',
  ],
  ['guessable passphrases', { RATE_LIMITS: 'off' }, 'limitsOff'],
];

/** A certificate, with its key in front. */
const selfSignedCertificate = () =>
  execFileSync(
    'openssl',
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout - -days 1 -subj /CN=hushpush'.split(
      ' ',
    ),
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );

const describeOnce = onMariadb ? () => {} : describe;

describeOnce('Settings that cannot work', () => {
  for (const [fault, settings, line] of refused) {
    it(`are refused by start and doctor: ${fault}`, () => {
      expect(refusal(() => readConfig(settings)).some((one) => line.test(one))).to.equal(true);
    });
  }

  it('are refused by start and doctor: a .env that cannot be read', () => {
    expect(refusal(() => readDotEnv('/dev'))).to.deep.equal(['The file /dev cannot be read (EISDIR).']);
  });

  for (const [fault, settings, code] of warned) {
    it(`are reported by doctor and in the log: ${fault}`, () => {
      const found = (given: Settings) =>
        checkSettings(readConfig(given))
          .filter(({ state }) => state !== 'ok')
          .map((finding) => finding.code);
      expect(found(settings)).to.include(code);
      expect(found(https)).to.deep.equal([]);
    });
  }

  it('do not include a BASE_URL with a path, of which doctor says what the proxy must do', () => {
    const [found] = checkSettings(readConfig({ ...https, BASE_URL: 'https://example.com/push' })).filter(
      ({ check }) => check === 'BASE_URL',
    );
    expect(found).to.include({ state: 'ok', code: 'linksStartBelow' });
    expect(found?.finding).to.contain('may pass /push on or remove it');
  });
});

describe('doctor', () => {
  let folder: Folder;
  let service: TestService;
  let settings: Settings;

  before(async () => {
    folder = await openFolder();
    service = await startService();
    settings = { ...service.shared, FILES_DIR: service.filesFolder };
  });

  after(async () => {
    await service.stop();
    await folder.remove();
  });

  const codes = async (extra: Settings) => {
    const found = await examined({ ...settings, ...extra });
    return Object.fromEntries(Object.entries(found).map(([check, { code }]) => [check, code]));
  };

  it('finds that nobody runs the jobs, until a worker does', async () => {
    expect((await codes({})).jobs).to.equal('jobsNotYet');
    expect((await codes({ JOBS: 'off' })).jobs).to.equal('jobsNotRun');
    const nextRunAt = new Date(await service.domain.clock());
    const { repository } = createAgendaBackend(service.database);
    await repository.saveJob({ name: 'purge', type: 'single', priority: 0, nextRunAt, data: {} }, undefined);
    const run = JSON.stringify({ lastRunAt: nextRunAt });
    await service.database.execute('UPDATE scheduler_jobs SET run = $run', { run });
    expect((await codes({ JOBS: 'off' })).jobs).to.equal('jobsRun');
  });

  it('finds other keys, a short key, a key file that too many can read, and a missing one', async () => {
    expect((await codes(newSharedSettings(service.databaseUrl))).keys).to.equal('keysDiffer');
    expect((await codes({ MASTER_KEYS: '1:c2hvcnQ=' })).keys).to.equal('keysUnusable');
    const { MASTER_KEYS: _, PEPPER: __, ...withoutKeys } = settings;
    const path = join(folder.path, 'master.key');
    const keyFile = async () => (await examined({ ...withoutKeys, MASTER_KEYS_FILE: path }))['key file'];
    expect((await keyFile())?.code).to.equal('keyFileMissing');
    await createKeyFile(path);
    for (const [mode, state, code] of [
      [0o600, 'ok', 'keyFilePrivate'],
      [0o440, 'warning', 'keyFileOfGroup'],
      [0o444, 'failure', 'keyFileOpen'],
      [0o604, 'failure', 'keyFileOpen'],
    ] as const) {
      await chmod(path, mode);
      expect(await keyFile(), mode.toString(8)).to.include({ state, code });
    }
  });

  it('names host, port and database of a server that is out of reach, but no password', async () => {
    for (const [url, code, place] of [
      [mysql, 'databaseRefuses', '127.0.0.1:1, database pushes'],
      ['sqlite:/dev/null/dir/hushpush.db', 'databaseNotCreatable', '/dev/null/dir/hushpush.db'],
      [`sqlite:${join(folder.path, 'no/such/x.db')}`, 'databaseFolderNotYet', 'no/such/x.db'],
      ...(onMariadb
        ? [[new URL('/none', service.databaseUrl).href, 'databaseUnknown', 'database none']]
        : []),
    ] as const) {
      const { database } = await examined({ ...settings, DATABASE_URL: String(url) });
      expect(database?.code).to.equal(code);
      expect(database?.finding).to.contain(place).and.not.contain('tulip');
    }
  });

  it('fails where the disk is nearly full, and warns before', async function () {
    const disk = join(folder.path, 'disk');
    await mkdir(disk);
    if (spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', disk]).status !== 0) return this.skip(); // needs to mount one
    for (const [mib, state, code] of [
      [32, 'failure', 'diskFull'],
      [128, 'warning', 'diskLow'],
    ]) {
      const mounted = `mount -t tmpfs -o size=${mib}m tmpfs "$0" && exec "$@"`;
      const command = [
        'unshare',
        '-rm',
        'sh',
        '-c',
        mounted,
        disk,
        process.execPath,
        builtMain(),
        'doctor',
        '--json',
      ];
      const { ended } = folder.launch(command, { settings: { ...settings, FILES_DIR: disk, PORT: '1' } });
      const found: { check: string }[] = JSON.parse((await ended).stdout);
      expect(found.find(({ check }) => check === 'disk')).to.include({ state, code });
    }
  });

  it('finds a bucket without region or credentials, and nothing else is printed', async () => {
    const { code, stderr, stdout } = await folder.run('doctor --json', {
      settings: { ...settings, FILES_URL: 's3://bucket', PORT: '1', AWS_EC2_METADATA_DISABLED: 'true' },
    });
    expect({ code, stderr }).to.deep.equal({ code: 1, stderr: '' });
    expect(stdout)
      .to.contain('"bucketFails"')
      .and.contain('Region is missing')
      .and.contain('AWS_ENDPOINT_URL_S3');
  });

  describe('with chats', () => {
    let slackApp: Slack;
    let discord: Discord;

    before(async () => {
      [slackApp, discord] = await Promise.all([startSlack(), startDiscord()]);
    });

    after(() => Promise.all([slackApp.stop(), discord.stop()]));

    it('finds tokens that Slack and Discord refuse, and accepts theirs', async () => {
      const socket = { ...slack, SLACK_MODE: 'socket', SLACK_APP_TOKEN: slackApp.app.appToken };
      const good = discordEnvironment(discord, 'http') as Settings;
      expect(await codes({ ...socket, SLACK_API_URL: slackApp.apiUrl, ...good })).to.include({
        SLACK_BOT_TOKEN: 'tokenRefused',
        SLACK_APP_TOKEN: 'tokenAccepted',
        DISCORD_TOKEN: 'tokenAccepted',
      });
      expect(await codes({ ...good, DISCORD_TOKEN: 'tulip' })).to.include({ DISCORD_TOKEN: 'tokenRefused' });
      const other = { DISCORD_APPLICATION_ID: '12345678901234567', DISCORD_PUBLIC_KEY: '0a'.repeat(32) };
      expect(await codes({ ...good, ...other })).to.include({
        DISCORD_APPLICATION_ID: 'tokenRefused',
        DISCORD_PUBLIC_KEY: 'tokenRefused',
      });
    });

    it('only warns when a chat is out of reach, and never quotes a token', async () => {
      const found = await examined({
        ...settings,
        ...slack,
        ...(discordEnvironment(discord, 'http') as Settings),
        SLACK_API_URL: 'http://127.0.0.1:1/',
        DISCORD_API_URL: 'http://127.0.0.1:1/',
      });
      for (const check of ['SLACK_BOT_TOKEN', 'DISCORD_TOKEN'])
        expect(found[check]).to.include({ state: 'warning', code: 'tokenUnchecked' });
      expect(JSON.stringify(found)).to.not.contain(discord.token).and.not.contain('xoxb-1');
    });
  });

  describe('asks the running service', () => {
    let proxy: Server;
    let proxied: string;
    let answer: { status?: number; headers: Settings };

    before(async () => {
      proxy = createServer((req, res) => {
        req.resume();
        if (answer.status !== undefined) return res.writeHead(answer.status).end();
        if (Number(req.headers['content-length'] ?? 0) > 1024 ** 2) return res.writeHead(413).end();
        const headers = { ...req.headers, ...answer.headers };
        return request(`${service.url}${req.url}`, { headers, method: req.method }, (from) => {
          res.writeHead(from.statusCode ?? 502, { ...from.headers, ...answer.headers });
          from.pipe(res);
        }).end();
      });
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
      proxied = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    });

    after(() => proxy.close());

    it('and is content when it responds', async () => {
      const found = await codes({ BASE_URL: service.url });
      expect(found).to.include({ service: 'serviceReady' });
      expect(found).to.not.have.any.keys('proxy', 'uploads', 'service clock');
    });

    it('through a proxy, and finds one that is not trusted, limits uploads, or has another clock', async () => {
      answer = { headers: { 'x-forwarded-for': '192.0.2.1', date: new Date(0).toUTCString() } };
      expect(await codes({ BASE_URL: proxied })).to.include({
        service: 'serviceReady',
        proxy: 'proxyNotTrusted',
        uploads: 'proxyLimitsBody',
        'service clock': 'serviceClockDiffers',
      });
    });

    it('and finds that something else responds, or nothing', async () => {
      answer = { status: 200, headers: {} };
      expect(await codes({ BASE_URL: proxied })).to.include({ service: 'serviceElsewhere' });
      answer = { status: 503, headers: {} };
      expect(await codes({ BASE_URL: proxied })).to.include({ service: 'serviceNotReady' });
      expect(await codes({ BASE_URL: 'http://127.0.0.1:1' })).to.include({ service: 'serviceAway' });
      expect(await codes({ BASE_URL: 'https://localhost:1' })).to.include({ service: 'serviceAway' });
    });

    it('and finds a name without an address, and a certificate that nobody trusts', async function () {
      const tooLong = 'a'.repeat(64); // for a name, so no server is asked for it
      expect(await codes({ BASE_URL: `https://${tooLong}.example` })).to.include({
        service: 'serviceNameUnknown',
      });
      if (findProgram('openssl') === undefined) return this.skip();
      const pem = selfSignedCertificate();
      const tls = createTlsServer({ key: pem, cert: pem });
      await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve));
      const { port } = tls.address() as AddressInfo;
      const found = await codes({ BASE_URL: `https://127.0.0.1:${port}` });
      tls.close();
      expect(found).to.include({ service: 'certificateInvalid' });
    });
  });
});
