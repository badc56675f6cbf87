import { expect } from 'chai';
import { packageVersion } from '../../src/runtime/package.ts';
import { type Folder, openFolder, type ProcessResult } from '../harness/cli.ts';
import { onMariadb } from '../harness/database.ts';

const adminGroups = [
  'account',
  'token',
  'rule',
  'keys',
  'jobs',
  'webhook',
  'discord',
  'mattermost',
  'mail',
].map((group) => `admin ${group}`);
const groups = ['migrate', 'webhook', 'account', 'admin', ...adminGroups];
const clientCommands = [
  ...[
    'push',
    'get',
    'list',
    'activity',
    'extend',
    'send-again',
    'withdraw',
    'expire',
    'request',
    'requests',
    'cancel',
    'answers',
    'answer',
    'sign-in',
    'sign-out',
    'exchange',
    'whoami',
    'mcp',
    'completion',
  ],
];
const commands = [
  ...clientCommands,
  'webhook list',
  'webhook add',
  'webhook types',
  'webhook remove',
  'webhook test',
  'webhook deliveries',
  'webhook redeliver',
  'account security',
  'webhook rotate-secret',
  'start',
  'worker',
  'migrate up',
  'migrate down',
  'migrate status',
  'admin account create',
  'admin account list',
  'admin account log',
  'admin account subscribe',
  'admin account unsubscribe',
  'admin account promote',
  'admin account demote',
  'admin account disable',
  'admin account enable',
  'admin account password',
  'admin account invite',
  'admin account reset',
  'admin account remove-factors',
  'admin account identities',
  'admin account disconnect',
  'admin account notifications',
  'admin account delete',
  'admin token create',
  'admin token list',
  'admin token replace',
  'admin token revoke',
  'admin rule create',
  'admin rule list',
  'admin rule remove',
  'admin keys add',
  'admin keys list',
  'admin keys reseal',
  'admin keys remove',
  'admin jobs list',
  'admin jobs run',
  'admin webhook add',
  'admin webhook types',
  'admin webhook list',
  'admin webhook remove',
  'admin webhook enable',
  'admin webhook rotate-secret',
  'admin webhook deliveries',
  'admin webhook test',
  'admin webhook redeliver',
  'admin discord register',
  'admin mattermost setup',
  'admin mail test',
  'backup',
  'restore',
  'after-restore',
  'settings',
  'doctor',
];

// What a command says of itself has nothing to do with the database.
const describeOnce = onMariadb ? () => {} : describe;

describeOnce('The help of the command line', () => {
  let help: Map<string, string>;

  before(async () => {
    const folder = await openFolder();
    const asked = ['', ...groups, ...commands];
    const printed = await folder
      .runAll(asked.map((words) => `${words} --help`.trim()))
      .finally(folder.remove);
    help = new Map([...printed].map(([words, text]) => [words.replace(/ ?--help$/, ''), text]));
  });

  it('lists every command', () => {
    const listed = (of: string) =>
      [
        ...(help.get(of) ?? '').matchAll(/^ {2}([a-z-]+)( \[options\])?((?: [<[][\w.]+[>\]])*) {2,}[A-Z]/gm),
      ].map(([, name]) => name);
    expect(listed('')).to.have.members([
      'start',
      'worker',
      'backup',
      'restore',
      'after-restore',
      'migrate',
      'webhook',
      'account',
      'admin',
      'settings',
      'doctor',
      ...clientCommands,
    ]);
    expect(listed('admin').map((name) => `admin ${name}`)).to.have.members(adminGroups);
    for (const group of ['migrate', 'webhook', 'account', ...adminGroups]) {
      const names = commands.filter((command) => command.startsWith(`${group} `));
      expect(listed(group).map((name) => `${group} ${name}`)).to.have.members(names);
    }
  });

  for (const command of commands) {
    it(`explains ${command} and each of its options`, () => {
      const text = help.get(command) ?? '';
      expect(text).to.match(new RegExp(`^Usage: hushpush ${command} \\[options\\]`));
      expect(text).to.match(/\n\n[A-Z][^\n]{15,}/);
      expect(text).to.match(/^ {2}--json +[a-z]/m);
      for (const [, description] of text.matchAll(/^ {2}(?:-\w, )?--[a-z-]+(?: <[\w|.]+>)?(.*)$/gm)) {
        expect(description).to.match(/^ {2,}\w/);
      }
    });
  }

  it('does not mention former names of commands', () => {
    expect([...help.values()].join('\n')).not.to.match(/\b(log-?in|log-?out|notices)\b/i);
  });

  it('shows examples', () => {
    expect(help.get('')).to.contain(
      'Examples:\n  hushpush push --server https://push.example.com\n  hushpush start\n',
    );
    expect(help.get('start')).to.contain('Example:\n  PORT=8080 ');
    expect(help.get('admin account create')).to.contain('Example:\n  hushpush admin account create ');
    expect(help.get('admin token create')).to.contain('Examples:\n  hushpush admin token create ');
  });
});

describeOnce('A command with wrong usage', () => {
  const misuses: [string, RegExp][] = [
    ['tulip', /^unknown command 'tulip'$/],
    ['admin account list --tulip', /^unknown option '--tulip'$/],
    ['admin account create', /^missing required argument 'email'$/],
    ['admin token create ann@example.com', /^required option '--name <name>' not specified$/],
    ['admin account list tulip', /^too many arguments for 'list'/],
  ];
  let folder: Folder;
  let outcomes: ProcessResult[];

  before(async () => {
    folder = await openFolder();
    outcomes = await Promise.all(misuses.map(([words]) => folder.run(words)));
  });

  after(() => folder.remove());

  for (const [index, [words, problem]] of misuses.entries()) {
    it(`exits with 2 and prints the reason: ${words}`, () => {
      const { code, stdout, stderr = '' } = outcomes[index] ?? {};
      expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
      const [line = '', ...hint] = stderr.split('\n');
      expect(line).to.match(/^hushpush: /);
      expect(line.replace('hushpush: ', '')).to.match(problem);
      expect(hint).to.deep.equal(['(add --help for usage)', '']);
    });
  }

  it('prints the reason as JSON with --json', async () => {
    const { code, stdout, stderr } = await folder.run('admin account create --json');
    expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
    expect(JSON.parse(stderr)).to.deep.equal({ error: "missing required argument 'email'" });
  });
});

describeOnce('A command by its former name', () => {
  for (const [former, name] of [
    ['login', 'sign-in'],
    ['logout', 'sign-out'],
    ['admin account notices', 'admin account notifications'],
  ])
    it(`is the command of today: ${former}`, async () => {
      const folder = await openFolder();
      const { code, stdout } = await folder.run(`${former} --help`).finally(folder.remove);
      expect(code).to.equal(0);
      expect(stdout).to.match(new RegExp(`^Usage: hushpush ${name} \\[options\\]`));
    });
});

describe('The command line without a command', () => {
  let folder: Folder;

  before(async () => {
    folder = await openFolder();
  });

  after(() => folder.remove());

  it('exits with 2 and shows its help', async () => {
    const { code, stdout, stderr } = await folder.run('');
    expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
    expect(stderr).to.match(/^Usage: hushpush /);
  });

  it('prints its version with --version', async () => {
    expect(await folder.run('--version')).to.deep.equal({
      code: 0,
      signal: null,
      stdout: `${packageVersion()}\n`,
      stderr: '',
    });
  });
});
