import { execFileSync, spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { openFolder } from '../harness/cli.ts';
import { onMariadb } from '../harness/database.ts';

// It has nothing to do with the database.
const describeOnce = onMariadb ? () => {} : describe;

/** What completes the last of some words. */
type Complete = (words: string[]) => string[];

const isInstalled = (program: string) => spawnSync(program, ['--version']).error === undefined;

const runScript = (shell: string, script: string) =>
  execFileSync(shell, ['-c', script], { encoding: 'utf8' }).trim().split('\n');

describeOnce('The completion of the command line', () => {
  async function scriptFor(shell: string): Promise<string> {
    const folder = await openFolder();
    const { stdout } = await folder.run(`completion ${shell}`).finally(folder.remove);
    return stdout;
  }

  function expectCompletions(complete: Complete): void {
    expect(complete(['pu'])).to.deep.equal(['push']);
    expect(complete(['push', '--passphrase'])).to.deep.equal(['--passphrase', '--passphrase-file']);
    expect(complete(['sign-'])).to.deep.equal(['sign-in', 'sign-out']);
    expect(complete(['admin', 'acc'])).to.deep.equal(['account']);
    expect(complete(['admin', 'token', 're'])).to.deep.equal(['replace', 'revoke']);
    expect(complete(['admin', 'token', 'create', 'ann@example.com', '--n'])).to.deep.equal(['--name']);
    expect(complete(['list', '--server', 'x', '--ex'])).to.deep.equal(['--expired']);
    expect(complete(['list', '--sort', 'ends_s'])).to.deep.equal(['ends_soonest']);
    expect(complete(['push', '--kind', 'u'])).to.deep.equal(['url']);
  }

  it('completes commands, groups, options and their choices in bash', async () => {
    const script = await scriptFor('bash');
    expectCompletions((words) =>
      runScript(
        'bash',
        `${script}
          COMP_WORDS=(hushpush ${words.map((word) => `'${word}'`).join(' ')})
          COMP_CWORD=${words.length}
          _hushpush
          printf '%s\\n' "\${COMPREPLY[@]}"`,
      ),
    );
  });

  it('completes them in fish, too', async function () {
    if (!isInstalled('fish')) this.skip();
    const script = await scriptFor('fish');
    expectCompletions((words) =>
      runScript('fish', `${script}\ncomplete -C 'hushpush ${words.join(' ')}'`)
        .map((line) => line.split('\t')[0] ?? '')
        .sort(),
    );
  });
});
