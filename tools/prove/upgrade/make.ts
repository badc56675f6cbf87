import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { newKey } from '../../../src/crypto/keyring.ts';
import { openTestedDatabase } from '../history/databases.ts';
import { checkOut } from './release.ts';
import { type StoreKind, storeKinds, storeOf } from './store.ts';

/*
 * node --import tsx tools/prove/upgrade/make.ts VERSION: makes the stores of a release with that release itself, whose
 * sources it takes from the history of this repository. A store is made once, right after its release.
 */

const run = promisify(execFile);
const [release = ''] = process.argv.slice(2);
const scratch = await mkdtemp(join(tmpdir(), 'release-'));

async function make(kind: StoreKind, sources: string): Promise<void> {
  const target = storeOf(release, kind);
  await mkdir(target, { recursive: true });
  const { urls, close } = await openTestedDatabase(kind);
  const [url = ''] = urls;
  try {
    await run(process.execPath, ['--import', 'tsx', 'tools/prove/upgrade/fill.ts'], {
      cwd: sources,
      env: {
        ...process.env,
        MASTER_KEYS: `1:${newKey()}`,
        PEPPER: newKey(),
        DATABASE_URL: url,
        FILES_DIR: join(target, 'files'),
        KNOWN_FILE: join(target, 'known.json'),
      },
    });
    const content =
      kind === 'sqlite' ? await readFile(fileURLToPath(url.replace('sqlite:', 'file:'))) : await dump(url);
    await writeFile(join(target, 'database.gz'), await promisify(gzip)(content));
  } finally {
    await close();
  }
}

async function dump(url: string): Promise<string> {
  const { hostname, port, username, pathname } = new URL(url);
  const server = [`--host=${hostname}`, `--port=${port}`, `--user=${username}`, '--protocol=tcp'];
  const { stdout } = await run(
    'mariadb-dump',
    [...server, '--hex-blob', '--skip-comments', pathname.slice(1)],
    {
      maxBuffer: 64 * 1_048_576,
    },
  );
  return stdout;
}

try {
  const sources = await checkOut(release, scratch);
  await mkdir(join(sources, 'tools/prove/upgrade'), { recursive: true });
  for (const name of ['fill.ts', 'store.ts'])
    await cp(join(import.meta.dirname, name), join(sources, 'tools/prove/upgrade', name));
  for (const kind of storeKinds) await make(kind, sources);
} finally {
  await rm(scratch, { recursive: true, force: true });
}
