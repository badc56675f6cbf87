import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { builtMain } from '../harness/build.ts';
import { type Folder, openFolder } from '../harness/cli.ts';
import { onMariadb } from '../harness/database.ts';
import { newSharedSettings } from '../harness/process.ts';

/** A disk that is read-only, in a mount namespace of the process. */
const onReadOnlyDisk = (path: string) => [
  ...['unshare', '-rm', 'sh', '-c', 'mount -t tmpfs -o ro tmpfs "$0" && exec "$@"'],
  path,
];

const describeOnSqlite = onMariadb ? () => {} : describe;

describeOnSqlite('A disk that is read-only', () => {
  let folder: Folder;

  beforeEach(async () => {
    folder = await openFolder();
  });

  afterEach(() => folder.remove());

  for (const place of ['hushpush.db', 'a folder that is not there/hushpush.db'])
    it(`is named by start, which ends with 78, and by doctor: ${place}`, async function () {
      const disk = join(folder.path, 'disk');
      spawnSync('mkdir', [disk]);
      if (spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', disk]).status !== 0)
        return this.skip();
      const file = join(disk, place);
      const settings = newSharedSettings(`sqlite:${file}`);
      const run = (command: string) =>
        folder.launch([...onReadOnlyDisk(disk), process.execPath, builtMain(), command], { settings }).ended;
      const [started, examined] = [await run('start'), await run('doctor')];
      expect(started.code, started.stderr).to.equal(78);
      expect(started.stderr).to.contain(`The database ${file} cannot be written to`);
      expect(examined.code).to.equal(1);
      expect(examined.stdout).to.contain('cannot be created in');
    });
});
