import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readConfig } from '../../src/config.ts';
import { openDatabaseFolder } from '../../src/runtime/databaseFolder.ts';

describe('The folder of an embedded database', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'database-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is created with those above it, for the user of the service alone', async () => {
    await openDatabaseFolder(readConfig({ DATABASE_URL: `sqlite:${join(folder, 'deep/er/hushpush.db')}` }));
    const modes = await Promise.all(
      ['deep', 'deep/er'].map(async (name) => (await stat(join(folder, name))).mode & 0o777),
    );
    expect(modes).to.deep.equal([0o700, 0o700]);
  });
});
