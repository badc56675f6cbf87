import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { requireProgram } from '../harness/programs.ts';

const unit = join(import.meta.dirname, '..', '..', 'deploy/systemd/hushpush.service');

describe('The unit for systemd', () => {
  it('is one that systemd understands, and gives away little', async function () {
    const analyze = requireProgram(this, 'systemd-analyze');
    const folder = await mkdtemp(join(tmpdir(), 'systemd-'));
    const file = join(folder, 'hushpush.service');
    const text = await readFile(unit, 'utf8');
    await writeFile(file, text.replace('/usr/bin/node', process.execPath));
    const run = (...args: string[]) => {
      const { stdout, stderr } = spawnSync(analyze, [...args, file], { encoding: 'utf8' });
      return stdout + stderr;
    };
    const about = run('verify')
      .split('\n')
      .filter((line) => line.includes('hushpush'));
    const [, exposure] =
      /Overall exposure level for \S+: ([\d.]+)/.exec(run('security', '--offline=true')) ?? [];
    await rm(folder, { recursive: true });
    expect(about).to.deep.equal([]);
    expect(Number(exposure)).to.be.within(0.1, 1.5);
  });

  it('does not start without its settings, which would let everybody in', async () => {
    const text = await readFile(unit, 'utf8');
    const [, settings] = /^EnvironmentFile=(.*)$/m.exec(text) ?? [];
    expect(settings).to.match(/^\//); // a dash before it would let the file be missing
    expect(text).to.contain(`\nAssertPathExists=${settings}\n`);
  });
});
