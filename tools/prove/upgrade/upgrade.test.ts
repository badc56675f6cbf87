import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { freshDatabase } from '../../../test/harness/database.ts';
import { checkStore } from './check.ts';
import { openStore, storedReleases } from './store.ts';

/** The last release whose databases no later one can use. */
const lastUnusable = '1.0.0-rc.1';
const root = join(import.meta.dirname, '..', '..', '..');

describe('An upgrade', () => {
  it('is tested from each release', async () => {
    const released = Object.keys(JSON.parse(readFileSync(join(root, 'migrations/released.json'), 'utf8')));
    expect(released).to.not.include(lastUnusable);
    expect(await storedReleases(), 'run tools/prove/upgrade/make.ts').to.deep.equal(released.sort());
  });

  it('keeps all that a store of each release holds: secrets, files, notices, chats and rules', async () => {
    for (const release of await storedReleases()) {
      const fresh = await freshDatabase();
      const folder = await mkdtemp(join(tmpdir(), 'upgrade-'));
      try {
        const { known, settings } = await openStore(release, fresh.url, folder);
        expect(await checkStore(known, settings), release).to.deep.equal([]);
      } finally {
        await fresh.drop();
        await rm(folder, { recursive: true, force: true });
      }
    }
  });
});
