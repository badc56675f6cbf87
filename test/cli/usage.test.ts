import { expect } from 'chai';
import { packageVersion } from '../../src/runtime/package.ts';
import { type Folder, openFolder, type ProcessResult } from '../harness/cli.ts';
import { onMariadb } from '../harness/database.ts';

const groups = ['migrate', 'account', 'token', 'keys', 'jobs', 'webhook', 'discord'];
const commands = [
  'start',
  'worker',
  'migrate up',
  'migrate down',
  'migrate status',
  'account create',
  'account list',
  'account subscribe',
  'account unsubscribe',
  'account promote',
  'account demote',
  'account disable',
  'account enable',
  'account password',
  'account invite',
  'account reset',
  'account notices',
  'account delete',
  'token create',
  'token list',
  'token revoke',
  'keys add',
  'keys list',
  'keys reseal',
  'keys remove',
  'jobs list',
  'jobs run',
  'webhook add',
  'webhook list',
  'webhook remove',
  'webhook enable',
  'webhook deliveries',
  'discord register',
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
      [...(help.get(of) ?? '').matchAll(/^ {2}([a-z-]+)( \[options\])?((?: <\w+>)*) {2,}[A-Z]/gm)].map(
        ([, name]) => name,
      );
    expect(listed('')).to.have.members([
      'start',
      'worker',
      'backup',
      'restore',
      'after-restore',
      ...groups,
      'settings',
      'doctor',
    ]);
    for (const group of groups) {
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
      for (const [, description] of text.matchAll(/^ {2}(?:-\w, )?--[a-z-]+(?: <[\w|]+>)?(.*)$/gm)) {
        expect(description).to.match(/^ {2,}\w/);
      }
    });
  }

  it('shows examples', () => {
    expect(help.get('')).to.contain('Examples:\n  hushpush start\n');
    expect(help.get('start')).to.contain('Example:\n  PORT=8080 ');
    expect(help.get('account create')).to.contain('Example:\n  hushpush account create ');
    expect(help.get('token create')).to.contain('Example:\n  hushpush token create ');
  });
});

describeOnce('A command with wrong usage', () => {
  const misuses: [string, RegExp][] = [
    ['tulip', /^unknown command 'tulip'$/],
    ['account list --tulip', /^unknown option '--tulip'$/],
    ['account create', /^missing required argument 'email'$/],
    ['token create ann@example.com', /^required option '--name <name>' not specified$/],
    ['account list tulip', /^too many arguments for 'list'/],
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
    const { code, stdout, stderr } = await folder.run('account create --json');
    expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
    expect(JSON.parse(stderr)).to.deep.equal({ error: "missing required argument 'email'" });
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
