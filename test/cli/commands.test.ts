import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import bcrypt from 'bcrypt';
import { expect } from 'chai';
import { parseKeyring } from '../../src/crypto/keyring.ts';
import { pepperedPassword } from '../../src/crypto/pepper.ts';
import { readKeyFile } from '../../src/runtime/keyFile.ts';
import { bearer, createClient } from '../harness/api.ts';
import { openFolder, type ProcessResult } from '../harness/cli.ts';
import { onMariadb } from '../harness/database.ts';
import { type DatabaseFolder, openDatabaseFolder } from '../harness/databaseFolder.ts';
import { newSharedSettings } from '../harness/process.ts';
import { migrationsFolder } from '../harness/service.ts';

const loadedAt = Date.now();
const migrations = readdirSync(migrationsFolder)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replace(/\.ts$/, ''))
  .sort();

const openKeyFolder = () => openDatabaseFolder({}, { keyFile: 'master.key' });

/** What a command printed as JSON; fails unless that is all that it printed, and it ended well. */
function jsonOf(outcome: ProcessResult | undefined): unknown {
  expect(outcome).to.include({ code: 0, stderr: '' });
  expect(outcome?.stdout).to.match(/^[^\n]+\n$/);
  return JSON.parse(outcome?.stdout ?? '');
}

describe('The command line', () => {
  const commands = [
    'migrate status',
    'migrate up',
    'admin account list',
    'admin account create Ann@Example.com --subscribed',
    'admin account unsubscribe ann@example.com',
    'admin account subscribe ann@example.com',
    'admin account promote ann@example.com',
    'admin account demote ann@example.com',
    'admin account disable ann@example.com',
    'admin account enable ann@example.com',
    'admin token create ann@example.com --name laptop',
    'admin token create ann@example.com --name ci --scope create --days 90',
    'admin token list ann@example.com',
    'admin token replace ann@example.com --name ci --hours 24',
    'admin token revoke ann@example.com --name laptop',
    'admin rule create ann@example.com --name app --issuer https://gitlab.com --claim project_path=acme/app ref=main',
    'admin rule list ann@example.com',
    'admin account delete ANN@example.com --yes',
    'admin keys list',
    'doctor',
    'admin keys add',
    'admin keys reseal',
    'admin keys remove 2',
    'migrate down --yes',
    'migrate down --to 0 --yes',
  ];
  let wordsFolder: DatabaseFolder;
  let jsonFolder: DatabaseFolder;
  let words: Map<string, string>;
  let json: Map<string, string>;

  const inWords = (command: string) => words.get(command);

  function asJson(command: string): unknown {
    const printed = json.get(`${command} --json`) ?? '';
    expect(printed).to.match(/^[^\n]+\n$/);
    return JSON.parse(printed);
  }

  before(async () => {
    [wordsFolder, jsonFolder] = await Promise.all([openKeyFolder(), openKeyFolder()]);
    [words, json] = await Promise.all([
      wordsFolder.runAll(commands),
      jsonFolder.runAll(commands.map((command) => `${command} --json`)),
    ]);
  });

  after(() => Promise.all([wordsFolder.remove(), jsonFolder.remove()]));

  it('migrate status lists applied and pending migrations', () => {
    expect(asJson('migrate status')).to.deep.equal({
      applied: [],
      pending: migrations,
      newer: [],
      problem: null,
    });
    expect(inWords('migrate status')).to.equal(`Applied: none\nPending:\n  ${migrations.join('\n  ')}\n`);
  });

  it('migrate up applies pending migrations', () => {
    expect(asJson('migrate up')).to.deep.equal({ applied: migrations });
    expect(inWords('migrate up')).to.equal(`Applied:\n  ${migrations.join('\n  ')}\n`);
  });

  it('migrate down reverts the newest migration, or all with --to 0', () => {
    const [newest = '', ...others] = [...migrations].reverse();
    expect(asJson('migrate down --yes')).to.deep.equal({ reverted: [newest] });
    expect(inWords('migrate down --yes')).to.equal(`Reverted:\n  ${newest}\n`);
    expect(asJson('migrate down --to 0 --yes')).to.deep.equal({ reverted: others });
    expect(inWords('migrate down --to 0 --yes')).to.equal(`Reverted:\n  ${others.join('\n  ')}\n`);
  });

  it('account create creates an account and shows its first token', () => {
    expect(asJson('admin account create Ann@Example.com --subscribed'))
      .to.have.all.keys('email', 'token')
      .and.include({ email: 'ann@example.com' });
    expect(inWords('admin account create Ann@Example.com --subscribed')).to.match(
      /^Created account ann@example\.com\. Its API token, shown only once:\nhp_\w{38}\n$/,
    );
  });

  it('account list is empty when there are no accounts', () => {
    expect(asJson('admin account list')).to.deep.equal([]);
    expect(inWords('admin account list')).to.equal('There are no accounts yet.\n');
  });

  it('account subscribe and unsubscribe print whether the account can attach files', () => {
    for (const [name, subscribed, words] of [
      ['subscribe', true, 'can attach files now'],
      ['unsubscribe', false, 'can no longer attach files'],
    ] as const) {
      const command = `admin account ${name} ann@example.com`;
      expect(asJson(command)).to.deep.equal({ email: 'ann@example.com', subscribed });
      expect(inWords(command)).to.equal(`ann@example.com ${words}.\n`);
    }
  });

  it('account promote, demote, disable and enable print the new state of the account', () => {
    for (const [name, said, words] of [
      [
        'promote',
        { admin: true },
        'can manage other accounts now.\nIt has no password for the web yet: hushpush admin account invite ann@example.com makes a link to set one',
      ],
      ['demote', { admin: false }, 'can no longer manage other accounts'],
      ['disable', { disabled: true }, 'is disabled'],
      ['enable', { disabled: false }, 'is enabled'],
    ] as const) {
      const command = `admin account ${name} ann@example.com`;
      expect(asJson(command)).to.deep.equal({ email: 'ann@example.com', ...said });
      expect(inWords(command)).to.equal(`ann@example.com ${words}.\n`);
    }
  });

  it('token create creates another token for an account', () => {
    const command = 'admin token create ann@example.com --name laptop';
    expect(asJson(command))
      .to.have.all.keys('email', 'name', 'token')
      .and.include({ email: 'ann@example.com', name: 'laptop' });
    expect(inWords(command)).to.match(/^Token laptop of ann@example\.com, shown only once:\nhp_\w{38}\n$/);
  });

  it('token list prints the names of tokens, but no token', () => {
    const command = 'admin token list ann@example.com';
    const rows = asJson(command) as Record<string, unknown>[];
    expect(rows.map(({ name }) => name)).to.deep.equal(['ci', 'first token', 'laptop']);
    const { token } = asJson('admin token create ann@example.com --name laptop') as { token: string };
    const { created_at, ...laptop } = rows[2] ?? {};
    expect(laptop).to.deep.equal({
      name: 'laptop',
      ends_in: token.slice(-4),
      scope: 'full',
      last_used_at: null,
      last_used_from: null,
      expires_at: null,
      expired: false,
      previous_until: null,
    });
    const [{ scope, expires_at, ...ci } = {}] = rows;
    expect(scope).to.equal('create');
    expect(Date.parse(String(expires_at)) - Date.parse(String(ci.created_at))).to.equal(90 * 86_400_000);
    expect(Date.parse(String(created_at))).to.be.within(loadedAt - 1_000, Date.now() + 1_000);
    expect(inWords(command)).to.match(
      /^name +ends_in +scope +created_at +last_used_at +last_used_from +expires_at +expired +previous_until\nci +\w{4} +create .*\nfirst token +\w{4} +full .*\nlaptop .* - {2,}- {2,}- {2,}no +-\n$/,
    );
    for (const shown of [JSON.stringify(rows), inWords(command)]) expect(shown).to.not.match(/hp_|\w{32}/);
  });

  it('token replace makes another token, and says until when the one before works', () => {
    const command = 'admin token replace ann@example.com --name ci --hours 24';
    const { token, previous_until, ...named } = asJson(command) as Record<string, string>;
    expect(named).to.deep.equal({ email: 'ann@example.com', name: 'ci' });
    expect(token).to.match(/^hp_\w{38}$/);
    expect(Date.parse(previous_until ?? '')).to.be.within(loadedAt + 86_400_000, Date.now() + 86_400_000);
    expect(inWords(command)).to.match(
      /^Token ci of ann@example\.com, shown only once; the one before works until .*Z:\nhp_\w{38}\n$/,
    );
  });

  it('token revoke revokes a token', () => {
    const command = 'admin token revoke ann@example.com --name laptop';
    expect(asJson(command)).to.deep.equal({ email: 'ann@example.com', name: 'laptop', revoked: true });
    expect(inWords(command)).to.equal('Revoked token laptop of ann@example.com.\n');
  });

  it('rule create and rule list print what is trusted, and its audience', () => {
    const create =
      'admin rule create ann@example.com --name app --issuer https://gitlab.com --claim project_path=acme/app ref=main';
    const created = asJson(create) as Record<string, unknown>;
    expect(created).to.deep.include({
      ...{ name: 'app', issuer: 'https://gitlab.com', audience: `hushpush:${created.id}` },
      claims: { project_path: 'acme/app', ref: 'main' },
      ...{ scope: 'create', minutes: 15, last_used_at: null },
    });
    expect(asJson('admin rule list ann@example.com')).to.deep.equal([created]);
    expect(inWords(create)).to.match(/^Created the rule app\. Its audience is hushpush:[0-9a-f]{32}\n$/);
    expect(inWords('admin rule list ann@example.com')).to.include('project_path=acme/app ref=main');
  });

  it('account delete deletes an account', () => {
    const command = 'admin account delete ANN@example.com --yes';
    expect(asJson(command)).to.deep.equal({ email: 'ann@example.com', deleted: true });
    expect(inWords(command)).to.equal('Deleted ann@example.com and everything it owned.\n');
  });

  it('keys list and keys add print the ids of keys, but no key', () => {
    expect(asJson('admin keys list')).to.deep.equal([
      { key_id: 1, state: 'active', records: {}, expiring: 0, until: null, lacked_by: [] },
    ]);
    expect(inWords('admin keys list')).to.equal(
      'key_id  state   encrypts  cannot_be_resealed\n1       active  nothing   -\n',
    );
    const fileOf = ({ path }: DatabaseFolder) => join(path, 'master.key');
    expect(asJson('admin keys add')).to.deep.equal({ key_id: 2, file: fileOf(jsonFolder) });
    expect(inWords('admin keys add')).to.equal(
      `Added master key 2 to ${fileOf(wordsFolder)}. Copy the file to every machine. It encrypts new records once every process has read it, in a few seconds; see hushpush admin keys list.\n`,
    );
  });

  it('keys reseal and keys remove report what they did', () => {
    expect(asJson('admin keys reseal')).to.deep.equal({ resealed: 0, unreadable: 0 });
    expect(inWords('admin keys reseal')).to.equal('Encrypted 0 rows under the active key.\n');
    const fileOf = ({ path }: DatabaseFolder) => join(path, 'master.key');
    expect(asJson('admin keys remove 2')).to.deep.equal({ key_id: 2, file: fileOf(jsonFolder) });
    expect(inWords('admin keys remove 2')).to.equal(
      `Removed master key 2 from ${fileOf(wordsFolder)}. Copy the file to every machine.\n`,
    );
    for (const folder of [jsonFolder, wordsFolder]) {
      expect(readFileSync(fileOf(folder), 'utf8')).to.match(/^MASTER_KEYS=1:\S{44}$/m);
    }
  });

  it('doctor finds no problems in a new service', () => {
    const findings = asJson('doctor') as { check: string; state: string; finding: string }[];
    expect(
      findings.filter(({ check }) => check !== 'disk').map(({ check, state }) => `${check} ${state}`),
    ).to.deep.equal([
      '.env ok',
      'BASE_URL ok',
      'RATE_LIMITS warning',
      'TRUSTED_PROXIES ok',
      'database ok',
      ...(onMariadb ? ['packets ok'] : []),
      'schema ok',
      'clock ok',
      'keys ok',
      'pushes ok',
      'jobs ok',
      'expiry ok',
      'outbox ok',
      'shredding ok',
      'files ok',
      'key file ok',
      'service warning',
    ]);
    expect(findings.find(({ check }) => check === 'keys')?.finding).to.equal(
      'they match the database, and master key 1 is active: 1 encrypts nothing',
    );
    expect(inWords('doctor')).to.match(
      /^ok {7}schema: all migrations are applied, and the tables are those that they make$/m,
    );
  });
});

describe('A command beside a running service', () => {
  it('takes effect immediately: tokens work, are refused once revoked, and are deleted with their account and its pushes', async () => {
    const folder = await openKeyFolder();
    try {
      const served = await folder.start();
      await served.ready();
      const client = createClient(served.port);
      const statusOf = async (token: string) => (await client.get('/p/active.json', bearer(token))).status;
      const run = async (command: string) => jsonOf(await folder.run(command)) as { token: string };

      const { token } = await run('admin account create ann@example.com --json');
      const laptop = await run('admin token create ann@example.com --name laptop --json');
      expect(await statusOf(laptop.token)).to.equal(200);
      await run('admin token revoke ann@example.com --name laptop --json');
      expect(await statusOf(laptop.token)).to.equal(401);
      expect(await statusOf(token)).to.equal(200);

      const push = await client.create({ payload: 'tulip' }, bearer(token));
      await client.get(push.json);
      await run('admin account delete ann@example.com --yes --json');
      expect(await statusOf(token)).to.equal(401);
      expect(await client.get(push.json)).to.have.property('status', 404);
      const counts = ['accounts', 'api_tokens', 'pushes', 'audit_rows'].map(
        (table) => `(SELECT COUNT(*) FROM ${table}) AS ${table}`,
      );
      const [row = {}] = await folder.withDatabase(({ select }) =>
        select<Record<string, number>>(`SELECT ${counts.join(', ')}`, {}),
      );
      expect(Object.values(row).map(Number)).to.deep.equal([0, 0, 0, 0]);
      client.close();
    } finally {
      await folder.remove();
    }
  });
});

describe('account create', () => {
  let folder: DatabaseFolder;
  let made: ProcessResult;

  before(async () => {
    folder = await openKeyFolder();
    await folder.run('migrate up');
    const words = 'admin account create ann@example.com --password-stdin --json';
    made = await folder.run(words, { input: ' correct horse battery staple \n' });
  });

  after(() => folder.remove());

  it('reads a password from standard input, with spaces but without the line break', async () => {
    expect(jsonOf(made)).to.have.property('email', 'ann@example.com');
    const keys = await readKeyFile(join(folder.path, 'master.key'));
    const keyring = parseKeyring(keys?.masterKeys ?? '', keys?.pepper ?? '');
    const [row] = await folder.withDatabase(({ select }) =>
      select<{ hash: string }>('SELECT password_hash AS hash FROM accounts', {}),
    );
    const peppered = pepperedPassword(keyring, ' correct horse battery staple ') ?? '';
    expect(await bcrypt.compare(peppered, row?.hash ?? '')).to.equal(true);
  });

  it('is listed with what it may do, and whether it is disabled', async () => {
    await folder.withDatabase(({ execute }) =>
      execute('UPDATE accounts SET is_admin = TRUE, disabled_at = 1', {}),
    );
    const [inWords, asJson] = await Promise.all([
      folder.run('admin account list'),
      folder.run('admin account list --json'),
    ]);
    const [{ created_at, ...ann } = {}] = jsonOf(asJson) as Record<string, unknown>[];
    expect(ann).to.deep.equal({ email: 'ann@example.com', subscribed: false, admin: true, disabled: true });
    expect(Date.parse(String(created_at))).to.be.within(loadedAt - 1_000, Date.now() + 1_000);
    expect(inWords.stdout).to.match(
      /^email +subscribed +admin +disabled +created_at\nann@example\.com +no +yes +yes +2\S+Z\n$/,
    );
  });

  const refusals: { words: string; problem: string; input?: string }[] = [
    {
      words: 'admin account create ANN@example.com',
      problem: 'There is already an account ann@example.com.',
    },
    {
      words: 'admin account create tulip --json',
      problem: 'email must be an e-mail address',
    },
    {
      words: 'admin account create ben@example.com --password-stdin',
      problem: 'password must have at least 12 characters',
      input: 'tulip\n',
    },
    {
      words: 'admin token list ben@example.com',
      problem: 'There is no account ben@example.com.',
    },
    {
      words: 'admin account delete ANN@example.com',
      problem:
        'This deletes the account ann@example.com with its tokens, its pushes and their audit logs. Add --yes to agree.',
    },
    {
      words: 'admin account delete ben@example.com',
      problem: 'There is no account ben@example.com.',
    },
    {
      words: 'migrate down --to tulip --json',
      problem: 'The migration tulip is not applied.',
    },
  ];

  it('exits with 1 like every other command when refused, and prints the reason in one line, as JSON with --json', async () => {
    const outcomes = await Promise.all(refusals.map(({ words, input = '' }) => folder.run(words, { input })));
    for (const [index, { words, problem }] of refusals.entries()) {
      const asJson = words.endsWith('--json');
      const stderr = asJson ? `${JSON.stringify({ error: problem })}\n` : `hushpush: ${problem}\n`;
      expect(outcomes[index], words).to.deep.equal({ code: 1, signal: null, stdout: '', stderr });
    }
  });
});

describe('keys add', () => {
  it('exits with 78 when the keys are not in a file', async () => {
    const folder = await openFolder(newSharedSettings(`sqlite:${join('nowhere', 'hushpush.db')}`));
    const { code, stderr } = await folder.run('admin keys add').finally(folder.remove);
    expect(code).to.equal(78);
    expect(stderr).to.match(
      /^hushpush: The keys are in MASTER_KEYS: put a new one in front there, [^\n]*\n$/,
    );
  });
});

describe('A command without a database', () => {
  /** A server that takes connections and never says a word, as one that hangs. */
  async function mute() {
    const server = createServer(() => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    return { url: `mysql://root:tulip@127.0.0.1:${port}/hushpush`, close: () => server.close() };
  }

  it('exits with 1 and prints one line, even when the database server accepts connections and never responds', async () => {
    const folder = await openFolder();
    const server = await mute();
    const away = onMariadb ? 'mysql://root:tulip@127.0.0.1:1/hushpush' : `sqlite:${folder.path}`;
    const attempts: [string, string][] = [
      ['admin account list', away],
      ['admin account create ann@example.com --json', onMariadb ? server.url : away],
    ];
    try {
      const outcomes = await Promise.all(
        attempts.map(([words, url]) => folder.run(words, { settings: newSharedSettings(url) })),
      );
      for (const { code, stdout, stderr } of outcomes) {
        expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
        expect(stderr).to.match(
          /^[^\n]*The database is out of reach\. Try again shortly\. \([A-Z_]+\)[^\n]*\n$/,
        );
        expect(stderr).to.not.contain('tulip');
      }
      expect(JSON.parse(outcomes[1]?.stderr ?? '')).to.have.all.keys('error');
    } finally {
      server.close();
      await folder.remove();
    }
  });
});
