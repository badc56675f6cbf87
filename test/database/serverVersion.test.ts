import { expect } from 'chai';
import { serverProblem } from '../../src/database/dialect.ts';
import { type Folder, openFolder } from '../harness/cli.ts';
import { onMariadb } from '../harness/database.ts';
import { startMariadb } from '../harness/mariadb.ts';
import { newSharedSettings } from '../harness/process.ts';

describe('A database server', () => {
  it('may be MariaDB from 10.6 on, MySQL from 8.0 on, and whatever is newer', () => {
    const good = [
      ...[
        'SQLite 3.45.1',
        '10.6.0-MariaDB',
        '10.11.6-MariaDB-0+deb12u1',
        '5.5.5-10.11.6-MariaDB',
        '11.4.2-MariaDB',
      ],
      ...['8.0.36', '8.4.0', '9.7.0-commercial'],
    ];
    for (const version of good) expect(serverProblem(version), version).to.equal(undefined);
    for (const version of ['10.5.29-MariaDB', '5.5.5-10.3.39-MariaDB', '5.7.44-log', '5.6.1'])
      expect(serverProblem(version), version).to.match(/ is (?:MariaDB|MySQL) \d+\.\d+, and too old/);
  });

  if (onMariadb)
    describe('that is older', () => {
      let folder: Folder;
      let server: Awaited<ReturnType<typeof startMariadb>>;

      before(async () => {
        folder = await openFolder();
        server = await startMariadb({ options: ['--version=10.5.29-MariaDB'] });
      });

      after(async () => {
        await server.stop();
        await folder.remove();
      });

      it('is named by start, which ends with 78, and by doctor, before anything is created', async () => {
        const settings = newSharedSettings(`${server.url}/mysql`);
        const started = await folder.run('start', { settings });
        const examined = await folder.run('doctor', { settings });
        expect([started.code, examined.code]).to.deep.equal([78, 1]);
        for (const { stdout, stderr } of [started, examined])
          expect(stdout + stderr).to.contain('MariaDB 10.5, and too old: hushpush needs MariaDB 10.6');
      });
    });
});
