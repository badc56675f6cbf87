import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import bcrypt from 'bcrypt';
import { expect } from 'chai';
import { pepperedPassword } from '../../src/domain/cipher.ts';
import { connectDatabase } from '../../src/domain/database.ts';
import { parseKeyring } from '../../src/domain/keyring.ts';
import { makeKeyFile, readKeyFile } from '../../src/keyFile.ts';
import { bearer, createClient } from '../harness/api.ts';
import { type Outcome, openFolder } from '../harness/cli.ts';
import { type FreshDatabase, freshDatabase, onMariadb } from '../harness/database.ts';
import { shareDatabase } from '../harness/process.ts';

const migrations = [
  '0001-accounts',
  '0002-api-tokens',
  '0003-pushes',
  '0004-audit-rows',
  '0005-rate-limits',
  '0006-key-checks',
];

/** A fresh database with a key file, and a folder whose commands know both. */
async function openSite() {
  const fresh = await freshDatabase();
  const folder = await openFolder({
    DATABASE_URL: fresh.url,
    RATE_LIMITS: 'off',
    MASTER_KEYS_FILE: 'master.key',
  });
  await makeKeyFile(join(folder.path, 'master.key'));
  return {
    fresh,
    folder,
    async close() {
      await folder.remove();
      await fresh.drop();
    },
  };
}

type Site = Awaited<ReturnType<typeof openSite>>;

async function rowsOf<Row extends object>({ url }: FreshDatabase, sql: string): Promise<Row[]> {
  const database = connectDatabase(url, { poolSize: 1 });
  return database.rows<Row>(sql, {}).finally(database.close);
}

/** What a command printed as JSON; fails unless that is all that it printed, and it ended well. */
function jsonOf(outcome: Outcome | undefined): unknown {
  expect(outcome).to.include({ code: 0, stderr: '' });
  expect(outcome?.stdout).to.match(/^[^\n]+\n$/);
  return JSON.parse(outcome?.stdout ?? '');
}

describe('the commands', function () {
  this.timeout(60_000);

  const json = new Map<string, Outcome>();
  let words: Map<string, string>;
  const statuses: Record<string, number> = {};
  let kept: { rows: number[]; keyFile: string };
  let first: Site;
  let second: Site;

  const asJson = (command: string) => jsonOf(json.get(command));
  const inWords = (command: string) => words.get(command);
  const tokenOf = (command: string) => (asJson(command) as { token: string }).token;

  async function run(...commands: string[]): Promise<void> {
    const outcomes = await Promise.all(commands.map((command) => first.folder.run(`${command} --json`)));
    for (const [index, outcome] of outcomes.entries()) json.set(commands[index] ?? '', outcome);
  }

  /** Runs every command, those side by side that have nothing to do with one another. */
  async function story(): Promise<void> {
    await run('migrate status');
    await run('migrate up');
    const [served] = await Promise.all([first.folder.start(), run('account list', 'keys list')]);
    await served.ready();
    const client = createClient(served.port);
    const statusOf = async (token: string) => (await client.get('/p/active.json', bearer(token))).status;

    await run('account create Ann@Example.com --subscribed', 'doctor');
    await run('token create ann@example.com --name laptop');
    const token = tokenOf('account create Ann@Example.com --subscribed');
    const laptop = tokenOf('token create ann@example.com --name laptop');
    statuses.created = await statusOf(laptop);
    await run('token list ann@example.com', 'account unsubscribe ann@example.com');
    await run('token revoke ann@example.com --name laptop', 'account subscribe ann@example.com');
    statuses.revoked = await statusOf(laptop);
    statuses.other = await statusOf(token);
    const push = await client.create({ payload: 'tulip' }, bearer(token));
    await client.get(push.json);
    await run('account delete ANN@example.com', 'keys add');
    statuses.erased = await statusOf(token);
    statuses.push = (await client.get(push.json)).status;
    statuses.stopped = (await served.stop()).code ?? -1;
    client.close();

    const tables = ['accounts', 'api_tokens', 'pushes', 'audit_rows'];
    const counts = tables.map((table) => `(SELECT COUNT(*) FROM ${table}) AS ${table}`);
    const [row = {}] = await rowsOf<Record<string, number>>(first.fresh, `SELECT ${counts.join(', ')}`);
    kept = {
      rows: Object.values(row).map(Number),
      keyFile: await readFile(join(first.folder.path, 'master.key'), 'utf8'),
    };
    await run('migrate down');
    await run('migrate down --to 0');
  }

  before(async () => {
    first = await openSite();
    second = await openSite();
    await story();
    words = await second.folder.runAll([...json.keys()]);
  });

  after(async () => {
    await first.close();
    await second.close();
  });

  it('migrate status tells what is applied from what is pending', () => {
    expect(asJson('migrate status')).to.deep.equal({ applied: [], pending: migrations });
    expect(inWords('migrate status')).to.equal(`Applied:\nPending:\n  ${migrations.join('\n  ')}\n`);
  });

  it('migrate up applies what is pending', () => {
    expect(asJson('migrate up')).to.deep.equal({ applied: migrations });
    expect(inWords('migrate up')).to.equal(`Applied:\n  ${migrations.join('\n  ')}\n`);
  });

  it('migrate down takes back the newest, or all for --to 0', () => {
    const [newest = '', ...others] = [...migrations].reverse();
    expect(asJson('migrate down')).to.deep.equal({ reverted: [newest] });
    expect(inWords('migrate down')).to.equal(`Taken back:\n  ${newest}\n`);
    expect(asJson('migrate down --to 0')).to.deep.equal({ reverted: others });
    expect(inWords('migrate down --to 0')).to.equal(`Taken back:\n  ${others.join('\n  ')}\n`);
  });

  it('account create makes an account and shows its first token', () => {
    expect(asJson('account create Ann@Example.com --subscribed'))
      .to.have.all.keys('email', 'token')
      .and.include({ email: 'ann@example.com' });
    expect(inWords('account create Ann@Example.com --subscribed')).to.match(
      /^Account ann@example\.com is made\. Its API token, shown this once:\nhp_\w{38}\n$/,
    );
  });

  it('account list, where there is none, is empty', () => {
    expect(asJson('account list')).to.deep.equal([]);
    expect(inWords('account list')).to.equal('There are no accounts yet.\n');
  });

  it('account subscribe and unsubscribe say what the account may do', () => {
    for (const [name, subscribed, words] of [
      ['subscribe', true, 'may attach files now'],
      ['unsubscribe', false, 'may not attach files now'],
    ] as const) {
      const command = `account ${name} ann@example.com`;
      expect(asJson(command)).to.deep.equal({ email: 'ann@example.com', subscribed });
      expect(inWords(command)).to.equal(`ann@example.com ${words}.\n`);
    }
  });

  it('token create makes a token that works at once in a running service', () => {
    const command = 'token create ann@example.com --name laptop';
    expect(asJson(command))
      .to.have.all.keys('email', 'name', 'token')
      .and.include({ email: 'ann@example.com', name: 'laptop' });
    expect(inWords(command)).to.match(/^Token laptop of ann@example\.com, shown this once:\nhp_\w{38}\n$/);
    expect(statuses.created).to.equal(200);
  });

  it('token list names tokens without showing one', () => {
    const command = 'token list ann@example.com';
    const rows = asJson(command) as Record<string, unknown>[];
    expect(rows.map(({ name }) => name)).to.deep.equal(['first token', 'laptop']);
    const laptop = tokenOf('token create ann@example.com --name laptop');
    expect(rows[1]).to.have.all.keys('name', 'ends_in', 'created_at', 'last_used_at');
    expect(rows[1]).to.include({ ends_in: laptop.slice(-4) });
    expect(Date.parse(String(rows[1]?.last_used_at))).to.be.within(Date.now() - 60_000, Date.now() + 1_000);
    expect(inWords(command)).to.match(
      /^name +ends_in +created_at +last_used_at\nfirst token +\w{4} .*\nlaptop .* -\n$/,
    );
    for (const shown of [JSON.stringify(rows), inWords(command)]) expect(shown).to.not.match(/hp_|\w{32}/);
  });

  it('token revoke makes a running service refuse a token at once, and only that', () => {
    const command = 'token revoke ann@example.com --name laptop';
    expect(asJson(command)).to.deep.equal({ email: 'ann@example.com', name: 'laptop', revoked: true });
    expect(inWords(command)).to.equal('Token laptop of ann@example.com is revoked.\n');
    expect(statuses).to.include({ revoked: 401, other: 200 });
  });

  it('account delete erases the account with its tokens, its pushes and their logs', () => {
    const command = 'account delete ANN@example.com';
    expect(asJson(command)).to.deep.equal({ email: 'ann@example.com', deleted: true });
    expect(inWords(command)).to.equal('ann@example.com and all that it owned are erased.\n');
    expect(statuses).to.include({ erased: 401, push: 404, stopped: 0 });
    expect(kept.rows).to.deep.equal([0, 0, 0, 0]);
  });

  it('keys list and keys add name keys without showing one', () => {
    expect(asJson('keys list')).to.deep.equal([{ key_id: 1, active: true }]);
    expect(inWords('keys list')).to.equal('key_id  active\n1       true\n');
    expect(asJson('keys add')).to.deep.equal({ key_id: 2, file: join(first.folder.path, 'master.key') });
    expect(inWords('keys add')).to.equal(
      `Master key 2 is in ${join(second.folder.path, 'master.key')}. Copy the file to every process, then restart them.\n`,
    );
    expect(kept.keyFile).to.match(/^MASTER_KEYS=2:\S{44},1:\S{44}$/m);
  });

  it('doctor finds nothing wrong', () => {
    const findings = asJson('doctor') as { check: string; state: string; finding: string }[];
    expect(
      findings.filter(({ check }) => check !== 'disk').map(({ check, state }) => `${check} ${state}`),
    ).to.deep.equal([
      'BASE_URL ok',
      'RATE_LIMITS warning',
      'TRUSTED_PROXIES ok',
      'database ok',
      'schema ok',
      'clock ok',
      'keys ok',
      'key file ok',
    ]);
    expect(findings.find(({ check }) => check === 'keys')?.finding).to.equal(
      'master key 1 is active, of 1 in all; they fit the database',
    );
    expect(inWords('doctor')).to.match(/^ok {7}schema: all migrations are applied$/m);
  });
});

describe('a command that is refused', function () {
  this.timeout(40_000);

  let site: Site;

  before(async () => {
    site = await openSite();
    expect(await site.folder.run('account create ann@example.com')).to.have.property('code', 0);
  });

  after(() => site.close());

  const refusals: [string, string][] = [
    ['account create ANN@example.com', 'There is already an account ann@example.com.'],
    ['account create tulip', 'email must be an e-mail address'],
    ['account delete ben@example.com', 'There is no account ben@example.com.'],
    ['token revoke ann@example.com --name tulip', 'The account has no token named tulip.'],
    ['migrate down --to tulip', `Couldn't find migration to apply with name "tulip"`],
  ];

  it('ends with 1, and says why in one line, or in JSON where that is asked for', async () => {
    const outcomes = await Promise.all(
      refusals.map(([words], index) => site.folder.run(index % 2 ? `${words} --json` : words)),
    );
    for (const [index, [words, problem]] of refusals.entries()) {
      const stderr = index % 2 ? `${JSON.stringify({ error: problem })}\n` : `hushpush: ${problem}\n`;
      expect(outcomes[index], words).to.deep.equal({ code: 1, signal: null, stdout: '', stderr });
    }
  });

  it('for its password does not repeat that', async () => {
    const outcome = await site.folder.run('account create ben@example.com --password-stdin', {
      input: 'tulip\n',
    });
    expect(outcome).to.deep.equal({
      code: 1,
      signal: null,
      stdout: '',
      stderr: 'hushpush: password must have at least 12 characters\n',
    });
  });
});

describe('account create', () => {
  it('takes a password from standard input, with spaces but without the end of its line', async () => {
    const { folder, fresh, close } = await openSite();
    try {
      const words = 'account create ann@example.com --password-stdin --json';
      const made = await folder.run(words, { input: ' correct horse battery staple \n' });
      expect(jsonOf(made)).to.have.property('email', 'ann@example.com');
      const { masterKeys = '', pepper = '' } = (await readKeyFile(join(folder.path, 'master.key'))) ?? {};
      const [row] = await rowsOf<{ hash: string }>(fresh, 'SELECT password_hash AS hash FROM accounts');
      const peppered = pepperedPassword(parseKeyring(masterKeys, pepper), ' correct horse battery staple ');
      expect(await bcrypt.compare(peppered, row?.hash ?? '')).to.equal(true);
    } finally {
      await close();
    }
  });
});

describe('keys add', () => {
  it('refuses with 78 where the keys are not in a file', async () => {
    const folder = await openFolder(shareDatabase(`sqlite:${join('nowhere', 'hushpush.db')}`));
    const { code, stderr } = await folder.run('keys add').finally(folder.remove);
    expect(code).to.equal(78);
    expect(stderr).to.match(
      /^hushpush: The keys are in MASTER_KEYS: put a new one in front there, [^\n]*\n$/,
    );
  });
});

describe('while the database is away, a command', function () {
  this.timeout(30_000);

  /** A server that takes connections and never says a word, as one that hangs. */
  async function mute() {
    const server = createServer(() => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    return { url: `mysql://root:tulip@127.0.0.1:${port}/hushpush`, close: () => server.close() };
  }

  it('fails with 1 and one line within ten seconds', async () => {
    const folder = await openFolder();
    const server = await mute();
    const away = onMariadb ? 'mysql://root:tulip@127.0.0.1:1/hushpush' : `sqlite:${folder.path}`;
    const attempts: [string, string][] = [
      ['account list', away],
      ['migrate up', away],
      ['account create ann@example.com --json', onMariadb ? server.url : away],
    ];
    try {
      const startedAt = Date.now();
      const outcomes = await Promise.all(
        attempts.map(([words, url]) => folder.run(words, { settings: shareDatabase(url) })),
      );
      expect(Date.now() - startedAt).to.be.below(10_000);
      for (const { code, stdout, stderr } of outcomes) {
        expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
        expect(stderr).to.match(
          /^[^\n]*The database is out of reach\. Try again shortly\. \([A-Z_]+\)[^\n]*\n$/,
        );
        expect(stderr).to.not.contain('tulip');
      }
      expect(JSON.parse(outcomes[2]?.stderr ?? '')).to.have.all.keys('error');
    } finally {
      server.close();
      await folder.remove();
    }
  });
});
