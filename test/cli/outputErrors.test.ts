import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { builtMain } from '../harness/build.ts';
import { type Folder, openFolder } from '../harness/cli.ts';
import { onMariadb } from '../harness/database.ts';
import { freePort } from '../harness/mariadb.ts';
import { programMs, until } from '../harness/until.ts';

// It has nothing to do with the database.
const describeOnce = onMariadb ? () => {} : describe;

describeOnce('The output of the program', () => {
  let folder: Folder;

  before(async () => {
    folder = await openFolder();
  });

  after(() => folder.remove());

  for (const command of ['--help', 'admin keys list --help', 'push --help', 'settings', 'completion bash']) {
    it(`ends it quietly when nobody reads it any more, as SIGPIPE ends others: ${command}`, async () => {
      expect(await folder.run(command, { isUnread: true })).to.include({ code: 141, stderr: '' });
    });
  }

  it('ends it with the reason when the disk is full', async function () {
    if (!existsSync('/dev/full')) this.skip(); // macOS has none
    const command = [process.execPath, builtMain(), 'settings'];
    const { ended } = folder.launch(['sh', '-c', '"$@" > /dev/full', 'sh', ...command]);
    const stderr = 'hushpush: The output cannot be written: ENOSPC: no space left on device, write.\n';
    expect(await ended).to.include({ code: 1, stderr });
  });

  it('does not end a service when nobody reads it any more, not even at its first start', async () => {
    const port = await freePort();
    const { child, ended } = folder.launchMain(['start'], {
      settings: { PORT: String(port) },
      isUnread: true,
    });
    const isServing = async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.ok;
    await until(async () => child.exitCode !== null || (await isServing()), programMs);
    expect(await isServing()).to.equal(true);
    child.kill('SIGTERM');
    expect(await ended).to.include({ code: 0, stderr: '' });
  });
});
